import type { ListId } from '../../../functions/domain/screening/lists.ts';

/**
 * A person that a test adds to a list. `id` is the person's id at the list's publisher. The birth date is ISO
 * 8601.
 */
export type Person = { id: string; name: string; birthDate: string };
/** The lists to which a test can add a person. */
export const OPEN_LISTS = ['OFAC_SDN', 'UN_SC'] as const;
type OpenList = (typeof OPEN_LISTS)[number];

/**
 * Faults of a list's publisher. `DOWN`: it does not answer. `HALVED`: it sends half of the entries. `CUT`:
 * half of the bytes. `ALTERED`: one changed byte. `PAGE`: a web page. `EMPTY`: no bytes.
 */
export const FAULTS = ['DOWN', 'HALVED', 'CUT', 'ALTERED', 'PAGE', 'EMPTY'] as const;
export type Fault = (typeof FAULTS)[number];

/** A test's changes of the simulated lists. */
export type ListEdits = {
  added(list: OpenList): Person[];
  isRemoved(list: ListId, id: string): boolean;
  faults: Partial<Record<ListId, Fault>>;
};

export const NO_EDITS: ListEdits = { added: () => [], isRemoved: () => false, faults: {} };

/**
 * The entries of a list that remain after a test's removals. With the fault `HALVED`, only the first half of
 * them.
 */
export function partOf<Entry extends { id: number | string }>(
  list: ListId,
  entries: Entry[],
  edits: ListEdits,
): Entry[] {
  const left = entries.filter(({ id }) => !edits.isRemoved(list, String(id)));
  return edits.faults[list] === 'HALVED' ? left.slice(0, Math.floor(left.length / 2)) : left;
}
