/** Compares the objects of the archive with what manifests and tables say of them. */
import type { ArchivedObject } from '../functions/domain/books/archive-ports.ts';
import {
  SLICED,
  type Sliced,
  sliceKey,
  sliceLine,
  sliceOf,
} from '../functions/domain/books/evidence-slice.ts';
import type { Manifest } from '../functions/domain/books/manifest.ts';
import { executionKeys, executionNames } from '../functions/domain/purchase/execution.ts';
import { TERMINAL } from '../functions/domain/purchase/status.ts';
import { reachedAt, type Transaction } from '../functions/domain/purchase/transaction.ts';
import { dayInBrasilia, type Period } from '../functions/domain/time.ts';
import type { Desk } from './desk.ts';
import { type Fault, hashDifference, OBJECT_MISSING } from './history-chain.ts';
import type { DossierRow } from './stores/dossier.ts';

type Sources = Pick<Desk, 'archiveReader' | 'archiveRegister' | 'dossier'>;
type Listed = Manifest['objects'][number];

const AT_ONCE = 20;

/**
 * The faults of the objects that the manifest lists, and of those that the table `archive` lists for the
 * manifest's day.
 */
export async function faultsOfDay({ day, objects }: Manifest, desk: Sources): Promise<Fault[]> {
  const registered = await desk.archiveRegister.listDay(day);
  const listed = new Map(objects.map((each) => [each.key, each]));
  const unlisted = registered
    .filter((each) => !isSameObject(listed.get(each.key), each))
    .map(({ key }) => ({
      day,
      object: key,
      differs: 'the manifest of the day does not list it as registered',
    }));
  return [...unlisted, ...(await inChunks(objects, (each) => faultsOfObject(day, each, desk)))];
}

const isSameObject = (listed: Listed | undefined, { versionId, sha256 }: ArchivedObject) =>
  listed?.versionId === versionId && listed.sha256 === sha256;

/** The fault of an object, such as a manifest, of which the named version must be there, locked and the newest. */
export async function faultsOfObject(
  day: string,
  { key: object, versionId, sha256 }: Omit<Listed, 'bytes'>,
  { archiveReader }: Pick<Desk, 'archiveReader'>,
): Promise<Fault[]> {
  const fault = (differs: string): Fault[] => [{ day, object, differs }];
  const newest = await archiveReader.findStored(object);
  const own = newest?.versionId === versionId ? newest : await archiveReader.findStored(object, versionId);
  if (!own) return fault(OBJECT_MISSING);
  const change = hashDifference(own.sha256, sha256);
  if (change) return fault(change);
  if (!newest) return fault(`it was deleted; its locked version ${versionId} is still there`);
  // A run that was repeated after a crash uploads an equal version. That is no fault.
  if (newest.sha256 !== sha256)
    return fault(`a newer version hides it; its locked version ${versionId} is still there`);
  return own.isLocked ? [] : fault('it has no lock');
}

/**
 * The faults of purchases that ended in these days: the table `transactions` has the purchase, but the
 * archive lacks a history of its execution.
 */
export async function faultsOfPurchases(
  { from, to }: { from: string; to: string },
  desk: Sources,
): Promise<Fault[]> {
  const isWanted = (row: DossierRow) =>
    isPurchaseOver(row) && isBetween(dayOfEnd(row as Ended), { from, to });
  const rows = (await desk.dossier.listWhere('transactions', isWanted)) as unknown as Ended[];
  return inChunks(rows, (purchase) => faultsOfPurchase(purchase, desk));
}

type Ended = Transaction & { archiveAt?: number };

/**
 * True for a purchase that has ended for good. Rows of partners' references have no status. A purchase whose
 * refund is open has a next visit (`nextCheckAt`).
 */
const isPurchaseOver = ({ status, nextCheckAt }: DossierRow) =>
  TERMINAL.includes(status as Transaction['status']) && nextCheckAt === undefined;
const dayOfEnd = (purchase: Transaction) => dayInBrasilia(reachedAt(purchase));
const isBetween = (day: string, { from, to }: { from: string; to: string }) => from <= day && day <= to;

async function faultsOfPurchase(purchase: Ended, { archiveRegister }: Sources): Promise<Fault[]> {
  const keys = executionNames(purchase).flatMap((name) => Object.values(executionKeys(name, purchase)));
  const found = await Promise.all(keys.map((key) => archiveRegister.findObject(key)));
  const waits = purchase.archiveAt === undefined ? '' : '; it waits for its archiving';
  const differs = `the history of the purchase ${purchase.id} was never archived${waits}`;
  const missing = keys.filter((_, at) => !found[at]);
  return missing.map((object) => ({ day: dayOfEnd(purchase), object, differs }));
}

/**
 * The decisions and the acts of these days in the tables that the archive lacks, or has with another
 * content.
 */
export async function faultsOfSlices(period: Period, desk: Sources): Promise<Fault[]> {
  const found = await Promise.all(SLICED.map((table) => faultsOfTable(table, period, desk)));
  return found.flat();
}

const NAMES: Record<Sliced, string> = { evidence: 'decision', acts: 'event of an act' };

async function faultsOfTable(
  table: Sliced,
  { from, to }: Period,
  { dossier, archiveReader, archiveRegister }: Sources,
): Promise<Fault[]> {
  const rows = await dossier.listWhere(table, ({ at }) => from <= Number(at) && Number(at) < to);
  const slices = [...Map.groupBy(rows, ({ at }) => sliceKey(table, sliceOf(Number(at))))];
  return inChunks(slices, async ([object, own]) => {
    const registered = await archiveRegister.findObject(object);
    const stored = registered && (await archiveReader.findStored(object, registered.versionId));
    const lines = new Set(stored?.text.split('\n'));
    const lost = own.filter((row) => !lines.has(sliceLine(row)));
    const day = object.split('/')[1] ?? '';
    return lost.map(({ id }) => ({
      day,
      object,
      differs: `it does not have the ${NAMES[table]} ${String(id)} as the table`,
    }));
  });
}

async function inChunks<Item>(
  items: readonly Item[],
  look: (item: Item) => Promise<Fault[]>,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    faults.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(look))).flat());
  return faults;
}
