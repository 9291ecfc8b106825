import { isListStale, type LastChange } from '../functions/domain/screening/list-refresh.ts';
import { LISTS } from '../functions/domain/screening/lists.ts';
import { type Command, type Given, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import type { Cell, Table } from './shown.ts';
import { instant, spanWords } from './words.ts';

export const listCommands: Command[] = [
  {
    name: 'lists show',
    takes: '',
    about: 'each list that is searched: its version, age and last change',
    run: showListAges,
  },
];

/**
 * Shows for each list how long its publisher has not served it, and when its entries last changed, in whatever edition
 * that was.
 */
async function showListAges(given: Given, { listArchive, clock }: Desk): Promise<Table> {
  requireWords(given);
  const head = ['list', 'title', 'version', 'entries', 'last seen', 'age', 'state', 'last change', 'change'];
  const current = await listArchive.findCurrent();
  if (!current) return { head, rows: [], empty: 'No list was published yet: nobody can be screened.' };
  const now = clock.now();
  const rows = current.lists.map((each): Cell[] => {
    const { list, version, entries, fetchedAt, lastChange } = each;
    const state = isListStale(each, now) ? 'OLD' : 'OK';
    const seen = [new Date(fetchedAt), spanWords(now - Date.parse(fetchedAt)), state];
    return [list, LISTS[list].title, version, entries, ...seen, ...changeCells(lastChange)];
  });
  return {
    head,
    rows,
    empty: '',
    more: [`The edition in force is of ${instant(Date.parse(current.version))}.`],
  };
}

function changeCells(last: LastChange | undefined): Cell[] {
  if (!last) return [undefined, 'none since the lists of the deployment'];
  return [new Date(last.at), `${last.added} added, ${last.removed} removed, ${last.changed} changed`];
}
