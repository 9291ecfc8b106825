/**
 * Compares the chain of days with what does not depend on it: the calendar, and the versions that the bucket lists.
 * An intruder can cut off the end of the chain and change the table to match. The calendar and the versions stay.
 */
import { closesBy, dayAfter, manifestKey } from '../functions/domain/books/manifest.ts';
import { dayInBrasilia, endOfDayInBrasilia } from '../functions/domain/time.ts';
import type { Desk } from './desk.ts';
import type { Fault, ManifestChain } from './history-chain.ts';
import type { ListedVersion } from './stores/archive-reader.ts';
import { instant } from './words.ts';

type Sources = Pick<Desk, 'archiveReader' | 'archiveRegister' | 'clock'>;

/** Days, both included. Without `from` there is no first one. */
export type Days = { from?: string; to: string };

const DAYS = 'days/';
/** The folders of objects, each with a folder for each day. */
const FOLDERS = ['executions/', 'evidence/', 'acts/'];

const dayOfKey = (key: string): string => /\d{4}-\d{2}-\d{2}/.exec(key)?.[0] ?? '';

/**
 * The faults of days that the chain lacks at its end or before its beginning. `last` is the last day of the chain, and
 * `due` the last one that must be closed by now. Without `last` the table knows no chain.
 */
export async function faultsOfEnds(
  { manifests, faults }: ManifestChain,
  { last, due, from = '' }: { last?: string; due: string; from?: string },
  { archiveReader }: Pick<Desk, 'archiveReader'>,
): Promise<Fault[]> {
  const [first] = manifests;
  const isWhole = faults.length === 0 && first?.former === undefined;
  const listed = (await archiveReader.listVersions(DAYS)).map(({ key }) => dayOfKey(key));
  const kept = [...new Set(listed)].filter((day) => from <= day && day <= due);
  const begins = first?.day ?? (last === undefined ? undefined : dayAfter(last));
  const early = kept.filter((day) => isWhole && (begins === undefined || day < begins));
  const late = last === undefined ? [] : daysAfter(last, due);
  return [
    ...early.map((day) => manifestFault(day, `the bucket has it, but the chain begins after it: ${CUT_OFF}`)),
    ...late.map((day) =>
      kept.includes(day)
        ? manifestFault(day, `the bucket has it, but the chain ends before it, on ${last}: ${CUT_OFF}`)
        : manifestFault(day, `it is missing, and was due at ${instant(closesBy(day))}: ${MISSING_END}`),
    ),
  ];
}

const CUT_OFF = 'days are cut off';
const MISSING_END = 'days are cut off, or ArchiveHistories stands still';
const manifestFault = (day: string, differs: string): Fault => ({ day, object: manifestKey(day), differs });

function daysAfter(last: string, due: string): string[] {
  const days: string[] = [];
  for (let day = dayAfter(last); day <= due; day = dayAfter(day)) days.push(day);
  return days;
}

/**
 * The faults of versions that the bucket has, but should not have. Neither a manifest nor the register names the
 * object, or the manifest names another content.
 */
export async function faultsOfBucket(
  { manifests, links }: Pick<ManifestChain, 'manifests' | 'links'>,
  { from = '', to }: Days,
  desk: Sources,
): Promise<Fault[]> {
  const ofManifests = links.map(({ day, sha256 }) => [manifestKey(day), sha256] as const);
  const ofObjects = manifests.flatMap(({ objects }) =>
    objects.map(({ key, sha256 }) => [key, sha256] as const),
  );
  const listed = new Map([...ofManifests, ...ofObjects]);
  const end = endOfDayInBrasilia(to);
  const faults: Fault[] = [];
  for (const folder of [DAYS, ...FOLDERS]) {
    const versions = await desk.archiveReader.listVersions(folder, `${folder}${from}`);
    for (const [key, all] of Map.groupBy(versions, (version) => version.key)) {
      const sha256 = listed.get(key);
      if (sha256 !== undefined) faults.push(...(await faultsOfOthers(all, sha256, desk)));
      else if (folder !== DAYS && dayOfKey(key) <= to && all.some(({ at }) => at < end))
        faults.push(...(await faultsOfStranger(key, desk)));
    }
  }
  return faults;
}

/** A run that was repeated after a crash uploads an equal version. Another content is a fault. */
async function faultsOfOthers(versions: ListedVersion[], sha256: string, desk: Sources): Promise<Fault[]> {
  const own = versions.filter(({ isMarker }) => !isMarker);
  if (own.length < 2) return [];
  const faults: Fault[] = [];
  for (const { key: object, versionId } of own) {
    const found = await desk.archiveReader.findStored(object, versionId);
    const differs = `its version ${versionId} has another content than the manifest says`;
    if (found && found.sha256 !== sha256) faults.push({ day: dayOfKey(object), object, differs });
  }
  return faults;
}

async function faultsOfStranger(object: string, { archiveRegister, clock }: Sources): Promise<Fault[]> {
  // A registered object is in the manifest of the day of its register. That may be a later day, up to today.
  const registered = await archiveRegister.findObject(object);
  if (registered && registered.day <= dayInBrasilia(clock.now())) return [];
  const differs = 'the bucket has it, but neither a manifest nor the table names it';
  return [{ day: dayOfKey(object), object, differs }];
}
