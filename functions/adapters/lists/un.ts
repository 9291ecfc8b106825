import { ListRefused } from '../../domain/screening/list-refresh.ts';
import { DAY_MS } from '../../domain/time.ts';
import { type Birth, birthDayOf, circa, yearsOf } from './birth.ts';
import { detached, type ListedName, listedName } from './entry.ts';
import { type ListFile, requireFewRows, requireMostlyRead } from './list-file.ts';
import {
  type AddEntry,
  downloadFile,
  type FindOptions,
  type FoundFiles,
  type ListFormat,
  onlyFile,
  type ParsedEntry,
} from './list-format.ts';
import { childrenOf, type Element, forEachElement, textsOf } from './xml.ts';

const FILE = 'consolidated.xml';
const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];
/** XML Schema allows a time zone after a day. */
const TIME_ZONE = /(?:T[\d:.]*)?(?:Z|[+-]\d{2}:\d{2})?$/;

/** The consolidated list of the UN Security Council. */
export const unList: ListFormat = {
  find: findConsolidated,
  read: (files, add) => readConsolidated(onlyFile(files, FILE), add),
};

async function findConsolidated(options: FindOptions): Promise<FoundFiles> {
  const url = `${options.address}/resources/xml/en/${FILE}`;
  const file = await downloadFile({ url, name: FILE, accept: 'text/xml' }, options);
  const head = Buffer.from(file.bytes.subarray(0, 4096)).toString('latin1');
  const generated = /<CONSOLIDATED_LIST[^>]*\bdateGenerated="([\d:.TZ+-]{10,40})"/.exec(head)?.[1];
  const at = Date.parse(generated ?? '');
  if (!generated || Number.isNaN(at)) throw new ListRefused(`${FILE} does not say when it was generated`);
  // Refuses a date more than a day in the future. The correct versions after it would otherwise be refused as
  // older.
  if (at > options.clock.now() + DAY_MS) throw new ListRefused(`${FILE} is of a day to come`);
  return { version: generated, files: [file] };
}

/**
 * Parses the list. Individuals are persons, and entities are companies. An element without a reference number or a name
 * counts as unreadable.
 */
function readConsolidated(file: ListFile, add: AddEntry): number {
  const tally = { rows: 0, skipped: 0 };
  forEachElement(file, ['INDIVIDUAL', 'ENTITY'], (element) => {
    const entry = element.name === 'ENTITY' ? unCompanyOf(element) : unPersonOf(element);
    tally.rows++;
    if (entry) add(entry);
    else tally.skipped++;
    requireFewRows(file.name, tally.rows);
  });
  requireMostlyRead(file.name, tally);
  return tally.skipped;
}

function unCompanyOf(element: Element): ParsedEntry | undefined {
  const { id, names: companyNames } = unNames(element, 'ENTITY_ALIAS');
  if (!id || !companyNames.length) return undefined;
  return { id, names: [], companyNames, births: [], documents: [], programmes: programmesOf(element) };
}

function unPersonOf(element: Element): ParsedEntry | undefined {
  const { id, names } = unNames(element, 'INDIVIDUAL_ALIAS');
  if (!id || !names.length) return undefined;
  const births = childrenOf(element, 'INDIVIDUAL_DATE_OF_BIRTH').flatMap((birth) => unBirthOf(birth) ?? []);
  return { id, names, births, documents: [], programmes: programmesOf(element) };
}

/** The regime of sanctions, such as `Al-Qaida`. */
const programmesOf = (element: Element): string[] => textsOf(element, 'UN_LIST_TYPE').map(detached);

function unNames(element: Element, alias: string): { id: string; names: ListedName[] } {
  const [id = ''] = textsOf(element, 'REFERENCE_NUMBER');
  // "na" means "not available": the name has no such part.
  const parts = NAME_PARTS.flatMap((part) => textsOf(element, part)).filter((part) => part !== 'na');
  const primary = parts.length ? [listedName(parts.join(' '), false)] : [];
  return { id: detached(id), names: [...primary, ...childrenOf(element, alias).flatMap(aliasesOf)] };
}

/**
 * The aliases of an element. One element may have several aliases, separated by semicolons or by "a)", "b)".
 * The UN marks an alias as weak with the quality "Low".
 */
function aliasesOf(element: Element): ListedName[] {
  const isWeak = textsOf(element, 'QUALITY')[0] === 'Low';
  return textsOf(element, 'ALIAS_NAME')
    .flatMap((text) => text.split(/;|(?:^|\s)[a-z]\)\s/))
    .map((text) => text.trim())
    .filter((text) => text !== '' && text !== 'na')
    .map((text) => listedName(text, isWeak));
}

function unBirthOf(element: Element): Birth | undefined {
  const read = (name: string) => textsOf(element, name)[0] ?? '';
  const year = read('YEAR');
  const birth =
    birthDayOf(read('DATE').replace(TIME_ZONE, '')) ??
    yearsOf(read('FROM_YEAR') || year, read('TO_YEAR') || year);
  return birth && read('TYPE_OF_DATE') === 'APPROXIMATELY' ? circa(birth) : birth;
}
