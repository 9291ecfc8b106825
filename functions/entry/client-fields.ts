/** The fields by which a partner describes a client. Several endpoints use them. */
import * as z from 'zod';
import { cnpjCharacters, cpfDigits } from '../domain/kyc/cpf.ts';
import { comparableOf } from '../domain/kyc/cross-check.ts';

export const CPF_FORM = 'must be a CPF with valid check digits: NNN.NNN.NNN-NN or 11 digits';

export const Cpf = z.string().transform((text, context) => {
  const digits = cpfDigits(text);
  if (digits === undefined) context.addIssue(CPF_FORM);
  return digits ?? z.NEVER;
});

const CNPJ_FORM =
  'must be a CNPJ with valid check digits: NN.NNN.NNN/NNNN-NN or 14 characters, letters in capitals';

export const Cnpj = z.string().transform((text, context) => {
  const characters = cnpjCharacters(text);
  if (characters === undefined) context.addIssue(CNPJ_FORM);
  return characters ?? z.NEVER;
});

/** The longest name, in characters: docs/decisions.md, "Data that the partner collected". */
const LONGEST_NAME = 200;
/**
 * Whether the name has a word that can be compared with the name in another source. A particle alone, such
 * as "da", cannot.
 */
const hasWord = (name: string) => comparableOf({ name }).name !== undefined;

export const PersonName = z
  .string()
  .max(LONGEST_NAME)
  .regex(/^\P{C}*$/u, 'must not contain control characters')
  .refine((name) => /\p{L}/u.test(name) && hasWord(name), 'must be a name');
export const BirthDate = z.iso.date();
export const DocumentNumber = z
  .string()
  .regex(
    /^(?=.*[1-9A-Za-z])[0-9A-Za-z][0-9A-Za-z ./-]{1,31}$/,
    'must be 2 to 32 letters, digits, spaces, dots, slashes or dashes, and not only zeros',
  );
