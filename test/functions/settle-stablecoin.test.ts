import { describe, expect, test } from 'vitest';
import { settleStablecoin } from '../../functions/steps/settle-stablecoin.ts';
import { WALLET } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { sandboxTables } from '../support/tables.ts';

async function confirmed() {
  const ports = openPorts(sandboxTables());
  const quote = { rate: '0.00000001', feeCentavos: 0, assetUnits: 2n ** 63n + 1n };
  const purchase = await putPurchaseIn(ports, 'PROCESSING', { quote });
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
