import { createHash } from 'node:crypto';
import type { Entry, ListedName } from '../lists/entry.ts';

/** The version is this many bytes of the digest, enough that two entries of one list do not share them by chance. */
export const VERSION_BYTES = 8;

/**
 * Sixteen hexadecimal digits that identify the entry's data. They change if the data change. The order and the
 * repetition of aliases, dates and numbers make no difference.
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
    // Added only if the entry has company names. The version of an entry without them is therefore the same
    // as before companies were read.
    ...(companyNames.length > 0 ? [namesIn(companyNames)] : []),
  ];
  const digest = createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
  return digest.slice(0, 2 * VERSION_BYTES);
}

const namesIn = (names: ListedName[]) => sorted(names.map(({ text, isWeak }) => [text, isWeak]));
const sorted = (items: unknown[]) => [...new Set(items.map((item) => JSON.stringify(item)))].sort();
