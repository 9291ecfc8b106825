import { beforeAll, describe, expect, it } from 'vitest';
import { readList } from '../../functions/adapters/lists/read-list.ts';
import { LIST_IDS, LISTS, type ListId } from '../../functions/domain/screening/lists.ts';
import { listWorld } from '../support/list-world.ts';

type Entries = ReturnType<typeof readList>['content'];

describe('an entry of a list', () => {
  const entriesOf = new Map<ListId, Entries>();
  beforeAll(async () => {
    const { publishers } = listWorld().ports;
    for (const list of LIST_IDS) entriesOf.set(list, readList(await publishers.download(list)).content);
  });

  it.each(LIST_IDS)('of %s has the data that its list is searched by', (list) => {
    const has = {
      NAME: ({ names, companyNames = [], documents, wallets = [] }: Entries[number]) =>
        [names, companyNames, documents, wallets].some(({ length }) => length > 0),
      DOCUMENT: ({ names, documents }: Entries[number]) => names.length === 0 && documents.length > 0,
      MASKED_CPF: ({ maskedCpf }: Entries[number]) => maskedCpf !== undefined,
    }[LISTS[list].searchedBy];
    const entries = entriesOf.get(list)!;

    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter((entry) => entry.list !== list || !has(entry))).toEqual([]);
  });
});
