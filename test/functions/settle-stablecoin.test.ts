import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../functions/domain/transaction.ts';
import { settleStablecoin } from '../../functions/steps/settle-stablecoin.ts';
import { aClient, WALLET } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import { sandboxTables } from '../support/tables.ts';

async function confirmed(changes: Partial<Transaction> = {}) {
  const ports = openPorts(sandboxTables());
  const quote = { rate: '0.00000001', feeCentavos: 0, assetUnits: 2n ** 63n + 1n };
  const purchase = await putPurchaseIn(ports, 'PROCESSING', { quote, ...changes });
  const { clientId: id, partnerId } = purchase;
  await ports.clients.create(aClient({ id, partnerId }));
  return { ports, purchase, visit: () => settleStablecoin({ transactionId: purchase.id }, ports) };
}

describe('settlement', () => {
  test('is asked for what was quoted, to the last unit', async () => {
    const { ports, purchase, visit } = await confirmed();

    await visit();

    expect(ports.treasury.payouts).toEqual([
      { transactionId: purchase.id, asset: 'USDC', units: 2n ** 63n + 1n, to: WALLET },
    ]);
  });

  test('that is confirmed ends with its hash and block', async () => {
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

  test('that waits for the chain is NotYetConfirmed, which uses up no try', async () => {
    const { ports, visit } = await confirmed();
    ports.treasury.outcome = { state: 'PENDING', doing: 'awaiting confirmations' };

    await expect(visit()).rejects.toMatchObject({
      name: 'NotYetConfirmed',
      message: 'awaiting confirmations',
    });
  });

  test.each([3, 0])('that failed for good is SettlementFailed, with %i tries left', async (triesLeft) => {
    const { ports, visit } = await confirmed();
    ports.treasury.outcome = { state: 'FAILED', reason: 'REVERTED', triesLeft };

    await expect(visit()).rejects.toMatchObject({
      name: 'SettlementFailed',
      message: `REVERTED, ${triesLeft} tries left`,
    });
  });

  test('that breaks is neither: the step is repeated', async () => {
    const { ports, purchase, visit } = await confirmed();
    ports.treasury.settle = () => Promise.reject(new TypeError('broken'));

    await expect(visit()).rejects.toMatchObject({ name: 'TypeError' });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});

describe('a client who was rejected since the purchase began', () => {
  const rejected = { rejectedAt: START_AT + 1, rejectedFor: 'SANCTIONS_HIT' } as const;

  test.each([
    ['SANCTIONS_HIT', 'CLIENT_REFUSED'],
    ['DOCUMENT_REJECTED', 'KYC_REJECTED'],
  ] as const)(
    'for %s, ends it as %s while nothing is owned, and nothing is sent',
    async (rejectedFor, name) => {
      const { ports, purchase, visit } = await confirmed();
      await ports.clients.noteVerdict(purchase.clientId, { ...rejected, rejectedFor });

      await expect(visit()).rejects.toMatchObject({ name });

      expect(ports.treasury.payouts).toEqual([]);
    },
  );

  test('does not end it once a nonce is owned: only the chain does', async () => {
    const { ports, purchase, visit } = await confirmed({ disposition: 'SETTLE' });
    await ports.clients.noteVerdict(purchase.clientId, rejected);

    expect(await visit()).toMatchObject({ decision: 'CONFIRMED' });
  });

  test('before it began does not end it: a submission since then was approved', async () => {
    const { ports, purchase, visit } = await confirmed();
    await ports.clients.noteVerdict(purchase.clientId, { ...rejected, rejectedAt: START_AT });

    expect(await visit()).toMatchObject({ decision: 'CONFIRMED' });
  });
});
