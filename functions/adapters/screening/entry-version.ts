import { createHash } from 'node:crypto';
import type { ListEntry, ListedName } from '../lists/entry.ts';

/**
 * The length of a version in bytes of the digest. With eight bytes, two versions of one list are not equal by
 * chance.
 */
export const VERSION_BYTES = 8;

/**
 * The version of an entry: sixteen hexadecimal digits that change if the entry's data change. Order and
 * repetition of names, dates and documents make no difference.
 */
export function entryVersionOf(entry: ListEntry): string {
  const { list, id, names, companyNames = [], births, documents } = entry;
  const { maskedCpf = '', until = '', wallets = [] } = entry;
  const canonical = [
    list,
    id,
    namesIn(names),
    sortedItems(births.map(({ from, to }) => [from, to])),
    sortedItems(documents),
    maskedCpf,
    until,
    sortedItems(wallets),
    // Company names are added only if the entry has some. The version of all other entries is therefore the
    // same as before companies were read.
    ...(companyNames.length > 0 ? [namesIn(companyNames)] : []),
  ];
  const digest = createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
  return digest.slice(0, 2 * VERSION_BYTES);
}

const namesIn = (names: ListedName[]) => sortedItems(names.map(({ text, isWeak }) => [text, isWeak]));
const sortedItems = (items: unknown[]) => [...new Set(items.map((item) => JSON.stringify(item)))].sort();
