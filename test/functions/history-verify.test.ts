import { beforeEach, describe, expect, test } from 'vitest';
import { manifestKey, parseManifest } from '../../functions/domain/books/manifest.ts';
import { executionPlace } from '../../functions/domain/purchase/execution.ts';
import { archiveHistories } from '../../functions/schedules/archive-histories.ts';
import type { Desk } from '../../operations/desk.ts';
import { historyCommands } from '../../operations/history.ts';
import { type Shown, shownJson, shownLines } from '../../operations/shown.ts';
import { dossier } from '../../operations/stores/dossier.ts';
import { openArchive } from '../support/archive.ts';
import { MINUTE_MS } from '../support/builders.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The tests begin at 21:00 in Brasília. */
const DAYS = ['2098-12-31', '2099-01-01', '2099-01-02'] as const;

/** The acts of the first evening. */
const ACTS = `acts/${DAYS[0]}/21-00.jsonl`;
const anAct = {
  act: 'AAAAAAAAAA',
  place: 1,
  kind: 'ORDERED',
  name: 'treasury hold',
  subject: 'all',
  who: { id: 'ana', via: 'STS', principal: 'arn:ana', roles: ['operator'] },
} as const;

/** An archive with three closed days, and a purchase on each of them. */
async function threeDays() {
  const archive = await openArchive();
  const { ports, bucket, tables, opened, end } = archive;
  const purchases = await Promise.all(DAYS.map(() => opened()));
  await ports.acts.add({ ...anAct, at: ports.clock.now() });
  for (const purchase of purchases) {
    await end(purchase);
    await archiveHistories(ports);
    ports.clock.advance(DAY_MS);
    await archiveHistories(ports);
  }
  const desk = {
    ...ports,
    archiveReader: { findStored: bucket.findStored, listVersions: bucket.listVersions },
    dossier: dossier(tables.client, tables.names),
  } as unknown as Desk;
  const shown = async (name: string, words: string[] = [], flags = {}) => {
    const command = historyCommands.find((each) => each.name === name)!;
    return (await command.run({ words, flags, ask: async () => '' }, desk)) as Shown;
  };
  const run = async (...call: Parameters<typeof shown>) => shownLines(await shown(...call)).join('\n');
  const data = async (...call: Parameters<typeof shown>) => shownJson(await shown(...call));
  const verify = (flags = {}) => run('history verify', [], flags);
  const faults = (flags = {}) => verify(flags).catch(({ message }: Error) => message);
  return { ...archive, purchases, desk, run, data, verify, faults };
}

type World = Awaited<ReturnType<typeof threeDays>>;
let world: World;
beforeEach(async () => {
  world = await threeDays();
});
const placeOf = async (at: number) => {
  const { id } = world.purchases[at]!;
  return executionPlace(id, (await world.ports.transactions.findTransaction(id))!);
};

/** The link to the newest version of a day's manifest. */
async function linkTo(day: string) {
  const { versionId, sha256 } = (await world.bucket.findStored(manifestKey(day)))!;
  return { day, versionId, sha256 };
}

/** Puts the table back to this end of the chain, as a tamperer would. */
async function putBack(manifest: Awaited<ReturnType<typeof linkTo>>) {
  const was = (await world.ports.archiveRegister.findProgress())!;
  const put = { ...was, day: manifest.day, manifest };
  world.desk.archiveRegister = { ...world.desk.archiveRegister, findProgress: async () => put };
}

// docs/operations.md, "History"
describe('the chain of days', () => {
  test('has a manifest for each day, and each names the digest of the day before', async () => {
    const texts = DAYS.map((day) => world.bucket.textOf(manifestKey(day))!);
    const digests = await Promise.all(DAYS.map((day) => world.bucket.findStored(manifestKey(day))));

    const former = texts.map((text) => parseManifest(text).former);
    expect(former.map((each) => each?.day)).toEqual([undefined, DAYS[0], DAYS[1]]);
    expect(former.slice(1).map((each) => each?.sha256)).toEqual(
      digests.slice(0, 2).map((each) => each?.sha256),
    );
  });

  test('lists what was archived on its day: histories, pages, evidence and acts', async () => {
    const { objects } = parseManifest(world.bucket.textOf(manifestKey(DAYS[1]))!);

    const keys = objects.map(({ key }) => key);
    const place = await placeOf(1);
    // The evidence of the first evening was archived by the first run of the second day.
    expect(keys).toEqual([ACTS, `evidence/${DAYS[0]}/21-00.jsonl`, `${place}.html`, `${place}.json`]);
    expect(JSON.parse(world.bucket.textOf(ACTS)!)).toMatchObject({ act: anAct.act, who: anAct.who });
  });
});

describe('history verify', () => {
  test('finds nothing missing or changed in a whole archive, and shows the digest of the chain', async () => {
    const told = await world.verify();

    expect(told).toContain(`${DAYS[0]} to ${DAYS[2]}: nothing is missing or changed`);
    const { manifest } = (await world.ports.archiveRegister.findProgress())!;
    expect(told).toContain(manifest!.sha256);
  });

  test('names the day and the object in which one byte was changed', async () => {
    const object = `${await placeOf(1)}.json`;
    world.bucket.alter(object, (text) => text.replace('SUCCEEDED', 'SUCCEEDEd'));

    expect(await world.faults()).toContain(
      `One fault, the earliest day first:\n${DAYS[1]}  ${object}: it was changed`,
    );
    expect(await world.verify({ since: DAYS[2] })).toContain('nothing is missing');
  });

  test('names an object that is gone', async () => {
    const object = `${await placeOf(0)}.html`;
    world.bucket.versions.delete(object);

    expect(await world.faults()).toContain(`${DAYS[0]}  ${object}: it is missing.`);
  });

  test('names an object that a deletion or another version hides, and that the locked one is there', async () => {
    const [deleted, hidden] = [`${await placeOf(0)}.html`, `${await placeOf(1)}.html`];
    world.bucket.hide(deleted);
    await world.bucket.upload({ key: hidden, text: 'another page' });

    const told = await world.faults();
    expect(told).toMatch(new RegExp(`${deleted}: it was deleted; its locked version .* is still there`));
    expect(told).toMatch(
      new RegExp(`${hidden}: a newer version hides it; its locked version .* is still there`),
    );
  });

  test('accepts an equal version, which a repeated run has uploaded', async () => {
    const key = `${await placeOf(0)}.html`;
    await world.bucket.upload({ key, text: world.bucket.textOf(key)! });

    expect(await world.verify()).toContain('nothing is missing or changed');
  });

  test('names an object without a lock', async () => {
    const object = `${await placeOf(0)}.json`;
    world.bucket.unlock(object);

    expect(await world.faults()).toContain(`${object}: it has no lock.`);
  });

  test('names the day that was cut out of the chain', async () => {
    world.bucket.versions.delete(manifestKey(DAYS[1]));

    expect(await world.faults()).toContain(
      `${DAYS[1]}  days/${DAYS[1]}.json: it is missing; the days before it are not proven.`,
    );
  });

  test('names the day that was cut out, although the chain was made anew without it', async () => {
    const [first, middle, last] = await Promise.all(DAYS.map(linkTo));
    world.bucket.versions.delete(manifestKey(middle!.day));
    world.bucket.alter(manifestKey(last!.day), (text) =>
      text.replace(JSON.stringify(middle), JSON.stringify(first)),
    );
    await putBack(await linkTo(last!.day));

    const told = await world.faults();
    expect(told).toContain(`days/${DAYS[2]}.json: it follows ${DAYS[0]}: a day is cut out.`);
  });

  test('names the last two days that were cut off the end, although the table was put back', async () => {
    for (const day of DAYS.slice(1)) world.bucket.versions.delete(manifestKey(day));
    await putBack(await linkTo(DAYS[0]));

    const told = await world.faults();
    expect(told).toContain('2 faults, the earliest day first:');
    expect(told).toContain(
      `${DAYS[1]}  days/${DAYS[1]}.json: it is missing, and was due at 2099-01-02 06:00:00`,
    );
    expect(told).toContain(
      `${DAYS[2]}  days/${DAYS[2]}.json: it is missing, and was due at 2099-01-03 06:00:00`,
    );
    expect(await world.faults({ until: DAYS[2] })).toContain('2 faults');
    expect(await world.verify({ until: DAYS[0] })).toContain('nothing is missing');
  });

  test('names a day that the bucket has, but that the table no longer reaches', async () => {
    await putBack(await linkTo(DAYS[1]));

    expect(await world.faults()).toContain(
      `${DAYS[2]}  days/${DAYS[2]}.json: the bucket has it, but the chain ends before it, on ${DAYS[1]}`,
    );
  });

  test('does not expect a day before six in the morning after it', async () => {
    const { clock } = world.ports;
    clock.advance(8 * HOUR_MS + 59 * MINUTE_MS);
    expect(await world.verify()).toContain(`${DAYS[0]} to ${DAYS[2]}: nothing is missing`);

    clock.advance(2 * MINUTE_MS);
    expect(await world.faults()).toContain('days/2099-01-03.json: it is missing, and was due');
  });

  test('names the days before a chain that was begun anew, and all days if the table forgot the chain', async () => {
    world.bucket.alter(manifestKey(DAYS[2]), (text) => text.replace(/^"former".*\n/m, ''));
    await putBack(await linkTo(DAYS[2]));
    for (const day of DAYS.slice(0, 2))
      expect(await world.faults()).toContain(
        `${day}  days/${day}.json: the bucket has it, but the chain begins`,
      );

    world.desk.archiveRegister.findProgress = async () => undefined;
    expect(await world.faults()).toContain('3 faults');
  });

  test('says on which days a manifest was uploaded late, as after an end that was made anew', async () => {
    // The world closes each day at 21:00 of the day after.
    const uploads = DAYS.map((day) => world.bucket.versions.get(manifestKey(day))![0]!);
    for (const upload of uploads) upload.at -= 16 * HOUR_MS;
    expect(await world.verify()).not.toContain('closed late');

    uploads[1]!.at += 2 * HOUR_MS;
    expect(await world.verify()).toMatch(/closed late +2099-01-01, at 2099-01-02 07:00:00/);
  });

  test('names an object that the bucket has, but that neither a manifest nor the table names', async () => {
    const object = `executions/${DAYS[1]}/unknown.json`;
    await world.bucket.upload({ key: object, text: '{}' });
    world.bucket.versions.get(object)![0]!.at -= 2 * DAY_MS;

    expect(await world.faults()).toContain(
      `One fault, the earliest day first:\n${DAYS[1]}  ${object}: the bucket has it, but neither a manifest`,
    );
  });

  test('names an older version of another content, behind the one that the manifest lists', async () => {
    const object = `${await placeOf(1)}.json`;
    world.bucket.versions.get(object)!.unshift({ versionId: 'older', text: '{}', isLocked: true, at: 1 });

    expect(await world.faults()).toContain(
      `One fault, the earliest day first:\n${DAYS[1]}  ${object}: its version older has another content`,
    );
  });

  test('names a manifest without a lock', async () => {
    world.bucket.unlock(manifestKey(DAYS[0]));

    expect(await world.faults()).toContain(`days/${DAYS[0]}.json: it has no lock.`);
  });

  test('names a purchase that is older than the chain', async () => {
    const { desk } = world;
    const { listWhere } = desk.dossier;
    desk.dossier.listWhere = async (table, isWanted) => {
      const rows = await listWhere(table, () => true);
      const old = rows.map((row) => ({ ...row, history: [{ status: 'EXPIRED', at: 1 }], createdAt: 1 }));
      return (table === 'transactions' ? old : rows).filter(isWanted);
    };

    expect(await world.faults()).toContain('1969-12-31  executions/1969-12-31/');
  });

  test('names a manifest that was written anew without one of its lines', async () => {
    const key = manifestKey(DAYS[0]);
    world.bucket.alter(key, (text) => text.replace(/^\{"key":"executions.*\n/m, ''));

    const faults = await world.faults();
    expect(faults).toContain(`${DAYS[0]}  ${key}: it was changed`);
    expect(faults).toContain('; the days before it are not proven.');
  });

  test('names a purchase that was never archived', async () => {
    const { ports, purchases } = world;
    const object = `${await placeOf(1)}.json`;
    const { findObject } = ports.archiveRegister;
    world.desk.archiveRegister = {
      ...world.desk.archiveRegister,
      findObject: async (key) => (key === object ? undefined : findObject(key)),
    };

    expect(await world.faults()).toContain(
      `${DAYS[1]}  ${object}: the history of the purchase ${purchases[1]!.id} was never archived.`,
    );
  });

  test('names a decision that the archive of the evidence lacks', async () => {
    const { ports, desk } = world;
    const { listWhere } = desk.dossier;
    const at = ports.clock.now() - 3 * DAY_MS;
    const forged = { id: 'forged', subject: 's', kind: 'wallet', at };
    desk.dossier.listWhere = async (table, isWanted) => [
      ...(await listWhere(table, isWanted)),
      ...(table === 'evidence' ? [forged] : []),
    ];

    expect(await world.faults()).toContain('it does not have the decision forged as the table.');
  });

  test('names an event of an act that the archive lacks, or has otherwise', async () => {
    const { desk, bucket } = world;
    const { listWhere } = desk.dossier;
    desk.dossier.listWhere = async (table, isWanted) => {
      const rows = await listWhere(table, isWanted);
      return table === 'acts' ? rows.map((row) => ({ ...row, reason: 'another reason' })) : rows;
    };
    expect(await world.faults()).toContain(
      `${DAYS[0]}  ${ACTS}: it does not have the event of an act AAAAAAAAAA#1 as the table.`,
    );

    desk.dossier.listWhere = listWhere;
    bucket.alter(ACTS, (text) => text.replace('"ana"', '"bia"'));
    expect(await world.faults()).toContain(`  ${ACTS}: it was changed`);
  });

  test.each([
    [{ since: '2099-01-02', until: '2099-01-01' }, '--since is after --until.'],
    [{ until: '2099-02-01' }, '2099-02-01 is not closed: the last day is 2099-01-02.'],
    [{ since: 'soon' }, 'soon is no day'],
  ])('refuses %j', async (flags, message) => {
    expect(await world.faults(flags)).toContain(message);
  });

  test('says so if no day is closed, which is no fault', async () => {
    const { ports, bucket } = await openArchive();
    const [command] = historyCommands;
    const given = { words: [], flags: {}, ask: async () => '' };

    const shown = (await command!.run(given, {
      ...ports,
      archiveReader: bucket,
    } as unknown as Desk)) as Shown;

    expect(shownLines(shown)).toEqual(['No day is closed yet: a day is closed two hours after its end.']);
    expect(shownJson(shown)).toEqual({ verified: null, days: 0, objects: 0 });
  });
});

describe('history show', () => {
  test('shows the archived page of a purchase', async () => {
    expect(await world.run('history show', [world.purchases[1]!.id])).toContain('<h1>Purchase');
  });

  test('and verify print data for scripts', async () => {
    const [verified, shown] = await Promise.all([
      world.data('history verify'),
      world.data('history show', [world.purchases[1]!.id]),
    ]);

    expect(verified).toMatchObject({ days: 3, 'next day': '2099-01-03' });
    expect(shown).toMatchObject({ purchase: world.purchases[1]!.id, page: expect.stringContaining('<h1>') });
  });

  test('refuses a page that was changed', async () => {
    world.bucket.alter(`${await placeOf(1)}.html`, (text) => text.replace('EXPIRED', 'COMPLETED'));

    await expect(world.run('history show', [world.purchases[1]!.id])).rejects.toThrow('it was changed');
  });

  test('says so if the purchase is not archived yet', async () => {
    const { id } = await world.ended();

    await expect(world.run('history show', [id])).rejects.toThrow('is not archived yet');
  });
});

describe('evidence', () => {
  test('of ten minutes is one object, written half an hour later', async () => {
    const { ports, bucket } = await openArchive();
    const at = ports.clock.now() + MINUTE_MS;
    await ports.evidence.record({ ...anOperation, at });

    ports.clock.advance(39 * MINUTE_MS);
    await archiveHistories(ports);
    expect([...bucket.versions.keys()]).toEqual([]);
    ports.clock.advance(MINUTE_MS);
    await archiveHistories(ports);

    expect([...bucket.versions.keys()]).toEqual([`evidence/${DAYS[0]}/21-00.jsonl`]);
    expect(JSON.parse(bucket.textOf(`evidence/${DAYS[0]}/21-00.jsonl`)!)).toMatchObject({ subject: 's', at });
  });
});

const anOperation = {
  subject: 's',
  kind: 'operation',
  decidedBy: 'somebody',
  inputs: { command: 'tx show' },
  findings: {},
  decision: { outcome: 'ORDERED' },
} as const;

const FATES = (['killed', 'failed'] as const).flatMap((kind) =>
  (['before', 'after'] as const).map((when) => ({ kind, when })),
);

test.each(FATES)(
  'a closing of a day that is $kind $when any call is finished by the next run',
  async (fate) => {
    const struck: string[] = [];
    for (let at = 1; ; at++) {
      expect(at).toBeLessThan(400);
      const { ports, bucket, outside, ended } = await openArchive();
      await outside.run(() => ended());
      await outside.run(() => archiveHistories(ports));
      ports.clock.advance(5 * HOUR_MS);
      const was = (await ports.archiveRegister.findProgress())!;
      await ports.archiveRegister.saveProgress(
        { ...was, evidenceUpTo: ports.clock.now() - 45 * MINUTE_MS },
        was,
      );
      await outside.run(() => archiveHistories(ports).catch(() => undefined), { ...fate, at });
      const call = outside.struckAt();
      await outside.run(() => archiveHistories(ports));

      const { day, manifest } = (await ports.archiveRegister.findProgress())!;
      expect(day).toBe(DAYS[0]);
      const stored = await bucket.findStored(manifestKey(day), manifest!.versionId);
      expect(stored!.sha256).toBe(manifest!.sha256);
      expect(parseManifest(stored!.text).objects).toHaveLength(2);
      if (call === undefined) break;
      struck.push(call);
    }

    expect(struck).toEqual(expect.arrayContaining(['bucket.upload', 'PutCommand']));
  },
);
