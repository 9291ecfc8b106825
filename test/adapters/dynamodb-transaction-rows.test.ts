import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { AT, failing } from '../support/builders.ts';
import { aPurchaseIn, newId, openPorts } from '../support/ports.ts';
import { rowIn, startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const store = () => openPorts(tables).transactions;
const put = (status: Transaction['status'], changes?: Partial<Transaction>) =>
  store().create(aPurchaseIn(status, changes));
const reread = async ({ id }: { id: string }) => (await store().findTransaction(id))!;

describe('saveRefundClaim', () => {
  const claim = (purchase: Transaction) => advance(purchase, 'settlement error', AT, failing())!;
  const putSettlement = (purchase: Transaction, fields: Record<string, unknown>) =>
    tables.client.send(
      new PutCommand({ TableName: 'settlements', Item: { id: `PAY#${purchase.id}`, ...fields } }),
    );

  test.each([
    ['no settlement', undefined, undefined, true],
    ['no settlement, although one was claimed', 'SETTLE', undefined, true],
    ['a settlement that owns nothing', undefined, { state: 'REQUESTED' }, true],
    ['a settlement whose nonce is gone', 'SETTLE', { state: 'FAILED' }, true],
    ['a settlement that owns a nonce', 'SETTLE', { state: 'ASSIGNED', nonce: 0 }, false],
    ['a nonce without its disposition', undefined, { state: 'SIGNED', nonce: 7 }, false],
    ['a transfer that is confirmed', 'SETTLE', { state: 'CONFIRMED', nonce: 7 }, false],
    ['a refund that is claimed already', 'REFUND', undefined, false],
  ] as const)('is allowed with %s: %s, %o → %s', async (_, disposition, settlement, isClaimed) => {
    const purchase = await put('PROCESSING', { disposition });
    if (settlement) await putSettlement(purchase, settlement);

    expect(await store().saveRefundClaim(claim(purchase))).toBe(isClaimed);

    const after = await reread(purchase);
    expect(after.disposition).toBe(isClaimed ? 'REFUND' : disposition);
    expect(after.status).toBe(isClaimed ? 'FAILED' : 'PROCESSING');
    expect((await rowIn(tables, 'events', `${purchase.id}.1`)) !== undefined).toBe(isClaimed);
  });
});

describe('a row without a fact that its status requires', () => {
  test.each([
    ['PROCESSING', 'payment'],
    ['COMPLETED', 'payment'],
    ['COMPLETED', 'txHash'],
    ['FAILED', 'payment'],
    ['FAILED', 'failure'],
  ] as const)('is no purchase: %s without %s', async (status, name) => {
    const { id, ...row } = aPurchaseIn(status, { [name]: undefined });
    await tables.client.send(new PutCommand({ TableName: 'transactions', Item: { id, ...row } }));

    await expect(store().findTransaction(id)).rejects.toThrow(
      `there is no ${name} of the ${status} purchase`,
    );
  });
});

describe('the index of due purchases', () => {
  /** Years before the rows of other tests. */
  const LONG_AGO = Date.UTC(1999, 0, 1);

  test('names those whose time has come, the oldest first, as many as requested', async () => {
    const [second, first, third] = await Promise.all(
      [2, 1, 3].map((age) => put('PROCESSING', { nextCheckAt: LONG_AGO + age })),
    );

    expect(await store().listDue(LONG_AGO, 10)).toEqual([]);
    expect(await store().listDue(LONG_AGO + 2, 10)).toEqual([first!.id, second!.id]);
    expect(await store().listDue(LONG_AGO + 9, 2)).toEqual([first!.id, second!.id]);
    expect(await store().listDue(LONG_AGO + 9, 10)).toEqual([first!.id, second!.id, third!.id]);
  });

  test('loses a row when its purchase ends, and a postponement does not bring it back', async () => {
    const purchase = await put('PROCESSING', { nextCheckAt: 1 });
    expect(await store().listDue(1, 10)).toEqual([purchase.id]);

    await store().save(advance(purchase, 'stablecoin settled on-chain', AT, { txHash: '0xhash' })!);
    await store().postpone(purchase.id, 2, 9);

    expect(await store().listDue(2, 10)).toEqual([]);
    expect(await reread(purchase)).toMatchObject({ executions: 0, status: 'COMPLETED' });
  });

  test('shows a postponed row at its new time', async () => {
    const purchase = await put('PROCESSING', { nextCheckAt: 1 });

    await store().postpone(purchase.id, 5, 1);

    expect(await store().listDue(4, 10)).toEqual([]);
    expect(await store().listDue(5, 10)).toEqual([purchase.id]);
    expect(await reread(purchase)).toEqual({ ...purchase, nextCheckAt: 5, executions: 1 });
  });

  test('gets no row of a purchase that does not exist', async () => {
    const id = newId();

    await store().postpone(id, 5, 1);

    expect(await rowIn(tables, 'transactions', id)).toBeUndefined();
  });
});

describe('countMfaAttempt', () => {
  test('allows the exact number of tries, however many ask at once', async () => {
    const purchase = await put('AWAITING_MFA');

    const tries = await Promise.all(
      Array.from({ length: 20 }, () => store().countMfaAttempt(purchase.id, 5)),
    );

    expect(tries.filter((each) => each !== undefined).sort()).toEqual([1, 2, 3, 4, 5]);
    expect((await reread(purchase)).mfaAttempts).toBe(5);
  });

  test.each(['AWAITING_PIX', 'EXPIRED', 'PROCESSING'] as const)('allows none in %s', async (status) => {
    const purchase = await put(status);

    expect(await store().countMfaAttempt(purchase.id, 5)).toBeUndefined();

    expect(await reread(purchase)).toEqual(purchase);
  });

  test('allows none for a purchase that does not exist', async () => {
    const id = newId();

    expect(await store().countMfaAttempt(id, 5)).toBeUndefined();

    expect(await rowIn(tables, 'transactions', id)).toBeUndefined();
  });

  test('allows a try again that was given back', async () => {
    const purchase = await put('AWAITING_MFA', { mfaAttempts: 5 });
    expect(await store().countMfaAttempt(purchase.id, 5)).toBeUndefined();

    await store().returnMfaAttempt(purchase.id);

    expect(await store().countMfaAttempt(purchase.id, 5)).toBe(5);
  });
});

test('an obstacle is stored and removed, only while the purchase has its status', async () => {
  const purchase = await put('AWAITING_PIX');
  const times = { since: 1, times: 1 };
  const obstacle = {
    step: 'reading the payment',
    status: 'AWAITING_PIX',
    error: 'E',
    message: 'm',
    ...times,
  } as const;

  await store().noteObstacle(purchase.id, 'AWAITING_MFA', obstacle);
  expect(await reread(purchase)).toEqual(purchase);
  await store().noteObstacle(purchase.id, 'AWAITING_PIX', obstacle);
  expect(await reread(purchase)).toEqual({ ...purchase, obstacle });
  await store().noteObstacle(purchase.id, 'AWAITING_PIX');
  expect(await reread(purchase)).toEqual(purchase);
});

test('a wait is stored beside all other fields', async () => {
  const purchase = await put('AWAITING_PIX');
  const wait = { status: 'AWAITING_PIX', token: 'token-1' } as const;

  await store().saveWait(purchase.id, wait);

  expect(await reread(purchase)).toEqual({ ...purchase, wait });
});
