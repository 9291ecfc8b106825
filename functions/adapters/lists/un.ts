import { type Birth, circa, dayOf, yearsOf } from './birth.ts';
import type { Entry, ListedName } from './entry.ts';
import { childrenOf, type Element, forEachElement, textsOf } from './xml.ts';

const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

/** The persons of the Security Council's consolidated list. Its entities have nothing that a client has. */
export function unEntries(xml: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  forEachElement(xml, 'INDIVIDUAL', (element) => entries.push(entryOf(element)));
  return entries;
}

function entryOf(element: Element): Entry {
  const id = textsOf(element, 'REFERENCE_NUMBER')[0];
  if (!id) throw new Error('an individual has no REFERENCE_NUMBER');
  // "na" stands for "not available" where the name has no such part.
  const parts = NAME_PARTS.flatMap((part) => textsOf(element, part)).filter((part) => part !== 'na');
  const primary: ListedName = { text: parts.join(' '), isWeak: false };
  return {
    list: 'UN_SC',
    id,
    names: [primary, ...childrenOf(element, 'INDIVIDUAL_ALIAS').flatMap(aliasesOf)],
    births: childrenOf(element, 'INDIVIDUAL_DATE_OF_BIRTH').flatMap((birth) => birthOf(birth) ?? []),
    documents: [],
  };
}

/** One element may hold several aliases, parted by semicolons or by "b)". Those of low quality are weak. */
function aliasesOf(element: Element): ListedName[] {
  const isWeak = textsOf(element, 'QUALITY')[0] === 'Low';
  return textsOf(element, 'ALIAS_NAME')
    .flatMap((text) => text.split(/;|\s[a-z]\)\s/))
    .map((text) => ({ text: text.trim(), isWeak }))
    .filter(({ text }) => text !== '');
}

function birthOf(element: Element): Birth | undefined {
  const read = (name: string) => textsOf(element, name)[0] ?? '';
  const year = read('YEAR');
  const birth = dayOf(read('DATE')) ?? yearsOf(read('FROM_YEAR') || year, read('TO_YEAR') || year);
  return birth && read('TYPE_OF_DATE') === 'APPROXIMATELY' ? circa(birth) : birth;
}
