/** Legal holds on the archived objects about a person: docs/operations.md, "A client's rights". */
import type { ArchivedRow } from '../functions/adapters/dynamodb/rows.ts';
import type { DataSubject } from './data-subject.ts';
import type { Desk } from './desk.ts';
import { readSubjectRows } from './subject-rows.ts';

type Objects = ReadonlyMap<string, string>;

/** The keys of the archived objects that name the person, each with its version. */
async function objectsOf(subject: DataSubject, desk: Desk): Promise<Objects> {
  const { archive } = (await readSubjectRows(subject, desk)).rows;
  return new Map((archive as unknown as ArchivedRow[]).map(({ id, versionId }) => [id, versionId]));
}

/** Answers how many objects are held. An object that the bucket no longer has is not counted. */
export async function holdArchive(subject: DataSubject, desk: Desk): Promise<number> {
  return mark(await objectsOf(subject, desk), 'ON', desk);
}

/**
 * Answers how many objects are free. A slice stays held if it also names a held person. A hold may begin
 * meanwhile, so the holds are read once more at the end.
 */
export async function freeArchive(subject: DataSubject, desk: Desk): Promise<number> {
  const own = await objectsOf(subject, desk);
  const kept = await keysHeld(desk);
  const freed = new Map([...own].filter(([key]) => !kept.has(key)));
  const count = await mark(freed, 'OFF', desk);
  const begun = await keysHeld(desk);
  await mark(new Map([...freed].filter(([key]) => begun.has(key))), 'ON', desk);
  return count;
}

async function keysHeld(desk: Desk): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const held of await desk.litigationHolds.listHeld())
    for (const key of (await objectsOf(held, desk)).keys()) keys.add(key);
  return keys;
}

async function mark(objects: Objects, status: 'ON' | 'OFF', { archiveHolds }: Desk): Promise<number> {
  let marked = 0;
  for (const [key, versionId] of objects)
    if (await archiveHolds.mark({ key, versionId }, status)) marked += 1;
  return marked;
}
