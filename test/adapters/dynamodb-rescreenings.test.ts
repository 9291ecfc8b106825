import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kycRecordStore, kycReviewStore } from '../../functions/adapters/dynamodb/kyc-records.ts';
import { rescreeningStore, staleRecordStore } from '../../functions/adapters/dynamodb/rescreenings.ts';
import type { KycRecord } from '../../functions/domain/kyc/kyc.ts';
import type { KycRevision } from '../../functions/domain/kyc/kyc-ports.ts';
import { aKycRecord, anEvidence, type KycRecordChanges, NOW } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { newId } from '../support/ports.ts';
import { indexOf } from '../support/rescreening.ts';
import { rowIn, startTables, type Tables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const records = () => kycRecordStore(tables.client, tables.names, dice);
const store = (from: Tables = tables) => rescreeningStore(from.client, from.names, dice);
const stale = () => staleRecordStore(tables.client, tables.names.kycRecords, dice);
const evidenceAt = (token: string, at: number) =>
  anEvidence('kyc', { subject: token, at, inputs: { keyedBiometric: 'ab12' }, findings: { model: 1 } });

async function put(changes: KycRecordChanges = {}): Promise<KycRecord> {
  const record = aKycRecord({
    token: newId(),
    clientId: newId(),
    screenedWith: indexOf(1).version,
    ...changes,
  });
  await records().create(record, evidenceAt(record.token, record.issuedAt));
  return record;
}
const row = ({ token }: KycRecord) => rowIn(tables, 'kycRecords', token);
const read = async ({ token }: KycRecord) => (await records().findRecord(token))!;

async function allStale(day: number, limit = 100): Promise<string[]> {
  const tokens: string[] = [];
  for (let from: Record<string, unknown> | undefined; ; ) {
    const page = await stale().listStale(indexOf(day).version, limit, from);
    tokens.push(...page.tokens);
    if (!page.next) return tokens;
    from = page.next;
  }
}

const revisionOf = (record: KycRecord, changes: Partial<KycRevision> = {}): KycRevision => ({
  record,
  set: { status: 'REJECTED', reason: 'SANCTIONS_HIT', screenedWith: indexOf(2).version },
  evidence: evidenceAt(record.token, NOW + 1),
  event: {
    id: newId(),
    partnerId: record.partnerId,
    type: 'kyc.rejected',
    at: NOW + 1,
    data: {},
    sequence: (record.sequence ?? 0) + 1,
  },
  cases: [],
  ...changes,
});

describe('stale records', () => {
  test('are those that an older index has screened, the oldest first, page by page', async () => {
    const [third, first, second] = [
      await put({ screenedWith: indexOf(5).version }),
      await put({ screenedWith: indexOf(3).version }),
      await put({ screenedWith: indexOf(4).version }),
    ];
    const mine = new Set([first.token, second.token, third.token]);
    const listed = async (day: number) => (await allStale(day, 1)).filter((token) => mine.has(token));

    expect(await listed(6)).toEqual([first.token, second.token, third.token]);
    expect(await listed(5)).toEqual([first.token, second.token]);
    expect(await listed(3)).toEqual([]);
  });

  test('continue after a page, even if the records before it have been screened', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => put({ screenedWith: indexOf(7).version })),
    );
    const mine = new Set(made.map(({ token }) => token));
    const seen: string[] = [];
    let page = await stale().listStale(indexOf(8).version, 2);
    for (;;) {
      for (const token of page.tokens.filter((each) => mine.has(each))) {
        seen.push(token);
        await store().keep(await read({ token } as KycRecord), indexOf(8).version);
      }
      if (!page.next) break;
      page = await stale().listStale(indexOf(8).version, 2, page.next);
    }

    expect(seen.sort()).toEqual([...mine].sort());
  });

  test.each([
    ['was rejected', { status: 'REJECTED', reason: 'SANCTIONS_HIT' }],
    ['nobody was searched for', { screenedWith: undefined }],
  ] as const)('do not include one that %s', async (_, changes) => {
    const record = await put(changes);

    expect(await allStale(9)).not.toContain(record.token);
  });

  test('include one that waits, also once its answers have come', async () => {
    const waiting = await put({ status: 'PENDING', nextCheckAt: NOW, screenedWith: undefined });
    const reviews = kycReviewStore(tables.client, tables.names, dice);
    const screened = { identityCipher: 'cipher', screenedWith: indexOf(1).version };

    await reviews.saveOpen(waiting.token, { unanswered: [], openPairs: [], screened }, []);
    expect(await allStale(9)).toContain(waiting.token);

    const { event, evidence } = revisionOf(waiting);
    const outcome = { status: 'APPROVED', riskTier: 'STANDARD', rules: [] } as const;
    const settlement = { token: waiting.token, outcome: { ...outcome, rules: [] }, evidence, event: event! };
    await reviews.settle({ ...settlement, screened });
    expect(await allStale(9)).toContain(waiting.token);
    expect(await row(waiting)).toMatchObject({ decidedAt: NOW + 1, sequence: 1 });
  });

  test('no longer include one that is retired', async () => {
    const record = await put();
    await stale().retire(record.token);

    expect(await allStale(9)).not.toContain(record.token);
    expect(await read(record)).toMatchObject({ status: 'APPROVED' });
  });
});

describe('the facts of a record', () => {
  test('are those of its first decision, then of its last', async () => {
    const record = await put();
    expect(await store().findFacts(record)).toEqual({
      facts: { model: 1 },
      inputs: { keyedBiometric: 'ab12' },
    });

    const second = anEvidence('kyc', { subject: record.token, at: NOW + 1, findings: { model: 2 } });
    await store().revise(revisionOf(record, { set: { screenedWith: indexOf(2).version }, evidence: second }));

    expect(await store().findFacts(await read(record))).toMatchObject({ facts: { model: 2 } });
    expect(await store().findFacts({ ...record, token: 'unknown' })).toBeUndefined();
  });
});

describe('a revision', () => {
  test('is record, evidence and event, or none of them', async () => {
    const record = await put({ status: 'PENDING', nextCheckAt: NOW, openPairs: ['a'] });
    const tooLarge = { ...evidenceAt(record.token, NOW + 1), decidedBy: 'x'.repeat(500_000) };
    await expect(store().revise(revisionOf(record, { evidence: tooLarge }))).rejects.toThrow();
    expect(await read(record)).toMatchObject({ status: 'PENDING' });
    const revision = revisionOf(record);

    expect(await store().revise(revision)).toBe(true);

    const after = (await row(record))!;
    expect(after).toMatchObject({ status: 'REJECTED', sequence: 1, decidedAt: NOW + 1 });
    for (const name of ['live', 'sweep', 'pendingClientId', 'nextCheckAt', 'openPairs'])
      expect(after).not.toHaveProperty(name);
    expect(await rowIn(tables, 'events', revision.event!.id)).toMatchObject({ type: 'kyc.rejected' });
    expect(await rowIn(tables, 'evidence', `${record.token}#kyc#${NOW + 1}`)).toBeDefined();
  });

  test('makes a record wait again', async () => {
    const record = await put();
    const set = {
      status: 'PENDING',
      openPairs: ['a'],
      nextCheckAt: NOW,
      screenedWith: indexOf(2).version,
    } as const;
    await store().revise(revisionOf(record, { set: { ...set, openPairs: ['a'] }, event: undefined }));

    const reviews = kycReviewStore(tables.client, tables.names, dice);
    expect(await reviews.listDue(NOW, 100)).toContain(record.token);
    expect(await reviews.listOfClient(record.clientId, 10)).toEqual([record.token]);
    expect(await row(record)).not.toHaveProperty('sequence');
  });

  test.each([
    ['was searched for meanwhile', { screenedWith: indexOf(2).version }],
    [
      'was decided meanwhile',
      { set: { status: 'PENDING', nextCheckAt: NOW, screenedWith: indexOf(1).version } },
    ],
  ] as const)('is refused if the record %s', async (_, change) => {
    const record = await put();
    if ('set' in change) await store().revise(revisionOf(record, { set: change.set, event: undefined }));
    else await store().keep(record, change.screenedWith);
    const late = revisionOf(record, { evidence: evidenceAt(record.token, NOW + 2) });

    expect(await store().revise(late)).toBe(false);
    expect(await store().keep(record, indexOf(3).version)).toBe(false);

    expect(await rowIn(tables, 'events', late.event!.id)).toBeUndefined();
    expect((await read(record)).status).not.toBe('REJECTED');
  });

  test('is refused to a process that has not seen the last outcome', async () => {
    const record = await put();
    const set = { status: 'APPROVED', screenedWith: indexOf(1).version } as const;
    await store().revise(revisionOf(record, { set }));

    expect(await store().revise(revisionOf(record, { evidence: evidenceAt(record.token, NOW + 2) }))).toBe(
      false,
    );
  });

  test('is found again after a lost answer', async () => {
    const record = await put();
    const lossy = tapped(tables, (send) => async (command) => {
      const answer = await send(command);
      if (!(command instanceof TransactWriteCommand)) return answer;
      throw Object.assign(new Error('socket hang up'), { $metadata: {} });
    });

    await expect(store(lossy).revise(revisionOf(record))).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await read(record)).toMatchObject({ status: 'REJECTED' });
  });
});
