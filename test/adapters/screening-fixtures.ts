// Everyone here is invented.
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { buildIndex } from '../../functions/adapters/screening/build-index.ts';
import { openIndex } from '../../functions/adapters/screening/searcher.ts';
import type { Identity } from '../../functions/domain/screening/screening.ts';

export const TODAY = '2026-11-20';
export const META = {
  version: '2026-11-20',
  builtAt: '2026-11-20T12:00:00.000Z',
  lists: [{ list: 'OFAC_SDN' as const, version: '2026-11-20', sha256: 'a'.repeat(64), entries: 3 }],
};

export function entry(
  changes: Partial<ListEntry> & { name?: string; weak?: string; born?: string } = {},
): ListEntry {
  const { name, weak, born, ...rest } = changes;
  const names = [
    ...(name === undefined ? [] : [{ text: name, isWeak: false }]),
    ...(weak === undefined ? [] : [{ text: weak, isWeak: true }]),
  ];
  const births = born === undefined ? [] : [{ from: born, to: born }];
  return { list: 'OFAC_SDN', id: '1', names, births, documents: [], ...rest };
}

export const searcherOf = (entries: ListEntry[]) => openIndex(buildIndex(entries, META));

/** The candidates on a list of these entries. */
export function found(entries: ListEntry[], identity: Partial<Identity>, today = TODAY) {
  return searcherOf(entries).search({ cpf: '52998224725', name: '', birthDate: '', ...identity }, today);
}

export const scoreOf = (name: string, query: string, born = '', birthDate = '') =>
  found([entry({ name, born: born || undefined })], { name: query, birthDate })[0]?.score ?? 0;
