/** Amounts and times as people read them. Clients are in Brazil, so each time is that of São Paulo. */

/** One sentence in both languages. */
export type Words = { pt: string; en: string };

const LOCALES = { pt: 'pt-BR', en: 'en-US' } as const;
export type Language = keyof typeof LOCALES;

/** `Intl` puts special spaces between the parts. Some fonts and terminals cannot show them. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

export function brlIn(language: Language, centavos: number): string {
  const format = new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency: 'BRL' });
  return plain(format.format(centavos / 100));
}

/** A decimal text. Portuguese writes a comma before the decimals. */
export const decimalIn = (language: Language, decimal: string): string =>
  language === 'pt' ? decimal.replace('.', ',') : decimal;

/** The time to the minute, without the name of the zone. */
export function timeIn(language: Language, at: number): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return plain(format.format(at));
}

/** A wallet address as a person compares it: its first and its last characters. */
export const shortened = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
