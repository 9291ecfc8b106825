import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';

/**
 * The two forms of a CPF in the specification: `NNN.NNN.NNN-NN` or 11 plain digits. A library computes the
 * check digits. `test/tidy.test.ts` lists the libraries that the domain may import.
 */
const FORMS = /^(\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})$/;

/** The 11 digits of a CPF with valid check digits, or undefined. */
export function cpfDigits(text: string): string | undefined {
  if (!FORMS.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  return isValidCpf(digits) ? digits : undefined;
}

const CNPJ_FORMS = /^([0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}|[0-9A-Z]{12}\d{2})$/;

/** The 14 characters of a CNPJ, numeric or alphanumeric (IN RFB 2.229/2024), with valid check digits. */
export function cnpjCharacters(text: string): string | undefined {
  if (!CNPJ_FORMS.test(text)) return undefined;
  const characters = text.replaceAll(/[./-]/g, '');
  return isValidCnpj(characters, { version: 2 }) ? characters : undefined;
}
