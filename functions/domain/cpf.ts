import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';

/** The two forms of the specification: `NNN.NNN.NNN-NN` or 11 plain digits. */
const FORMS = /^(\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})$/;

/** The 11 digits of a CPF with valid check digits, or undefined. */
export function cpfDigits(text: string): string | undefined {
  if (!FORMS.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  return isValidCpf(digits) ? digits : undefined;
}
