import { cpfDigits } from '../../domain/kyc/cpf.ts';
import { type Birth, circa, dayOf, spanOf, yearsOf } from './birth.ts';
import { forEachOfacRow } from './csv.ts';
import { detached, type Entry, type ListedName, listedName } from './entry.ts';
import { ListDamaged, type ListFile } from './list-file.ts';

/** Widths of the three files: OFAC's data specification of 2023-09-25. */
const MAIN_COLUMNS = 12;
const ALT_COLUMNS = 5;
const COMMENTS_COLUMNS = 2;
/** Where remarks are cut, to go on in the comments, even within a word. */
const MAX_REMARKS = 1000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

type Files = { main: ListFile; alt: ListFile; comments: ListFile };

/**
 * The persons and companies of an OFAC list, and of its ships and aircraft those that carry a Brazilian CNPJ or an
 * address of digital currency, found by it alone. The comments have come without the end mark, the other two never. Comments that
 * are not whole show by remarks that are cut and do not go on. Answers how many rows could not be read.
 */
export function ofacEntries(
  list: 'OFAC_SDN' | 'OFAC_CONS',
  { main, alt, comments }: Files,
  add: (entry: Entry) => void,
): number {
  const aliases = new Map<string, string[]>();
  const overflow = new Map<string, string>();
  const skippedAliases = forEachOfacRow(alt, { columns: ALT_COLUMNS, endMark: 'required' }, (row) => {
    const [id = '', , , name = ''] = row;
    const known = aliases.get(id);
    if (known) known.push(detached(name));
    else aliases.set(id, [detached(name)]);
    return id !== '' && name !== '';
  });
  const skippedComments = forEachOfacRow(
    comments,
    { columns: COMMENTS_COLUMNS, endMark: 'optional' },
    (row) => {
      const [id = '', text = ''] = row;
      overflow.set(id, `${overflow.get(id) ?? ''}${text}`);
      return id !== '';
    },
  );
  const skipped = forEachOfacRow(main, { columns: MAIN_COLUMNS, endMark: 'required' }, (row) => {
    const [id = '', name = '', type = '', ...rest] = row;
    const remarks = rest.at(-1) ?? '';
    const isCut = remarks.length >= MAX_REMARKS && !remarks.endsWith('.');
    if (isCut && !overflow.has(id)) throw new ListDamaged(comments.name, 'remarks do not go on in it');
    const facts = factsOf(`${remarks}${overflow.get(id) ?? ''}`);
    const names = [name, ...(aliases.get(id) ?? [])];
    const entry = entryOf({ list, id: detached(id), names, type: type.trim().toLowerCase() }, facts);
    const isNamed = id !== '' && name !== '';
    if (isNamed && isFindable(entry)) add(entry);
    return isNamed;
  });
  return skippedAliases + skippedComments + skipped;
}

const isFindable = ({ names, companyNames = [], documents, wallets = [] }: Entry) =>
  [names, companyNames, documents, wallets].some(({ length }) => length > 0);

type Listed = { list: Entry['list']; id: string; names: string[]; type: string };

/** A type of nothing is a company's. */
function entryOf({ list, id, names: strong, type }: Listed, facts: string[]): Entry {
  const wallets = walletsOf(facts);
  const found = wallets.length ? { wallets } : {};
  if (type === 'individual') return { list, id, ...personOf(strong, facts), ...found };
  const companyNames = type === '' ? { companyNames: namesOf(strong, facts) } : {};
  return { list, id, names: [], births: [], documents: cnpjsOf(facts), ...companyNames, ...found };
}

function personOf(strong: string[], facts: string[]): Pick<Entry, 'names' | 'births' | 'documents'> {
  const births = matchesOf(facts, /^(?:alt\. )?DOB (.+)$/).flatMap((text) => birthOf(text) ?? []);
  return { names: namesOf(strong, facts), births, documents: cpfsOf(facts) };
}

function namesOf(strong: string[], facts: string[]): ListedName[] {
  const weak = matchesOf(facts, /^[afn]\.k\.a\. '(.+)'$/);
  return [...strong.map((text) => listedName(text, false)), ...weak.map((text) => listedName(text, true))];
}

/** An address is the same on every EVM chain, whatever coin stands before it. */
function walletsOf(facts: string[]): string[] {
  const found = matchesOf(facts, /^(?:alt\. )?Digital Currency Address - .*\b(0x[0-9a-f]{40})\b/i);
  return [...new Set(found.map((text) => detached(text.toLowerCase())))];
}

function cnpjsOf(facts: string[]): string[] {
  return matchesOf(facts, /^(?:alt\. )?Tax ID No\. ([\w./-]+) \(Brazil\)$/)
    .map((text) => detached(text.replaceAll(/[^0-9A-Z]/g, '')))
    .filter((text) => text.length === 14);
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
export function birthOf(text: string): Birth | undefined {
  const plain = text.replace(/^circa /i, '');
  const [first = '', last = first] = plain.split(/ to |-(?=\d{4}$)/);
  const birth = spanOf(pointOf(first), pointOf(last));
  return birth && plain !== text ? circa(birth) : birth;
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
