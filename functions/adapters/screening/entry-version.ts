import { createHash } from 'node:crypto';
import type { Entry, ListedName } from '../lists/entry.ts';

/** Of the digest, so many bytes are the version: of the entries of one list no two share it by chance. */
export const VERSION_BYTES = 8;

/**
 * Sixteen hexadecimal digits of all that the list says of the entry: others, once any of it changes. The order in
 * which a publisher gives aliases, dates or numbers says nothing, nor does giving one of them twice.
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
    // Only where there are any, so that a person's stays what it was before there were companies.
    ...(companyNames.length > 0 ? [namesIn(companyNames)] : []),
  ];
  const digest = createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
  return digest.slice(0, 2 * VERSION_BYTES);
}

const namesIn = (names: ListedName[]) => sorted(names.map(({ text, isWeak }) => [text, isWeak]));
const sorted = (items: unknown[]) => [...new Set(items.map((item) => JSON.stringify(item)))].sort();
