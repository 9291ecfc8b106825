/** Shows the data of a listed person or company, from the list's files as published. */
import type { Birth } from '../functions/adapters/lists/birth.ts';
import type { ListEntry } from '../functions/adapters/lists/entry.ts';
import type { ReadList } from '../functions/domain/screening/list-refresh.ts';
import type { ListId } from '../functions/domain/screening/lists.ts';
import type { Candidate } from '../functions/domain/screening/screening.ts';
import type { Desk } from './desk.ts';

/** The edition in force: its version, and whether its lists have the entry of a candidate. */
export type EntriesInForce = { version: string; isListed(candidate: Candidate): boolean };

/** Reads these lists of the edition in force. Undefined if no list was published yet. */
export async function findEntriesInForce(
  wanted: readonly ListId[],
  { listArchive }: Pick<Desk, 'listArchive'>,
): Promise<EntriesInForce | undefined> {
  const current = await listArchive.findCurrent();
  if (!current) return undefined;
  const read = new Map<ListId, ReadList['entries']>();
  for (const state of current.lists.filter(({ list }) => wanted.includes(list)))
    read.set(state.list, (await listArchive.read(await listArchive.findFiles(state))).entries);
  const isListed = ({ list, entryId }: Candidate) => read.get(list)?.has(entryId) ?? true;
  return { version: current.version, isListed };
}

/** Finds the entry of the candidate. Undefined if the list in force no longer has it. */
async function findEntry(
  { list, entryId }: Candidate,
  { listArchive }: Pick<Desk, 'listArchive'>,
): Promise<ListEntry | undefined> {
  const state = (await listArchive.findCurrent())?.lists.find((each) => each.list === list);
  if (!state) return undefined;
  const { content } = await listArchive.read(await listArchive.findFiles(state));
  return content.find(({ id }) => id === entryId);
}

/** The rows with the entry's names, birth dates and documents. A reviewer compares them with the client's data. */
export async function entryRows(candidate: Candidate, desk: Pick<Desk, 'listArchive'>): Promise<string[][]> {
  try {
    const entry = await findEntry(candidate, desk);
    return entry ? entrySheetRows(entry) : [['listed now', 'no: the entry has left the list']];
  } catch {
    return [['listed now', 'not known: the files of the list cannot be read']];
  }
}

/** The most names that are shown, because some entries have dozens of spellings. */
const MOST_NAMES = 30;

function entrySheetRows({
  names,
  companyNames = [],
  births,
  documents,
  programmes = [],
  until,
}: ListEntry): string[][] {
  const all = [...names, ...companyNames];
  const left = all.length - MOST_NAMES;
  return [
    ...all
      .slice(0, MOST_NAMES)
      .map(({ text, isWeak }) => ['listed as', isWeak ? `${text} (weak alias)` : text]),
    ...(left > 0 ? [['listed as', `and ${left} more names`]] : []),
    ...(births.length > 0
      ? births.map((birth) => ['listed birth', birthWords(birth)])
      : [['listed birth', 'none']]),
    ...documents.map((document) => ['listed document', document]),
    ...programmes.map((programme) => ['programme', programme]),
    ...(until === undefined ? [] : [['listed until', until]]),
  ];
}

const birthWords = ({ from, to }: Birth) => (from === to ? from : `${from} to ${to}`);
