import { isStale } from '../functions/domain/screening/list-refresh.ts';
import { LISTS } from '../functions/domain/screening/lists.ts';
import { type Command, type Given, wordsOf } from './command.ts';
import type { Desk } from './desk.ts';
import type { Table } from './shown.ts';
import { instant } from './words.ts';

export const listCommands: Command[] = [
  {
    name: 'lists show',
    takes: '',
    about: 'each list that is searched: its version, age and last change',
    run: show,
  },
];

async function show(given: Given, { listArchive, clock }: Desk): Promise<Table> {
  wordsOf(given);
  const head = ['list', 'title', 'version', 'entries', 'last seen', 'state', 'last change'];
  const current = await listArchive.findCurrent();
  if (!current) return { head, rows: [], empty: 'No list was published yet: nobody can be screened.' };
  const changes = new Map(current.changes.map((change) => [change.list, change]));
  const rows = current.lists.map((each) => {
    const { added = 0, removed = 0, changed = 0 } = changes.get(each.list) ?? {};
    const state = isStale(each, clock.now()) ? 'OLD' : 'OK';
    const last = `${added} added, ${removed} removed, ${changed} changed`;
    const { list, version, entries, fetchedAt } = each;
    return [list, LISTS[list].title, version, entries, new Date(fetchedAt), state, last];
  });
  return {
    head,
    rows,
    empty: '',
    more: [`The edition in force is of ${instant(Date.parse(current.version))}.`],
  };
}
