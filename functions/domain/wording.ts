/**
 * Amounts and times as people read them. Clients are in Brazil, so each time is in the time zone of São
 * Paulo.
 */

/** One sentence in both languages. */
export type Words = { pt: string; en: string };

const LOCALES = { pt: 'pt-BR', en: 'en-US' } as const;
export type Language = keyof typeof LOCALES;

/** Replaces the special spaces that `Intl` writes. Some fonts and terminals cannot show them. */
const withPlainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

export function brlIn(language: Language, centavos: number): string {
  const format = new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency: 'BRL' });
  return withPlainSpaces(format.format(centavos / 100));
}

/** Writes a decimal text in the form of the language. Portuguese has a comma before the decimals. */
export const decimalIn = (language: Language, decimal: string): string =>
  language === 'pt' ? decimal.replace('.', ',') : decimal;

/** The time to the minute, without the name of the zone. */
export function timeIn(language: Language, at: number): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return withPlainSpaces(format.format(at));
}

/** Shortens a wallet address to its first six and last four characters, by which a person compares it. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
