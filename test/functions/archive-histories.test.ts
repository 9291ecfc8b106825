import { describe, expect, test } from 'vitest';
import type { ExecutionRecord } from '../../functions/domain/purchase/execution.ts';
import { archiveHistories } from '../../functions/schedules/archive-histories.ts';
import { aRecord, openArchive } from '../support/archive.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { mortal } from '../support/mortal-ports.ts';
import { START_AT } from '../support/ports.ts';

const DAY = '2098-12-31';
const keyOf = (name: string, kind = 'json') => `executions/${DAY}/${name}.${kind}`;

describe('a purchase that has ended', () => {
  // docs/operations.md, "History"
  test('is archived with its raw history and its page, and leaves the list', async () => {
    const { ports, bucket, ended } = await openArchive();
    const { id } = await ended();

    expect(await archiveHistories(ports)).toEqual({ looked: 1 });

    const { status, events } = JSON.parse(bucket.textOf(keyOf(id))!) as ExecutionRecord;
    expect({ status, events: events.length }).toEqual({ status: 'SUCCEEDED', events: 6 });
    expect(bucket.textOf(keyOf(id, 'html'))).toContain('Wait for the Pix payment');
    expect(await ports.archiveRegister.findObject(keyOf(id))).toMatchObject({
      versionId: bucket.versions.get(keyOf(id))![0]!.versionId,
      day: DAY,
      at: START_AT,
    });
    ports.clock.advance(60 * MINUTE_MS);
    expect(await archiveHistories(ports)).toEqual({ looked: 0 });
  });

  test('is archived without a task token, wherever the history has it', async () => {
    const { ports, bucket, records, ended } = await openArchive();
    const { id } = await ended();
    records.set(id, aRecord(id, 'AAAA+the/secret=='));

    await archiveHistories(ports);

    const all = [...bucket.versions.values()].flat().map(({ text }) => text);
    expect(all.filter((text) => /AAAA\+the/.test(text))).toEqual([]);
    expect(bucket.textOf(keyOf(id))).toContain('(task token removed)');
  });

  test('is archived with all its executions, and says which one AWS no longer knows', async () => {
    const { ports, bucket, records, ended } = await openArchive();
    const { id } = await ended({ executions: 2 });
    records.set(`${id}-r2`, aRecord(`${id}-r2`));

    await archiveHistories(ports);

    expect(JSON.parse(bucket.textOf(keyOf(`${id}-r1`))!)).toEqual({
      name: `${id}-r1`,
      status: 'UNKNOWN',
      events: [],
    });
    expect(bucket.textOf(keyOf(`${id}-r1`, 'html'))).toContain('AWS no longer knew');
    expect(bucket.textOf(keyOf(`${id}-r2`))).toContain('SUCCEEDED');
  });

  test('waits while its execution runs', async () => {
    const { ports, bucket, records, ended } = await openArchive();
    const { id } = await ended();
    const record = records.get(id)!;
    records.set(id, { ...record, status: 'RUNNING' });

    await archiveHistories(ports);
    records.set(id, record);
    await archiveHistories(ports);
    expect(bucket.versions.size).toBe(0);

    ports.clock.advance(5 * MINUTE_MS);
    await archiveHistories(ports);
    expect(bucket.versions.size).toBe(2);
  });

  test('is archived on the day of its end, and registered on the day of its archiving', async () => {
    const { ports, ended } = await openArchive();
    const { id } = await ended();
    ports.clock.advance(48 * 60 * MINUTE_MS);

    await archiveHistories(ports);

    expect(await ports.archiveRegister.findObject(keyOf(id))).toMatchObject({ day: '2099-01-02' });
  });

  test('is archived with one content by two runs at once', async () => {
    const { ports, bucket, ended } = await openArchive();
    const { id } = await ended();

    await Promise.all([archiveHistories(ports), archiveHistories(ports)]);

    const registered = await ports.archiveRegister.findObject(keyOf(id));
    const versions = bucket.versions.get(keyOf(id))!;
    expect(versions.map(({ versionId }) => versionId)).toContain(registered!.versionId);
    expect(new Set(versions.map(({ text }) => text)).size).toBe(1);
  });
});

describe('a purchase that cannot be archived', () => {
  test('raises an alarm, and keeps no other from its turn', async () => {
    const { ports, bucket, records, ended } = await openArchive();
    const broken = await ended();
    const { id } = await ended();
    const findExecution = async (name: string) => {
      if (name === broken.id) throw new Error('AccessDenied');
      return records.get(name);
    };

    await archiveHistories({ ...ports, executions: { findExecution } });

    expect(ports.log.raised).toEqual(['HistoryNotArchived']);
    expect(bucket.textOf(keyOf(id))).toBeDefined();
    ports.clock.advance(5 * MINUTE_MS);
    await archiveHistories(ports);
    expect(bucket.textOf(keyOf(broken.id))).toBeDefined();
  });

  test('stays on the list while nothing answers', async () => {
    const { ports, bucket, ended } = await openArchive();
    await ended();
    let isDead = true;
    const dying = mortal(ports, ['executions', 'archiveBucket'], () => isDead);

    await archiveHistories(dying);
    isDead = false;
    ports.clock.advance(5 * MINUTE_MS);
    await archiveHistories(dying);

    expect(bucket.versions.size).toBe(2);
  });
});

test('evidence that cannot be archived keeps back no row of a held person', async () => {
  const { ports } = await openArchive();
  await archiveHistories(ports);
  ports.clock.advance(24 * 60 * MINUTE_MS);
  const listBetween = () => Promise.reject(new Error('the index is out'));
  const looks: string[] = [];
  const listHeld = async () => {
    looks.push('held rows');
    return [];
  };
  const litigationHolds = { ...ports.litigationHolds, listHeld };

  const run = archiveHistories({ ...ports, evidenceLists: { listBetween }, litigationHolds });

  await expect(run).rejects.toThrow('the index is out');
  expect(looks).toEqual(['held rows']);
});

const FATES = (['killed', 'failed'] as const).flatMap((kind) =>
  (['before', 'after'] as const).map((when) => ({ kind, when })),
);

test.each(FATES)('a run that is $kind $when any call is finished by the next one', async (fate) => {
  const struck: string[] = [];
  for (let at = 1; ; at++) {
    expect(at).toBeLessThan(100);
    const { ports, bucket, outside, ended } = await openArchive();
    const { id } = await outside.run(() => ended()).then((found) => found as { id: string });
    await outside.run(() => archiveHistories(ports).catch(() => undefined), { ...fate, at });
    const call = outside.struckAt();
    ports.clock.advance(10 * MINUTE_MS);
    await outside.run(() => archiveHistories(ports));

    for (const kind of ['json', 'html']) {
      const { versionId } = (await ports.archiveRegister.findObject(keyOf(id, kind)))!;
      expect(bucket.versions.get(keyOf(id, kind))!.map((each) => each.versionId)).toContain(versionId);
    }
    ports.clock.advance(10 * MINUTE_MS);
    expect(await outside.run(() => archiveHistories(ports))).toEqual({ looked: 0 });
    if (call === undefined) break;
    struck.push(call);
  }

  expect(struck).toEqual(expect.arrayContaining(['executions.findExecution', 'bucket.upload', 'PutCommand']));
});
