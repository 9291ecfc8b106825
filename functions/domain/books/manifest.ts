/** The manifests of the archive: one for each day, each with the digest of the former one. */
import { DAY_MS, dayInBrasilia, endOfDayInBrasilia, HOUR_MS } from '../time.ts';
import type { ArchivedObject, ArchiveProgress, ManifestLink } from './archive-ports.ts';

/** The list of what was archived on a day. `former` is absent in the first manifest alone. */
export type Manifest = { day: string; former?: ManifestLink; objects: Listed[] };

type Listed = Pick<ArchivedObject, 'key' | 'versionId' | 'sha256' | 'bytes'>;

export const manifestKey = (day: string): string => `days/${day}.json`;

/**
 * The manifest as a text, with one object a line, in the order of their keys. The same objects always give the same
 * text, so that a repeated run writes the same digest.
 */
export function manifestText(
  { day, manifest: former }: Pick<ArchiveProgress, 'day' | 'manifest'>,
  objects: readonly ArchivedObject[],
): string {
  const lines = [...objects]
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ key, versionId, sha256, bytes }) => JSON.stringify({ key, versionId, sha256, bytes }));
  return [
    `{"day":"${dayAfter(day)}",`,
    ...(former ? [`"former":${JSON.stringify(former)},`] : []),
    '"objects":[',
    lines.join(',\n'),
    ']}\n',
  ].join('\n');
}

export const parseManifest = (text: string): Manifest => JSON.parse(text) as Manifest;

const MIDDAY_MS = DAY_MS / 2;

export const dayAfter = (day: string): string => dayInBrasilia(endOfDayInBrasilia(day) + MIDDAY_MS);
export const dayBefore = (day: string): string => dayInBrasilia(endOfDayInBrasilia(day) - DAY_MS - MIDDAY_MS);

/**
 * A day is closed only when this time has passed since its end, and its evidence is archived. By then no
 * function call of that day still runs. The index then shows every object that was registered on that day.
 */
const CLOSES_AFTER_MS = 2 * HOUR_MS;

export function isClosable(
  day: string,
  { evidenceUpTo }: Pick<ArchiveProgress, 'evidenceUpTo'>,
  now: number,
): boolean {
  const end = endOfDayInBrasilia(day);
  return now >= end + CLOSES_AFTER_MS && evidenceUpTo >= end;
}

/** A day that is not closed this time after its end is overdue. The service has had four hours to close it. */
const OVERDUE_AFTER_MS = CLOSES_AFTER_MS + 4 * HOUR_MS;

/** The instant by which the day's manifest must exist. */
export const closesBy = (day: string): number => endOfDayInBrasilia(day) + OVERDUE_AFTER_MS;

/** The last day that must be closed by now. */
export const lastDueDay = (now: number): string => dayBefore(dayInBrasilia(now - OVERDUE_AFTER_MS));
