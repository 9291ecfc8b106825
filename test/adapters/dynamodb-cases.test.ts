import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { caseMarkStore } from '../../functions/adapters/dynamodb/case-marks.ts';
import { clientStore } from '../../functions/adapters/dynamodb/clients.ts';
import { kycRecordStore, kycReviewStore } from '../../functions/adapters/dynamodb/kyc-records.ts';
import type { KycRecord } from '../../functions/domain/kyc/kyc.ts';
import {
  type CaseDecision,
  type DecidedReviewCase,
  type OpenReviewCase,
  pairOf,
} from '../../functions/domain/screening/review-case.ts';
import { reviewCaseStore } from '../../operations/stores/cases.ts';
import { aClient, aKycRecord, anEvidence, NOW } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { newId } from '../support/ports.ts';
import { CANDIDATE } from '../support/review-cases.ts';
import { startTables, type Tables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const casesIn = ({ client, names }: Tables) =>
  reviewCaseStore(client, names, { random: dice, kycReviews: kycReviewStore(client, names, dice) });
const records = () => kycRecordStore(tables.client, tables.names, dice);
const clients = () => clientStore(tables.client, tables.names.clients, dice);

type Send = (command: object) => Promise<unknown>;
/** Tables that pass the first `times` transactions to `way`. The later ones go through. */
const around = (times: number, way: (send: Send, command: object) => Promise<unknown>) => {
  let left = times;
  return tapped(tables, (send) => async (command) => {
    if (!(command instanceof TransactWriteCommand) || left-- <= 0) return send(command);
    return way(send, command);
  });
};
const lost = async (send: Send, command: object) => {
  await send(command);
  throw Object.assign(new Error('socket hang up'), { $metadata: {} });
};
const conflict = async () => {
  const CancellationReasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }];
  throw Object.assign(new Error('conflict'), { CancellationReasons, $metadata: {}, $fault: 'client' });
};

const decisionOf = (status: CaseDecision['status'], changes: Partial<CaseDecision> = {}): CaseDecision => ({
  status,
  decidedBy: 'ana',
  decidedAt: NOW + 5000,
  reason: 'because',
  ...changes,
});
const evidenceOf = ({ token, issuedAt }: KycRecord) => anEvidence('kyc', { subject: token, at: issuedAt });

type World = { clientId: string; found: OpenReviewCase; record: KycRecord };

/** A client with a record that waits for a case, as `SubmitKyc` writes both. */
async function aWaitingClient(changes: Partial<OpenReviewCase> = {}, clientId = newId()): Promise<World> {
  const pair = pairOf({ personHash: clientId.padEnd(32, '0') }, CANDIDATE);
  await clients().create(aClient({ id: clientId }));
  const record = aKycRecord({
    token: newId(),
    clientId,
    status: 'PENDING',
    nextCheckAt: NOW + 600_000,
    checks: 7,
    openPairs: [pair],
  });
  const found: OpenReviewCase = {
    id: newId(),
    pair,
    clientId,
    partnerId: 'demo',
    token: record.token,
    candidate: CANDIDATE,
    index: { version: '2026-11-20T00:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' },
    opened: 'PENDING',
    status: 'OPEN',
    openedAt: NOW,
    ...changes,
  };
  await records().create(record, evidenceOf(record), { cases: [found] });
  return { clientId, found, record };
}
const openIds = async () => (await casesIn(tables).listOpen()).map(({ id }) => id);
const dueAt = async ({ token }: KycRecord) => (await records().findRecord(token))?.nextCheckAt;

let world: World;
beforeEach(async () => {
  world = await aWaitingClient();
});

describe('open cases', () => {
  test('are listed the oldest first, until they are decided', async () => {
    const { found } = world;
    const older = await aWaitingClient({ openedAt: NOW - 1 });
    const listed = (await openIds()).filter((id) => [found.id, older.found.id].includes(id));
    expect(listed).toEqual([older.found.id, found.id]);

    await casesIn(tables).decide(found.id, decisionOf('CLEARED'));

    expect(await openIds()).not.toContain(found.id);
    expect(await openIds()).toContain(older.found.id);
  });

  test('are all found, however many there are', async () => {
    const ids = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => (await aWaitingClient({ openedAt: NOW + at })).found.id),
    );

    expect(await openIds()).toEqual(expect.arrayContaining(ids));
  });

  test('are one for a pair, however often it is met: the first opening counts, with the latest record', async () => {
    const { found, clientId } = world;
    const again = aKycRecord({ token: newId(), clientId, status: 'PENDING' });
    const met = { ...found, token: again.token, opened: 'REJECTED', openedAt: NOW + 9000 } as const;

    await records().create(again, evidenceOf(again), { cases: [met] });

    expect(await casesIn(tables).findCase(found.id)).toMatchObject({
      ...found,
      token: again.token,
      opened: 'REJECTED',
    });
    expect((await openIds()).filter((id) => id === found.id)).toHaveLength(1);
  });
});

describe('a decision', () => {
  test('that clears marks case and client, and makes the waiting record due at once', async () => {
    const { found, clientId, record } = world;

    const decided = await casesIn(tables).decide(found.id, decisionOf('CLEARED'));

    const expected = { ...found, ...decisionOf('CLEARED') };
    expect(decided).toMatchObject(expected);
    expect(await casesIn(tables).findCase(found.id)).toMatchObject(expected);
    const client = (await clients().findClient(clientId))!;
    expect(client.clearedPairs).toEqual([found.pair]);
    expect(client).not.toHaveProperty('confirmedPairs');
    expect(client).not.toHaveProperty('rejectedAt');
    expect(await dueAt(record)).toBe(record.issuedAt);
  });

  test('that confirms binds the client’s older tokens, too', async () => {
    const { found, clientId, record } = world;

    await casesIn(tables).decide(found.id, decisionOf('CONFIRMED'));

    expect(await clients().findClient(clientId)).toMatchObject({
      confirmedPairs: [found.pair],
      rejectedAt: NOW + 5000,
    });
    expect(await dueAt(record)).toBe(record.issuedAt);
  });

  test('applies to all of the client’s records that wait for the pair, and to no others', async () => {
    const { found, clientId, record } = world;
    const [other, decidedOne] = [
      aKycRecord({ ...record, token: newId(), openPairs: ['another pair'] }),
      aKycRecord({ token: newId(), clientId }),
    ];
    const second = aKycRecord({ ...record, token: newId() });
    for (const each of [other, second, decidedOne]) await records().create(each, evidenceOf(each));

    await casesIn(tables).decide(found.id, decisionOf('CLEARED'));

    expect(await Promise.all([record, second, other].map(dueAt))).toEqual([...[NOW, NOW, NOW + 600_000]]);
    expect(await records().findRecord(decidedOne.token)).not.toHaveProperty('nextCheckAt');
  });

  test('about a refused client leaves their record unchanged', async () => {
    const clientId = newId();
    await clients().create(aClient({ id: clientId }));
    const record = aKycRecord({ token: newId(), clientId, status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    const found: OpenReviewCase = {
      ...world.found,
      id: newId(),
      clientId,
      token: record.token,
      opened: 'REJECTED',
    };
    const stored = await records().create(record, evidenceOf(record), { cases: [found] });

    await casesIn(tables).decide(found.id, decisionOf('CLEARED'));

    expect(await records().findRecord(record.token)).toEqual(stored);
    expect((await clients().findClient(clientId))!.clearedPairs).toEqual([found.pair]);
  });

  test('is final, except that a confirmation overrules a clearance', async () => {
    const { found, clientId } = world;
    const store = casesIn(tables);
    await store.decide(found.id, decisionOf('CLEARED'));

    const bia = { decidedBy: 'bia', decidedAt: NOW + 6000 };
    expect(await store.decide(found.id, decisionOf('CLEARED', bia))).toMatchObject({ decidedBy: 'ana' });
    expect(await store.decide(found.id, decisionOf('CONFIRMED', bia))).toMatchObject({
      status: 'CONFIRMED',
      decidedBy: 'bia',
    });
    expect(await store.decide(found.id, decisionOf('CLEARED'))).toMatchObject({ status: 'CONFIRMED' });

    expect(await clients().findClient(clientId)).toMatchObject({
      clearedPairs: [found.pair],
      confirmedPairs: [found.pair],
      rejectedAt: NOW + 6000,
    });
  });
});

describe('a confirmation', () => {
  const undone = { status: 'CONFIRMED', decidedBy: 'ana', decidedAt: NOW + 5000, reason: 'because' } as const;
  const undoing = {
    status: 'CLEARED',
    decidedBy: 'bia with rui',
    decidedAt: NOW + 6000,
    reason: 'wrong',
  } as const;

  // docs/operations.md, "Review cases"
  test('is taken back: the pair is cleared, and the older tokens stay refused', async () => {
    const { found, clientId } = world;
    await casesIn(tables).decide(found.id, decisionOf('CONFIRMED'));
    const before = (await clients().findClient(clientId))!;

    await casesIn(tables).undo(found.id, { ...undoing, undone });

    expect(await casesIn(tables).findCase(found.id)).toMatchObject({ ...undoing, undone });
    const { confirmedPairs: _, ...others } = before;
    expect(await clients().findClient(clientId)).toEqual({ ...others, clearedPairs: [found.pair] });
  });

  test('of another pair of the client stays', async () => {
    const { found, clientId } = world;
    const other = await aWaitingClient({ pair: 'another pair' }, clientId);
    for (const each of [found, other.found]) await casesIn(tables).decide(each.id, decisionOf('CONFIRMED'));

    await casesIn(tables).undo(found.id, { ...undoing, undone });

    expect((await clients().findClient(clientId))!.confirmedPairs).toEqual(['another pair']);
  });

  test('is taken back once, by one of twenty', async () => {
    const { found, clientId } = world;
    await casesIn(tables).decide(found.id, decisionOf('CONFIRMED'));

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        casesIn(tables).undo(found.id, { ...undoing, decidedBy: `person ${at}`, undone }),
      ),
    );

    const { decidedBy } = (await casesIn(tables).findCase(found.id)) as DecidedReviewCase;
    for (const each of answers) expect(each).toMatchObject({ status: 'CLEARED', decidedBy });
    expect((await clients().findClient(clientId))!.clearedPairs).toEqual([found.pair]);
  });

  test('that another one has replaced is not taken back', async () => {
    const { found } = world;
    const store = casesIn(tables);
    await store.decide(found.id, decisionOf('CONFIRMED'));
    await store.undo(found.id, { ...undoing, undone });
    await store.decide(found.id, decisionOf('CONFIRMED', { decidedBy: 'caio', decidedAt: NOW + 7000 }));

    const now = await store.undo(found.id, { ...undoing, decidedAt: NOW + 8000, undone });

    expect(now).toMatchObject({ status: 'CONFIRMED', decidedBy: 'caio' });
    expect(now).not.toHaveProperty('undone');
  });

  test('is taken back although the answer of the write was lost', async () => {
    const { found } = world;
    await casesIn(tables).decide(found.id, decisionOf('CONFIRMED'));

    expect(await casesIn(around(1, lost)).undo(found.id, { ...undoing, undone })).toMatchObject(undoing);
  });
});

describe('a case whose entry has left its list', () => {
  const GONE = { at: NOW + 1000, edition: '2026-11-21T00:00:00.000Z' };
  const marks = () => caseMarkStore(tables.client, tables.names.cases, dice);
  const closing = { status: 'CLOSED', decidedBy: 'ana', decidedAt: NOW + 5000, reason: 'delisted' } as const;
  const all = { since: NOW, until: NOW + 9000 };

  test('is marked, and the mark is taken away', async () => {
    const { found } = world;

    await marks().mark(found.id, GONE);
    expect(await casesIn(tables).findCase(found.id)).toEqual({ ...found, entryGone: GONE });
    expect((await marks().listOpen()).find(({ id }) => id === found.id)).toEqual({
      ...found,
      entryGone: GONE,
    });

    await marks().mark(found.id, undefined);
    expect(await casesIn(tables).findCase(found.id)).toEqual(found);
  });

  test('is not marked once it is decided', async () => {
    const { found } = world;
    await casesIn(tables).decide(found.id, decisionOf('CLEARED'));

    for (const gone of [GONE, undefined]) await marks().mark(found.id, gone);

    expect(await casesIn(tables).findCase(found.id)).toMatchObject(decisionOf('CLEARED'));
    expect(await casesIn(tables).findCase(found.id)).not.toHaveProperty('entryGone');
  });

  test('is closed once, by one of twenty, and judges nobody', async () => {
    const { found, clientId, record } = world;
    await marks().mark(found.id, GONE);
    const before = await clients().findClient(clientId);

    const closed = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        casesIn(tables).close(found.id, { ...closing, decidedBy: `person ${at}` }),
      ),
    );

    const { decidedBy } = closed[0] as DecidedReviewCase;
    for (const each of closed) expect(each).toMatchObject({ status: 'CLOSED', decidedBy, entryGone: GONE });
    expect(await openIds()).not.toContain(found.id);
    expect(await clients().findClient(clientId)).toEqual(before);
    expect(await dueAt(record)).toBe(record.nextCheckAt);
    const { cases } = await casesIn(tables).listDecided(all);
    expect(cases.filter(({ id }) => id === found.id)).toMatchObject([
      { status: 'CLOSED', reason: 'delisted' },
    ]);
    const again = await casesIn(tables).decide(found.id, decisionOf('CLEARED'));
    expect(again).toMatchObject({ status: 'CLOSED' });
  });

  test('is not closed without the mark', async () => {
    expect(await casesIn(tables).close(world.found.id, closing)).toMatchObject({ status: 'OPEN' });
  });

  test('is open again, without the mark, when a search finds the entry again', async () => {
    const { found, clientId } = world;
    await marks().mark(found.id, GONE);
    await casesIn(tables).close(found.id, closing);
    const again = aKycRecord({ token: newId(), clientId, status: 'PENDING' });

    await records().create(again, evidenceOf(again), { cases: [{ ...found, token: again.token }] });

    const now = await casesIn(tables).findCase(found.id);
    expect(now).toMatchObject({ status: 'OPEN', closing: { ...closing, entryGone: GONE } });
    expect(now).not.toHaveProperty('entryGone');
    expect(await openIds()).toContain(found.id);
    expect((await casesIn(tables).listDecided(all)).cases.map(({ id }) => id)).not.toContain(found.id);
    expect(await casesIn(tables).decide(found.id, decisionOf('CLEARED'))).toMatchObject({
      status: 'CLEARED',
    });
  });

  test('cannot be closed after a search has found the entry, although the mark was there a moment ago', async () => {
    const { found, clientId } = world;
    await marks().mark(found.id, GONE);
    const again = aKycRecord({ token: newId(), clientId, status: 'PENDING' });
    const meanwhile = tapped(tables, (send) => async (command) => {
      if (command instanceof UpdateCommand)
        await records().create(again, evidenceOf(again), { cases: [{ ...found, token: again.token }] });
      return send(command);
    });

    expect(await casesIn(meanwhile).close(found.id, closing)).toMatchObject({ status: 'OPEN' });
  });
});

describe('decided cases', () => {
  const at = (decidedAt: number) => decisionOf('CLEARED', { decidedAt });

  test('are listed for a period, the newest first', async () => {
    const others = [await aWaitingClient(), await aWaitingClient(), await aWaitingClient()];
    const ids = others.map(({ found }) => found.id);
    for (const [place, id] of ids.entries())
      await casesIn(tables).decide(id, at(NOW + 20_000 + place * 1000));

    const { cases, isCut } = await casesIn(tables).listDecided({ since: NOW + 20_000, until: NOW + 22_000 });

    expect(cases.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    expect(isCut).toBe(false);
  });

  test('of a client are listed, the newest first, without the open ones', async () => {
    const { clientId, found } = world;
    const later = await aWaitingClient({}, clientId);
    await aWaitingClient({}, clientId);
    await casesIn(tables).decide(found.id, at(NOW + 5000));
    await casesIn(tables).decide(later.found.id, at(NOW + 6000));

    const listed = await casesIn(tables).listDecidedOf(clientId);

    expect(listed.map(({ id }) => id)).toEqual([later.found.id, found.id]);
  });
});

describe('two reviewers at once', () => {
  test('make one decision, and both learn which', async () => {
    const { found, clientId } = world;
    const names = ['ana', 'bia', 'caio', 'davi'];
    const answers = await Promise.all(
      names.map((decidedBy) => casesIn(tables).decide(found.id, decisionOf('CLEARED', { decidedBy }))),
    );

    const winner = ((await casesIn(tables).findCase(found.id)) as DecidedReviewCase).decidedBy;
    expect(names).toContain(winner);
    expect(answers.map(({ decidedBy }) => decidedBy)).toEqual(names.map(() => winner));
    expect((await clients().findClient(clientId))!.clearedPairs).toEqual([found.pair]);
  });

  test('end with the confirmation if one of them confirms', async () => {
    const { found, clientId } = world;
    await Promise.all([
      casesIn(tables).decide(found.id, decisionOf('CLEARED')),
      casesIn(tables).decide(found.id, decisionOf('CONFIRMED', { decidedBy: 'bia' })),
    ]);

    expect(await casesIn(tables).findCase(found.id)).toMatchObject({ status: 'CONFIRMED', decidedBy: 'bia' });
    expect((await clients().findClient(clientId))!.confirmedPairs).toEqual([found.pair]);
  });
});

describe('a write that fails', () => {
  test('is repeated after it met another write', async () => {
    const { found } = world;

    const decided = await casesIn(around(3, conflict)).decide(found.id, decisionOf('CLEARED'));

    expect(decided).toMatchObject({ status: 'CLEARED', decidedBy: 'ana' });
  });

  test('is the reviewer’s own if its answer was lost', async () => {
    const { found, clientId } = world;

    const decided = await casesIn(around(1, lost)).decide(found.id, decisionOf('CONFIRMED'));

    expect(decided).toMatchObject(decisionOf('CONFIRMED'));
    expect((await clients().findClient(clientId))!.confirmedPairs).toEqual([found.pair]);
  });

  test('leaves nothing if all of its attempts are lost before it', async () => {
    const { found, clientId, record } = world;
    const dead = around(99, async () => {
      throw Object.assign(new Error('socket hang up'), { $metadata: {} });
    });

    await expect(casesIn(dead).decide(found.id, decisionOf('CLEARED'))).rejects.toThrow('unavailable');

    expect(await casesIn(tables).findCase(found.id)).toMatchObject({ status: 'OPEN' });
    expect(await clients().findClient(clientId)).not.toHaveProperty('clearedPairs');
    expect(await dueAt(record)).toBe(NOW + 600_000);
  });

  test('is repeated without a record that was decided at that moment', async () => {
    const { found, record } = world;
    const { abandon } = kycReviewStore(tables.client, tables.names, dice);
    const busy = around(1, async (send, command) => {
      await abandon(record.token);
      return send(command);
    });

    expect(await casesIn(busy).decide(found.id, decisionOf('CLEARED'))).toMatchObject({ status: 'CLEARED' });

    expect(await records().findRecord(record.token)).not.toHaveProperty('nextCheckAt');
  });

  test('of another kind on the client’s row is repeated after it met a decision', async () => {
    const { clientId } = world;
    let meetings = 3;
    const { client, names } = tapped(tables, (send) => async (command) => {
      if (!(command instanceof UpdateCommand) || meetings-- <= 0) return send(command);
      throw Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
    });

    await clientStore(client, names.clients, dice).addWallet(clientId, '0xA');

    expect(await clients().findClient(clientId)).toMatchObject({ wallets: ['0xA'] });
  });

  test('about a case that does not exist is our own mistake, and makes no case', async () => {
    await expect(casesIn(tables).decide('nothing', decisionOf('CLEARED'))).rejects.toThrow('does not exist');

    expect(await casesIn(tables).findCase('nothing')).toBeUndefined();
  });
});
