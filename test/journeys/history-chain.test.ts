/** The archive of a whole sandbox, as an auditor finds it. Its days pass by the clock of this test. */
import { randomBytes } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { assemble, load } from '../../functions/adapters/live/assemble.ts';
import { MAKERS } from '../../functions/adapters/live/makers.ts';
import { type Place, tableNames } from '../../functions/adapters/live/parts.ts';
import { dayAfter, manifestKey, parseManifest } from '../../functions/domain/books/manifest.ts';
import { dayInBrasilia, endOfDayInBrasilia } from '../../functions/domain/time.ts';
import { archiveHistories } from '../../functions/schedules/archive-histories.ts';
import { outputNameOf, type Setting } from '../../functions/settings.ts';
import { type Desk, openDesk } from '../../operations/desk.ts';
import { historyCommands } from '../../operations/history.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { versionsOf } from '../../sandbox/cloud/object-lock.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { BIOMETRIC_HASH, eventually, randomCpf } from '../support/sandbox.ts';
import { stubLog } from '../support/stub-log.ts';

const LONG_MS = 360_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SLICE_MS = 10 * MINUTE_MS;
const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };

let sandbox: Sandbox;
let desk: Desk;
let s3: S3Client;
let days: string[];
const start = Date.now();

beforeAll(async () => {
  sandbox = await startSandbox({ minuteSeconds: 2 });
  const { endpoint, region } = sandbox.cloud;
  desk = openDesk({ name: 'OnrampSandbox', stage: 'sandbox', ...sandbox.cloud });
  s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const client = createOnrampClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.url, timeoutMs: LONG_MS });
  await client.submitKyc({ cpf: randomCpf(), biometricHash: BIOMETRIC_HASH });
  const who = { id: 'ana', via: 'STS', principal: 'arn:ana', roles: ['operator'] } as const;
  const act = {
    act: 'A'.repeat(10),
    place: 1,
    kind: 'ORDERED',
    name: 'treasury hold',
    subject: 'all',
  } as const;
  await desk.acts.add({ ...act, who, at: Date.now() });
  const today = dayInBrasilia(start);
  days = [today, dayAfter(today), dayAfter(dayAfter(today))];
  for (const day of days) await close(day);
});
afterAll(() => sandbox?.stop());

const OTHERS = [
  ...['transactions', 'unarchived', 'executions', 'litigationHolds', 'lookup'],
  ...['evidenceLists', 'actLists', 'archiveBucket', 'archiveRegister'],
] as const;

/**
 * Runs the schedule in the night after the day, by its own code, until the day is closed. The sandbox's own schedule
 * may save its progress first.
 */
async function close(day: string): Promise<void> {
  const end = endOfDayInBrasilia(day);
  const place = placeIn(sandbox, end + 3 * HOUR_MS);
  await load(MAKERS, OTHERS);
  const ports = { ...assemble(MAKERS, place).pick(OTHERS), clock: place.clock, log: stubLog() };
  const closed = async () => {
    if (await skipTo(Math.max(start - (start % SLICE_MS), end - DAY_MS))) await archiveHistories(ports);
    return (await desk.archiveRegister.findProgress())?.day;
  };
  await eventually(closed, (found) => found === day);
}

/** Skips the time before this instant, in which there is no evidence. False: another run has saved its progress. */
async function skipTo(instant: number): Promise<boolean> {
  const was = await desk.archiveRegister.findProgress();
  if (!was || was.evidenceUpTo >= instant) return was !== undefined;
  return desk.archiveRegister.saveProgress({ ...was, evidenceUpTo: instant }, was);
}

function placeIn({ cloud: { endpoint, region, outputs } }: Sandbox, now: number): Place {
  const require = (name: Setting) => outputs[outputNameOf(name)]!;
  return {
    stage: 'sandbox',
    clock: { now: () => now, minuteMs: MINUTE_MS },
    random: { bytes: (length) => randomBytes(length) },
    settings: { find: require, require },
    tables: tableNames(require),
    awsOptions: () => ({ region, endpoint, credentials }),
    fetch,
    pixTransport: undefined,
    callLimit: { timeoutMs: LONG_MS },
    allowsLoopback: true,
  };
}

/** The words of `history verify`, whether it is content or not. */
async function verified(by: Desk = desk): Promise<string> {
  const command = historyCommands.find(({ name }) => name === 'history verify')!;
  const ran = command.run({ words: [], flags: {}, ask: async () => '' }, by) as Promise<Shown>;
  return ran.then((shown) => shownLines(shown).join('\n')).catch(({ message }: Error) => message);
}

/** The slices of the first day were archived on this day, in the night. */
const secondDay = () => days[1]!;
const bucket = () => sandbox.cloud.outputs.HistoryBucket!;
const manifestOf = async (day: string) => (await desk.archiveReader.findStored(manifestKey(day)))!;

// docs/operations.md, "History"
test('a whole archive has each history, decision and act, and says so', async () => {
  const { objects } = parseManifest((await manifestOf(secondDay())).text);

  expect(objects.map(({ key }) => key.split('/')[0])).toEqual(expect.arrayContaining(['acts', 'evidence']));
  expect(await verified()).toContain(`${days[0]} to ${days[2]}: nothing is missing or changed`);
});

test('an archive with one byte changed names the day and the object', async () => {
  const { objects } = parseManifest((await manifestOf(secondDay())).text);
  const { key, versionId } = objects.find((each) => each.key.startsWith('acts/'))!;
  const { text } = (await desk.archiveReader.findStored(key, versionId))!;
  const place = { Bucket: versionsOf(bucket()), Key: `${key}/${versionId}` };
  await s3.send(new PutObjectCommand({ ...place, Body: text.replace('"ana"', '"anb"') }));

  const told = await verified();

  expect(told).toContain(`${secondDay()}  ${key}: it was changed: its SHA-256 is `);
  await s3.send(new PutObjectCommand({ ...place, Body: text }));
  expect(await verified()).toContain('nothing is missing or changed');
});

test('an archive with a day cut out, by a person who may bypass the lock, names the day', async () => {
  const day = secondDay();
  const { versionId: VersionId } = await manifestOf(day);
  const place = { Bucket: bucket(), Key: manifestKey(day), VersionId };
  await expect(s3.send(new DeleteObjectCommand(place))).rejects.toThrow();
  await s3.send(new DeleteObjectCommand({ ...place, BypassGovernanceRetention: true }));

  expect(await verified()).toContain(
    `${day}  days/${day}.json: it is missing; the days before it are not proven.`,
  );
});

test('an archive whose end is cut off, in the bucket and in the table, names each day that is gone', async () => {
  const was = (await desk.archiveRegister.findProgress())!;
  const lateDesk = {
    ...desk,
    clock: { ...desk.clock, now: () => endOfDayInBrasilia(days[2]!) + 7 * HOUR_MS },
  };
  const { versionId, sha256 } = await manifestOf(days[0]!);
  for (const day of days.slice(1)) {
    for (const { versionId: VersionId } of await desk.archiveReader.listVersions(manifestKey(day))) {
      const place = { Bucket: bucket(), Key: manifestKey(day), VersionId };
      await s3.send(new DeleteObjectCommand({ ...place, BypassGovernanceRetention: true }));
    }
  }
  const cut = { ...was, day: days[0]!, manifest: { day: days[0]!, versionId, sha256 } };
  expect(await desk.archiveRegister.saveProgress(cut, was)).toBe(true);

  const told = await verified(lateDesk);

  for (const day of days.slice(1))
    expect(told).toContain(`${day}  days/${day}.json: it is missing, and was due`);
});
