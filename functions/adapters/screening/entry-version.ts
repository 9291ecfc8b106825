import { createHash } from 'node:crypto';
import type { Entry, ListedName } from '../lists/entry.ts';

/** The bytes of the digest that are the version. No two entries of one list share them by chance. */
export const VERSION_BYTES = 8;

/**
 * Sixteen hexadecimal digits of all data of the entry. They change if the data change. The order of aliases, dates and
 * numbers does not matter, nor does a repetition.
 */
export function entryVersionOf(entry: Entry): string {
  const { list, id, names, companyNames = [], births, documents } = entry;
  const { maskedCpf = '', until = '', wallets = [] } = entry;
  const canonical = [
    list,
    id,
    namesIn(names),
    sorted(births.map(({ from, to }) => [from, to])),
    sorted(documents),
    maskedCpf,
    until,
    sorted(wallets),
    // Added only if there are any, so that the versions of persons stayed as they were before companies were read.
    ...(companyNames.length > 0 ? [namesIn(companyNames)] : []),
  ];
  const digest = createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
  return digest.slice(0, 2 * VERSION_BYTES);
}

const namesIn = (names: ListedName[]) => sorted(names.map(({ text, isWeak }) => [text, isWeak]));
const sorted = (items: unknown[]) => [...new Set(items.map((item) => JSON.stringify(item)))].sort();
