import { type Birth, circa, dayOf, yearsOf } from './birth.ts';
import { detached, type Entry, type ListedName, listedName } from './entry.ts';
import { type ListFile, requireFewRows, requireMostlyRead } from './list-file.ts';
import { childrenOf, type Element, forEachElement, textsOf } from './xml.ts';

const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];
/** A day may carry one, as XML Schema has it. */
const TIME_ZONE = /(?:T[\d:.]*)?(?:Z|[+-]\d{2}:\d{2})?$/;

/**
 * The persons of the Security Council's consolidated list, and its entities as companies. Answers how many could not be read: they lack a reference number, the key across versions, or a name.
 */
export function unEntries(file: ListFile, add: (entry: Entry) => void): number {
  const tally = { rows: 0, skipped: 0 };
  forEachElement(file, ['INDIVIDUAL', 'ENTITY'], (element) => {
    const entry = element.name === 'ENTITY' ? companyOf(element) : personOf(element);
    tally.rows++;
    if (entry) add(entry);
    else tally.skipped++;
    requireFewRows(file.name, tally.rows);
  });
  requireMostlyRead(file.name, tally);
  return tally.skipped;
}

function companyOf(element: Element): Entry | undefined {
  const { id, names: companyNames } = namesOf(element, 'ENTITY_ALIAS');
  if (!id || !companyNames.length) return undefined;
  return { list: 'UN_SC', id, names: [], companyNames, births: [], documents: [] };
}

function personOf(element: Element): Entry | undefined {
  const { id, names } = namesOf(element, 'INDIVIDUAL_ALIAS');
  if (!id || !names.length) return undefined;
  const births = childrenOf(element, 'INDIVIDUAL_DATE_OF_BIRTH').flatMap((birth) => birthOf(birth) ?? []);
  return { list: 'UN_SC', id, names, births, documents: [] };
}

function namesOf(element: Element, alias: string): { id: string; names: ListedName[] } {
  const [id = ''] = textsOf(element, 'REFERENCE_NUMBER');
  // "na" stands for "not available" where the name has no such part.
  const parts = NAME_PARTS.flatMap((part) => textsOf(element, part)).filter((part) => part !== 'na');
  const primary = parts.length ? [listedName(parts.join(' '), false)] : [];
  return { id: detached(id), names: [...primary, ...childrenOf(element, alias).flatMap(aliasesOf)] };
}

/** One element may hold several aliases, parted by semicolons or by "b)". Those of low quality are weak. */
function aliasesOf(element: Element): ListedName[] {
  const isWeak = textsOf(element, 'QUALITY')[0] === 'Low';
  return textsOf(element, 'ALIAS_NAME')
    .flatMap((text) => text.split(/;|(?:^|\s)[a-z]\)\s/))
    .map((text) => text.trim())
    .filter((text) => text !== '' && text !== 'na')
    .map((text) => listedName(text, isWeak));
}

function birthOf(element: Element): Birth | undefined {
  const read = (name: string) => textsOf(element, name)[0] ?? '';
  const year = read('YEAR');
  const birth =
    dayOf(read('DATE').replace(TIME_ZONE, '')) ?? yearsOf(read('FROM_YEAR') || year, read('TO_YEAR') || year);
  return birth && read('TYPE_OF_DATE') === 'APPROXIMATELY' ? circa(birth) : birth;
}
