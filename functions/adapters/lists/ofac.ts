import { cpfDigits } from '../../domain/kyc/cpf.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { type Birth, birthDayOf, birthSpan, circa, yearsOf } from './birth.ts';
import { forEachOfacRow } from './csv.ts';
import { detached, type ListedName, listedName } from './entry.ts';
import { ListDamaged, type ListFile } from './list-file.ts';
import {
  type AddEntry,
  downloadFile,
  type FindOptions,
  type FoundFiles,
  type ListFormat,
  onlyFile,
  type ParsedEntry,
} from './list-format.ts';

/** The numbers of columns of the three files. Source: OFAC's data specification of 2023-09-25. */
const MAIN_COLUMNS = 12;
const ALT_COLUMNS = 5;
const COMMENTS_COLUMNS = 2;
/** OFAC cuts remarks at this length, even within a word. The rest is in the file of comments. */
const MAX_REMARKS = 1000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

type OfacParts<Value> = { main: Value; alt: Value; comments: Value };

/** The format of a list of OFAC. `names` are the publisher's names of its three files. */
export function ofacList(names: OfacParts<string>): ListFormat {
  return {
    find: (options) => findFiles(Object.values(names), options),
    read(files, add) {
      const named = (name: string) => fileNamed(name.toLowerCase(), files);
      const { main, alt, comments } = names;
      return readParts({ main: named(main), alt: named(alt), comments: named(comments) }, add);
    },
  };
}

/**
 * Downloads all three files at once. The publisher may replace them between two downloads. The next run then
 * downloads files that belong together.
 */
async function findFiles(names: string[], options: FindOptions): Promise<FoundFiles> {
  const files = await Promise.all(
    names.map((name) =>
      downloadFile({ url: `${options.address}/${name}`, name, accept: 'text/csv' }, options),
    ),
  );
  // The files contain no date, so the day of the download is the version.
  return { version: dayInBrasilia(options.clock.now()), files };
}

function fileNamed(name: string, files: readonly ListFile[]): ListFile {
  return onlyFile(
    files.filter((file) => file.name.toLowerCase() === name),
    name,
  );
}

/**
 * Parses persons and companies. A ship or an aircraft is kept only if it has a Brazilian CNPJ or a digital
 * currency address. It is searched only by these. The main file and the file of aliases must have the end
 * mark. The file of comments sometimes lacks it. The list is refused if the file of comments lacks the rest
 * of remarks that were cut.
 */
function readParts({ main, alt, comments }: OfacParts<ListFile>, add: AddEntry): number {
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
    const [id = '', name = '', type = '', programmes = '', ...rest] = row;
    const remarks = rest.at(-1) ?? '';
    const isCut = remarks.length >= MAX_REMARKS && !remarks.endsWith('.');
    if (isCut && !overflow.has(id)) throw new ListDamaged(comments.name, 'remarks do not go on in it');
    const facts = remarkFacts(`${remarks}${overflow.get(id) ?? ''}`);
    const names = [name, ...(aliases.get(id) ?? [])];
    const entry = ofacEntryOf({ id: detached(id), names, type: type.trim().toLowerCase() }, facts);
    const isNamed = id !== '' && name !== '';
    if (isNamed && isFindable(entry)) add({ ...entry, programmes: programmesIn(programmes) });
    return isNamed;
  });
  return skippedAliases + skippedComments + skipped;
}

/** OFAC separates several sanctions programmes by `] [`, as in `SDGT] [IRGC`. */
const programmesIn = (text: string): string[] =>
  text.split('] [').flatMap((programme) => (programme.trim() ? [detached(programme.trim())] : []));

const isFindable = ({ names, companyNames = [], documents, wallets = [] }: ParsedEntry) =>
  [names, companyNames, documents, wallets].some(({ length }) => length > 0);

type Listed = { id: string; names: string[]; type: string };

/** Makes an entry. OFAC leaves the type empty for a company. */
function ofacEntryOf({ id, names: strong, type }: Listed, facts: string[]): ParsedEntry {
  const wallets = ofacWallets(facts);
  const found = wallets.length ? { wallets } : {};
  if (type === 'individual') return { id, ...ofacPerson(strong, facts), ...found };
  const companyNames = type === '' ? { companyNames: ofacNames(strong, facts) } : {};
  return { id, names: [], births: [], documents: cnpjsOf(facts), ...companyNames, ...found };
}

function ofacPerson(strong: string[], facts: string[]): Pick<ParsedEntry, 'names' | 'births' | 'documents'> {
  const births = matchesOf(facts, /^(?:alt\. )?DOB (.+)$/).flatMap((text) => ofacBirthOf(text) ?? []);
  return { names: ofacNames(strong, facts), births, documents: cpfsOf(facts) };
}

function ofacNames(strong: string[], facts: string[]): ListedName[] {
  const weak = matchesOf(facts, /^[afn]\.k\.a\. '(.+)'$/);
  return [...strong.map((text) => listedName(text, false)), ...weak.map((text) => listedName(text, true))];
}

/**
 * The digital currency addresses in the remarks. The coin that is named before an address is ignored, because
 * an address is the same on every EVM chain.
 */
function ofacWallets(facts: string[]): string[] {
  const found = matchesOf(facts, /^(?:alt\. )?Digital Currency Address - .*\b(0x[0-9a-f]{40})\b/i);
  return [...new Set(found.map((text) => detached(text.toLowerCase())))];
}

function cnpjsOf(facts: string[]): string[] {
  return matchesOf(facts, /^(?:alt\. )?Tax ID No\. ([\w./-]+) \(Brazil\)$/)
    .map((text) => detached(text.replaceAll(/[^0-9A-Z]/g, '')))
    .filter((text) => text.length === 14);
}

/**
 * Finds CPFs. OFAC lists some as a plain "Identification Number". A number is a CPF if its check digits are
 * right.
 */
function cpfsOf(facts: string[]): string[] {
  const numbers = matchesOf(facts, /^(?:alt\. )?(?:Tax ID No\.|Identification Number) ([\d.-]+) \(Brazil\)$/);
  return numbers.flatMap((text) => cpfDigits(text) ?? []);
}

function remarkFacts(remarks: string): string[] {
  return remarks
    .replace(/\.\s*$/, '')
    .split(';')
    .map((fact) => fact.trim());
}

function matchesOf(facts: string[], pattern: RegExp): string[] {
  return facts.flatMap((fact) => pattern.exec(fact)?.[1] ?? []);
}

/** Parses `08 Sep 1966`, `Sep 1966`, `1966`, `circa 1966`, and ranges of these. */
export function ofacBirthOf(text: string): Birth | undefined {
  const plain = text.replace(/^circa /i, '');
  const [first = '', last = first] = plain.split(/ to |-(?=\d{4}$)/);
  const birth = birthSpan(pointOf(first), pointOf(last));
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
    : birthDayOf(`${prefix}-${day.padStart(2, '0')}`);
}
