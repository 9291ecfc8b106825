import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kycRecordStore, kycReviewStore } from '../../functions/adapters/dynamodb/kyc-records.ts';
import type { KycOutcome, KycRecord } from '../../functions/domain/kyc/kyc.ts';
import type { KycSettlement, TokenUse } from '../../functions/domain/kyc/kyc-ports.ts';
import { aKycRecord, anEvidence, type KycRecordChanges, NOW } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { newId } from '../support/ports.ts';
import { rowIn, startTables, type Tables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const reviews = (from: Tables = tables) => kycReviewStore(from.client, from.names, dice);
/** Tables that make each transaction, and lose its answer. */
const lossy = () =>
  tapped(tables, (send) => async (command) => {
    const answer = await send(command);
    if (!(command instanceof TransactWriteCommand)) return answer;
    throw Object.assign(new Error('socket hang up'), { $metadata: {} });
  });
/** A stored PENDING record, due from `nextCheckAt` on. */
async function putPending(changes: KycRecordChanges = {}): Promise<KycRecord> {
  const record = aKycRecord({
    token: newId(),
    clientId: newId(),
    status: 'PENDING',
    riskTier: 'HIGH',
    nextCheckAt: NOW + 1000,
    checks: 0,
    ...changes,
  });
  return (await records().create(record, evidenceOf(record)))!;
}

describe('a KYC record', () => {
  test('is the first that was stored, for every later store', async () => {
    const store = records();
    const token = newId();
    const [no, yes] = [
      aKycRecord({ token, status: 'REJECTED', reason: 'SANCTIONS_HIT' }),
      aKycRecord({ token }),
    ];
    const first = await store.create(no, evidenceOf(no));

    expect(await store.create(yes, evidenceOf(yes))).toEqual(first);

    expect(await store.findRecord(token)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(await store.findRecord('unknown')).toBeUndefined();
  });

  test('keeps the evidence of its decision, and none of a later decision', async () => {
    const token = newId();
    const no = aKycRecord({ token, status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    const yes = aKycRecord({ token, issuedAt: NOW + 1 });
    await records().create(no, evidenceOf(no));

    await records().create(yes, evidenceOf(yes));

    expect(await evidenceRow(no)).toMatchObject({ decision: { status: 'REJECTED' } });
    expect(await evidenceRow(yes)).toBeUndefined();
  });

  // docs/decisions.md, "Decisions are made from facts alone"
  test('does not exist without its evidence: a failed write leaves neither', async () => {
    const record = aKycRecord({ token: newId() });
    const tooLarge = { ...evidenceOf(record), decidedBy: 'x'.repeat(500_000) };

    await expect(records().create(record, tooLarge)).rejects.toThrow();

    expect(await records().findRecord(record.token)).toBeUndefined();
    expect(await evidenceRow(record)).toBeUndefined();
  });

  test('is found by a process whose write succeeded and whose answer was lost', async () => {
    const record = aKycRecord({ token: newId() });
    expect(await records(lossy()).create(record, evidenceOf(record))).toMatchObject(record);

    expect(await evidenceRow(record)).toMatchObject({ decision: { status: 'APPROVED' } });
  });
});

const records = (from: Tables = tables) => kycRecordStore(from.client, from.names, dice);
const evidenceOf = ({ token, status, issuedAt }: KycRecord) =>
  anEvidence('kyc', { subject: token, at: issuedAt, decision: { status } });
const evidenceRow = ({ token, issuedAt }: KycRecord) => rowIn(tables, 'evidence', `${token}#kyc#${issuedAt}`);

describe('a use of a partner’s token', () => {
  const aUse = (changes: Partial<TokenUse> = {}): TokenUse => ({
    partnerId: 'demo',
    kid: 'k1',
    tokenIdHash: newId(),
    requestHash: 'request',
    ...changes,
  });
  const createFor = (use: TokenUse, from?: Tables) => {
    const record = aKycRecord({ token: newId() });
    return records(from).create(record, evidenceOf(record), { use });
  };

  test('gives the same request the record of its first try, and no other', async () => {
    const use = aUse();
    const first = await createFor(use);

    expect(await createFor(use)).toEqual(first);
    expect(first).toBeDefined();
  });

  test('gives another request nothing, and leaves nothing of it', async () => {
    const use = aUse();
    await createFor(use);
    const other = aKycRecord({ token: newId() });

    expect(
      await records().create(other, evidenceOf(other), { use: { ...use, requestHash: 'other' } }),
    ).toBeUndefined();

    expect(await records().findRecord(other.token)).toBeUndefined();
    expect(await evidenceRow(other)).toBeUndefined();
  });

  test('is separate for each partner', async () => {
    const use = aUse();

    const [mine, theirs] = [
      await createFor(use),
      await createFor({ ...use, partnerId: 'other', requestHash: 'x' }),
    ];

    expect(theirs?.token).not.toBe(mine?.token);
  });

  test('has one winner of twenty requests at once, and uses up nothing for the others', async () => {
    const use = aUse();

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createFor({ ...use, requestHash: `request ${index}` })),
    );

    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  test('is written with its record, or not at all', async () => {
    const use = aUse();
    const record = aKycRecord({ token: newId() });
    const tooLarge = { ...evidenceOf(record), decidedBy: 'x'.repeat(500_000) };
    await expect(records().create(record, tooLarge, { use })).rejects.toThrow();

    expect(
      await records().create(record, evidenceOf(record), { use: { ...use, requestHash: 'other' } }),
    ).toMatchObject({
      token: record.token,
    });
  });

  test('is found by a process whose write succeeded and whose answer was lost', async () => {
    const record = aKycRecord({ token: newId() });
    const use = aUse();

    expect(await records(lossy()).create(record, evidenceOf(record), { use })).toMatchObject(record);
    expect(await createFor(use)).toMatchObject(record);
  });

  test('is not a record, although it is in the same table', async () => {
    const use = aUse();
    await createFor(use);
    const id = `JTI#demo#${use.tokenIdHash}`;

    expect(await rowIn(tables, 'kycRecords', id)).toMatchObject({ requestHash: 'request' });
    expect(await records().findRecord(id)).toBeUndefined();
  });
});

const outcomes: Record<'APPROVED' | 'REJECTED', KycOutcome> = {
  APPROVED: { status: 'APPROVED', riskTier: 'STANDARD', rules: [] },
  REJECTED: { status: 'REJECTED', riskTier: 'PEP', reason: 'DOCUMENT_REJECTED', rules: [] },
};
function settlementOf(record: KycRecord, status: 'APPROVED' | 'REJECTED', at = NOW + 2000): KycSettlement {
  const { token, partnerId } = record;
  return {
    token,
    outcome: outcomes[status],
    evidence: { ...evidenceOf(record), at },
    event: { id: `kyc_${token}`, partnerId, type: 'kyc.approved', sequence: 1, at, data: { status } },
  };
}
const eventRow = ({ token }: KycRecord) => rowIn(tables, 'events', `kyc_${token}`);

describe('a PENDING record', () => {
  test('is due from its time on, the oldest first, and found by its client', async () => {
    const [later, sooner] = [await putPending({ nextCheckAt: 20 }), await putPending({ nextCheckAt: 10 })];

    expect(await reviews().listDue(9, 10)).toEqual([]);
    expect(await reviews().listDue(20, 10)).toEqual([sooner.token, later.token]);
    expect(await reviews().listDue(20, 1)).toEqual([sooner.token]);
    expect(await reviews().listOfClient(later.clientId, 20)).toEqual([later.token]);

    await reviews().postpone(sooner.token, 30, 7);
    expect(await reviews().listDue(20, 10)).toEqual([later.token]);
    expect(await records().findRecord(sooner.token)).toMatchObject({ nextCheckAt: 30, checks: 7 });
    for (const { token } of [sooner, later]) await reviews().abandon(token);
  });

  test('is found by its client among the newest, up to a limit', async () => {
    const clientId = newId();
    const [old, newest, newer] = [
      await putPending({ clientId, issuedAt: NOW }),
      await putPending({ clientId, issuedAt: NOW + 2 }),
      await putPending({ clientId, issuedAt: NOW + 1 }),
    ];

    expect(await reviews().listOfClient(clientId, 2)).toEqual([newest.token, newer.token]);
    for (const { token } of [old, newest, newer]) await reviews().abandon(token);
  });

  test('remembers the silent sources until its outcome', async () => {
    const record = await putPending({ unanswered: ['CPF_REGISTRY', 'SANCTIONS_LISTS'] });

    await reviews().saveOpen(record.token, { unanswered: ['SANCTIONS_LISTS'], openPairs: [] }, []);
    expect(await records().findRecord(record.token)).toMatchObject({ unanswered: ['SANCTIONS_LISTS'] });

    await reviews().settle(settlementOf(record, 'APPROVED'));
    await reviews().saveOpen(record.token, { unanswered: ['SANCTIONS_LISTS'], openPairs: [] }, []);
    expect(await records().findRecord(record.token)).not.toHaveProperty('unanswered');
  });

  test('is the only kind with an index', async () => {
    const clientId = newId();
    for (const status of ['APPROVED', 'REJECTED'] as const) {
      const record = aKycRecord({ token: newId(), clientId, status });
      await records().create(record, evidenceOf(record));
    }

    expect(await reviews().listOfClient(clientId, 20)).toEqual([]);
    expect(await reviews().listDue(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  test.each(['APPROVED', 'REJECTED'] as const)(
    'becomes %s with evidence and event, and leaves the index',
    async (status) => {
      const record = await putPending({ cnpjCipher: 'cipher' });

      expect(await reviews().settle(settlementOf(record, status))).toBe(true);

      const {
        sweep: _,
        pendingClientId: __,
        nextCheckAt: ___,
        checks: ____,
        cnpjCipher: _____,
        unanswered: ______,
        openPairs: _______,
        ...lasting
      } = record as KycRecord & { sweep: string; pendingClientId: string };
      const { rules: ________, ...outcome } = outcomes[status];
      expect(await records().findRecord(record.token)).toEqual({
        ...lasting,
        ...outcome,
        decidedAt: NOW + 2000,
        sequence: 1,
      });
      expect(await reviews().listDue(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
      expect(await reviews().listOfClient(record.clientId, 20)).toEqual([]);
      expect(await eventRow(record)).toMatchObject({ partnerId: 'demo', sequence: 1 });
      expect(await rowIn(tables, 'evidence', `${record.token}#kyc#${NOW + 2000}`)).toBeDefined();
    },
  );

  test('has one outcome of twenty at once, with one evidence and one event', async () => {
    const record = await putPending();
    const attempts = Array.from({ length: 20 }, (_, index) =>
      settlementOf(record, index % 2 ? 'APPROVED' : 'REJECTED', NOW + index + 1),
    );

    const isSettled = await Promise.all(
      attempts.map((each) =>
        reviews()
          .settle(each)
          .catch(() => false),
      ),
    );

    expect(isSettled.filter(Boolean)).toHaveLength(1);
    const { event, outcome } = attempts[isSettled.indexOf(true)]!;
    expect(await records().findRecord(record.token)).toMatchObject({ status: outcome.status });
    expect(await eventRow(record)).toMatchObject({ data: event.data });
    const rows = await Promise.all(
      attempts.map(({ evidence }) => rowIn(tables, 'evidence', `${record.token}#kyc#${evidence.at}`)),
    );
    expect(rows.filter(Boolean)).toHaveLength(1);
  });

  test('stays unchanged if its event cannot be written', async () => {
    const record = await putPending();
    const settlement = settlementOf(record, 'APPROVED');
    const tooLarge = { ...settlement.event, data: { text: 'x'.repeat(500_000) } };

    await expect(reviews().settle({ ...settlement, event: tooLarge })).rejects.toThrow();

    expect(await records().findRecord(record.token)).toEqual(record);
    await reviews().abandon(record.token);
  });

  test('may be settled although the answer was lost: the next call learns that it is', async () => {
    const record = await putPending();

    await expect(reviews(lossy()).settle(settlementOf(record, 'APPROVED'))).rejects.toMatchObject({
      name: 'Unavailable',
    });

    expect(await reviews().settle(settlementOf(record, 'REJECTED', NOW + 5000))).toBe(false);
    expect(await records().findRecord(record.token)).toMatchObject({ status: 'APPROVED' });
  });

  test('leaves the indexes after its time, and keeps its status', async () => {
    const record = await putPending();

    await reviews().abandon(record.token);
    await reviews().abandon(record.token);
    await reviews().postpone(record.token, 50, 1);

    const there = await records().findRecord(record.token);
    expect(there).toMatchObject({ status: 'PENDING', riskTier: 'HIGH' });
    expect(there).not.toHaveProperty('nextCheckAt');
    expect(await reviews().listDue(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    expect(await reviews().settle(settlementOf(record, 'APPROVED'))).toBe(false);
  });

  test('does not come back by being postponed after it was settled', async () => {
    const record = await putPending();
    await reviews().settle(settlementOf(record, 'APPROVED'));

    await reviews().postpone(record.token, 50, 1);

    expect(await records().findRecord(record.token)).not.toHaveProperty('nextCheckAt');
  });
});
