import type { ListId } from '../../domain/screening/lists.ts';
import type { ListEntry, ListedName } from './entry.ts';
import { ListDamaged } from './list-file.ts';
import type { ParsedEntry } from './list-format.ts';

/**
 * The most names, documents or other values of one entry. No real entry has nearly as many. An entry with
 * more means that the file has lost its ids, and that rows of different persons were merged.
 */
const MAX_VALUES = 1000;

/** Collects the entries of a list and merges those with the same id: docs/compliance.md, "The lists". */
export function entriesById(list: ListId) {
  const entries = new Map<string, ListEntry>();
  return {
    entries,
    add(parsed: ParsedEntry): void {
      const entry = { list, ...parsed };
      const known = entries.get(entry.id);
      const next = known ? mergedEntry(known, entry) : entry;
      if (entrySize(next) > MAX_VALUES) throw new ListDamaged(list, 'an id stands for too many rows');
      entries.set(entry.id, next);
    },
  };
}

function mergedEntry(one: ListEntry, other: ListEntry): ListEntry {
  const wallets = union(one.wallets ?? [], other.wallets ?? [], (wallet) => wallet);
  const programmes = union(one.programmes ?? [], other.programmes ?? [], (programme) => programme);
  const companyNames = union(one.companyNames ?? [], other.companyNames ?? [], keyOfName);
  return {
    ...one,
    names: union(one.names, other.names, keyOfName),
    births: union(one.births, other.births, ({ from, to }) => `${from} ${to}`),
    documents: union(one.documents, other.documents, (document) => document),
    until: one.until && other.until && [one.until, other.until].sort()[1],
    ...(wallets.length && { wallets }),
    ...(companyNames.length && { companyNames }),
    ...(programmes.length && { programmes }),
  };
}

const keyOfName = ({ text, isWeak }: ListedName) => `${isWeak} ${text}`;

function union<T>(some: T[], others: T[], keyOf: (value: T) => string): T[] {
  const keys = new Set(some.map(keyOf));
  const fresh = others.filter((value) => !keys.has(keyOf(value)));
  return fresh.length ? [...some, ...fresh] : some;
}

function entrySize({ names, companyNames = [], births, documents, wallets = [] }: ListEntry): number {
  return Math.max(...[names, companyNames, births, documents, wallets].map(({ length }) => length));
}
