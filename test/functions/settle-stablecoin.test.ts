import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { settleStablecoin } from '../../functions/steps/settle-stablecoin.ts';
import { aClient, MINUTE_MS, WALLET } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';

async function confirmed(changes: Partial<Transaction> = {}) {
  const ports = openPorts();
  const quote = { rate: '0.00000001', feeCentavos: 0, assetUnits: 2n ** 63n + 1n };
  const purchase = await putPurchaseIn(ports, 'PROCESSING', { quote, ...changes });
  const { clientId: id, partnerId } = purchase;
  await ports.clients.create(aClient({ id, partnerId }));
  const visit = (checkedAt: number | undefined = ports.clock.now()) =>
    settleStablecoin({ transactionId: purchase.id, checkedAt }, ports);
  return { ports, purchase, visit };
}

describe('settlement', () => {
  test('is requested for the quoted amount, to the last unit', async () => {
    const { ports, purchase, visit } = await confirmed();

    await visit();

    expect(ports.treasury.payouts).toEqual([
      { transactionId: purchase.id, asset: 'USDC', units: 2n ** 63n + 1n, to: WALLET },
    ]);
  });

  test('ends with its hash and block when it is confirmed', async () => {
    const { ports, purchase, visit } = await confirmed();
    ports.treasury.outcome = { state: 'CONFIRMED', txHash: '0xaa', blockNumber: 9 };

    expect(await visit()).toEqual({
      transactionId: purchase.id,
      status: 'PROCESSING',
      decision: 'CONFIRMED',
      asset: 'USDC',
      txHash: '0xaa',
      blockNumber: 9,
    });
  });

  test('is NotYetConfirmed while it waits for the chain, which uses up no try', async () => {
    const { ports, visit } = await confirmed();
    ports.treasury.outcome = { state: 'PENDING', doing: 'awaiting confirmations' };

    await expect(visit()).rejects.toMatchObject({
      name: 'NotYetConfirmed',
      message: 'awaiting confirmations',
    });
  });

  test('is AwaitingDepth while only blocks on top of the transfer are missing', async () => {
    const { ports, visit } = await confirmed();
    ports.treasury.outcome = { state: 'PENDING', doing: 'awaiting depth' };

    await expect(visit()).rejects.toMatchObject({ name: 'AwaitingDepth', message: 'awaiting depth' });
  });

  test.each([3, 0])('is SettlementFailed after a final failure, with %i tries left', async (triesLeft) => {
    const { ports, visit } = await confirmed();
    ports.treasury.outcome = { state: 'FAILED', reason: 'REVERTED', triesLeft };

    await expect(visit()).rejects.toMatchObject({
      name: 'SettlementFailed',
      message: `REVERTED, ${triesLeft} tries left`,
    });
  });

  test.each([
    ['SANCTIONS_HIT', 'CLIENT_REFUSED'],
    ['WALLET_RISK_TOO_HIGH', 'WALLET_RISK_TOO_HIGH'],
    ['SETTLEMENT_CANCELLED', 'SettlementCancelled'],
  ] as const)('that was cancelled for %s ends as %s', async (cancelledFor, name) => {
    const { ports, visit } = await confirmed();
    ports.treasury.outcome = { state: 'FAILED', reason: 'CANCELLED', triesLeft: 0, cancelledFor };

    await expect(visit()).rejects.toMatchObject({ name });
  });

  test('is repeated as a step if it breaks', async () => {
    const { ports, purchase, visit } = await confirmed();
    ports.treasury.settle = () => Promise.reject(new TypeError('broken'));

    await expect(visit()).rejects.toMatchObject({ name: 'TypeError' });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});

describe('a client who was rejected since the purchase began', () => {
  const rejected = { rejectedAt: START_AT + 1, rejectedFor: 'SANCTIONS_HIT' } as const;

  // docs/decisions.md, "Screening again"
  test('is checked again while nothing is owned, and nothing is sent', async () => {
    const { ports, purchase, visit } = await confirmed();
    await ports.clients.noteVerdict(purchase.clientId, rejected);

    await expect(visit()).rejects.toMatchObject({ name: 'CheckAgain' });

    expect(ports.treasury.payouts).toEqual([]);
  });

  test('is not checked again once a nonce is owned: only the chain ends the transfer', async () => {
    const { ports, purchase, visit } = await confirmed({ disposition: 'SETTLE' });
    await ports.clients.noteVerdict(purchase.clientId, rejected);

    expect(await visit()).toMatchObject({ decision: 'CONFIRMED' });
  });

  test('is not refused for a rejection before the last submission', async () => {
    const { ports, purchase, visit } = await confirmed();
    await ports.clients.noteVerdict(purchase.clientId, { ...rejected, rejectedAt: START_AT });

    expect(await visit()).toMatchObject({ decision: 'CONFIRMED' });
  });
});

describe('checks of client and wallet', () => {
  const TEN_MINUTES_MS = 10 * MINUTE_MS;

  test('are good for ten minutes', async () => {
    const { ports, visit } = await confirmed();

    expect(await visit(ports.clock.now() - TEN_MINUTES_MS)).toMatchObject({ decision: 'CONFIRMED' });
  });

  test.each([
    ['older than that', TEN_MINUTES_MS + 1],
    ['that nobody knows the time of', Number.NaN],
  ])('%s are made again, and nothing is opened or sent', async (_, ageMs) => {
    const { ports, visit } = await confirmed();

    let isOpened = false;
    const clear = () => {
      isOpened = true;
    };
    ports.treasury.begin = () => ({ found: Promise.resolve(undefined), clear });

    await expect(visit(ports.clock.now() - ageMs)).rejects.toMatchObject({ name: 'CheckAgain' });

    expect([ports.treasury.payouts, isOpened]).toEqual([[], false]);
  });

  test('do not matter once a nonce is owned', async () => {
    const { ports, visit } = await confirmed({ disposition: 'SETTLE' });

    expect(await visit(ports.clock.now() - 2 * TEN_MINUTES_MS)).toMatchObject({ decision: 'CONFIRMED' });
  });
});
