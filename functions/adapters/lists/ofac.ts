import { cpfDigits } from '../../domain/cpf.ts';
import { type Birth, circa, dayOf, yearsOf } from './birth.ts';
import { ofacRows, requireEndMark } from './csv.ts';
import type { Entry, ListedName } from './entry.ts';

/** Widths of `sdn.csv`, `alt.csv` and `sdn_comments.csv`: OFAC's data specification of 2023-09-25. */
const SDN_COLUMNS = 12;
const ALT_COLUMNS = 5;
const COMMENTS_COLUMNS = 2;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The persons of OFAC's list, and the companies that carry a Brazilian CNPJ: those are found by it alone.
 * Remarks over 1,000 characters go on in the comments file, cut anywhere, even within a word.
 */
export function ofacEntries(sdn: Uint8Array, alt: Uint8Array, comments: Uint8Array): Entry[] {
  // The comments have come without the mark; the other two never.
  requireEndMark(sdn);
  requireEndMark(alt);
  const aliases = Map.groupBy(ofacRows(alt, ALT_COLUMNS), (row) => row[0]);
  const overflow = new Map(ofacRows(comments, COMMENTS_COLUMNS).map(([id, text]) => [id, text]));
  return ofacRows(sdn, SDN_COLUMNS)
    .map(([id = '', name = '', type, ...rest]) => {
      const facts = factsOf(`${rest.at(-1)}${overflow.get(id) ?? ''}`);
      const strong = [name, ...(aliases.get(id) ?? []).map((row) => row[3] ?? '')];
      return type === 'individual' ? personOf(id, strong, facts) : companyOf(id, facts);
    })
    .filter((entry) => entry.names.length || entry.documents.length);
}

function personOf(id: string, strong: string[], facts: string[]): Entry {
  const names: ListedName[] = strong.map((text) => ({ text, isWeak: false }));
  const weak = matchesOf(facts, /^[afn]\.k\.a\. '(.+)'$/).map((text) => ({ text, isWeak: true }));
  const births = matchesOf(facts, /^(?:alt\. )?DOB (.+)$/).flatMap((text) => birthOf(text) ?? []);
  return { list: 'OFAC_SDN', id, names: [...names, ...weak], births, documents: cpfsOf(facts) };
}

function companyOf(id: string, facts: string[]): Entry {
  const documents = matchesOf(facts, /^(?:alt\. )?Tax ID No\. ([\w./-]+) \(Brazil\)$/)
    .map((text) => text.replaceAll(/[^0-9A-Z]/g, ''))
    .filter((text) => text.length === 14);
  return { list: 'OFAC_SDN', id, names: [], births: [], documents };
}

/** Some CPFs are listed as plain "Identification Number"; the check digits tell them from other papers. */
function cpfsOf(facts: string[]): string[] {
  const numbers = matchesOf(facts, /^(?:alt\. )?(?:Tax ID No\.|Identification Number) ([\d.-]+) \(Brazil\)$/);
  return numbers.flatMap((text) => cpfDigits(text) ?? []);
}

function factsOf(remarks: string): string[] {
  return remarks
    .replace(/\.\s*$/, '')
    .split(';')
    .map((fact) => fact.trim());
}

function matchesOf(facts: string[], pattern: RegExp): string[] {
  return facts.flatMap((fact) => pattern.exec(fact)?.[1] ?? []);
}

/** `08 Sep 1966`, `Sep 1966`, `1966`, `circa 1966`, and ranges of these. */
function birthOf(text: string): Birth | undefined {
  const plain = text.replace(/^circa /i, '');
  const [first = '', last = first] = plain.split(/ to |-(?=\d{4}$)/);
  const [from, to] = [pointOf(first), pointOf(last)];
  if (!from || !to) return undefined;
  const birth = { from: from.from, to: to.to };
  return plain === text ? birth : circa(birth);
}

function pointOf(text: string): Birth | undefined {
  const [year = '', month, day] = text.trim().split(' ').reverse();
  if (month === undefined) return yearsOf(year, year);
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  if (!number || !/^\d{4}$/.test(year)) return undefined;
  const prefix = `${year}-${String(number).padStart(2, '0')}`;
  return day === undefined
    ? { from: `${prefix}-01`, to: `${prefix}-31` }
    : dayOf(`${prefix}-${day.padStart(2, '0')}`);
}
