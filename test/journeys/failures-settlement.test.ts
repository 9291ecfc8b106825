import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { ASSET_NAMES, type Asset } from '../../functions/domain/assets.ts';
import { localChain } from '../../sandbox/chain/deploy.ts';
import { type Receipt, rpc } from '../../sandbox/chain/rpc.ts';
import { executionsIn } from '../support/executions.ts';
import { pspAt } from '../support/psp.ts';
import { endOf, eventsOf, openPix, type Purchase, transfersTo } from '../support/purchases.ts';
import { expectRefunded } from '../support/refunds.ts';
import { dynamo, physical, rowOf, sandbox } from '../support/sandbox.ts';

const RECOVERS = '900.000.008-41';
const NEVER_SETTLES = '900.000.009-22';

type Slot = { id: string; reason?: string; attempts?: { hash: string }[] };

/**
 * Finds the slots of the purchase: one for each nonce that it owned, perhaps in several wallets. Failed slots come
 * first. A slot stays after its try has ended.
 */
async function slotsOf(transactionId: string): Promise<Slot[]> {
  const command = new ScanCommand({
    TableName: physical('TablesSettlements'),
    FilterExpression: 'begins_with(id, :slot) AND transactionId = :transactionId',
    ExpressionAttributeValues: { ':slot': 'SLOT#', ':transactionId': transactionId },
    ConsistentRead: true,
  });
  const { Items = [] } = await dynamo().send(command);
  return (Items as Slot[]).sort((a, b) => Number(!a.reason) - Number(!b.reason));
}

/** The failed transfers on the chain: each was mined by the token's own contract, and reverted. */
async function expectReverted(slots: Slot[], asset: Asset, count: number): Promise<void> {
  const hashes = slots.flatMap(({ attempts = [] }) => attempts.map(({ hash }) => hash));
  const receipts = await Promise.all(
    hashes.map((hash) =>
      rpc<Receipt & { to: string }>(sandbox().rpcUrl, 'eth_getTransactionReceipt', [hash]),
    ),
  );
  const reverted = { status: '0x0', to: localChain.tokens[asset].toLowerCase() };

  expect(slots.map(({ reason }) => reason)).toEqual(Array(count).fill('REVERTED'));
  expect(receipts).toMatchObject(Array(count).fill(reverted));
}

/** How often the machine received a failed try, all in one execution. */
async function failedTriesOf({ transactionId }: Purchase): Promise<number> {
  const executions = executionsIn(sandbox());
  expect(await executions.statusOf(`${transactionId}-r1`)).toBeUndefined();
  const history = await executions.historyOf(transactionId);
  const errors = history.map((event) => event.lambdaFunctionFailedEventDetails?.error);
  return errors.filter((error) => error === 'SettlementFailed').length;
}

async function expectSettledOnce(purchase: Purchase): Promise<void> {
  const { transactionId, walletAddress } = purchase;
  const { txHash, failure, refund } = await endOf(purchase, ['COMPLETED']);
  const transfers = await transfersTo(sandbox().rpcUrl, walletAddress);
  const { pix } = (await pspAt(sandbox()).charge(transactionId))!;

  expect({ failure, refund }).toEqual({ failure: undefined, refund: undefined });
  expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
  expect(pix?.map(({ devolucoes }) => devolucoes)).toEqual([undefined]);
  expect(await eventsOf(purchase, 2)).toMatchObject([
    { type: 'transaction.processing', data: { sequence: 1 } },
    { type: 'transaction.completed', data: { sequence: 2, txHash } },
  ]);
}

describe.concurrent('a transfer that is mined and reverts', () => {
  test.each(ASSET_NAMES)('of %s is sent again until its third retry succeeds, once', async (asset) => {
    const purchase = await openPix({ cpf: RECOVERS, asset });
    const { client, transactionId } = purchase;

    const { note } = await client.sandbox.pay(transactionId);

    expect(note).toBeUndefined();
    await expectSettledOnce(purchase);
    const slots = await slotsOf(transactionId);
    expect(slots).toHaveLength(4);
    await expectReverted(slots.slice(0, 3), asset, 3);
    expect(slots[3]).not.toHaveProperty('reason');
    expect(await rowOf('TablesSettlements', `PAY#${transactionId}`)).toMatchObject({
      state: expect.stringMatching(/^(CONFIRMED|FINAL)$/),
      tries: ['REVERTED', 'REVERTED', 'REVERTED'],
    });
    expect(await failedTriesOf(purchase)).toBe(3);
  });

  // Spec, Transaction states: "FAILED: settlement error after automatic retries (3 attempts)"
  test.each(ASSET_NAMES)('of %s at every try ends in a refund', async (asset) => {
    const purchase = await openPix({ cpf: NEVER_SETTLES, asset });
    const { client, transactionId } = purchase;

    await client.sandbox.pay(transactionId);

    await expectRefunded(purchase, 'SETTLEMENT_FAILED', 250);
    const slots = await slotsOf(transactionId);
    await expectReverted(slots, asset, 4);
    const settlement = (await rowOf('TablesSettlements', `PAY#${transactionId}`))!;
    expect(settlement).toMatchObject({ state: 'FAILED', tries: Array(4).fill('REVERTED') });
    expect(settlement).not.toHaveProperty('nonce');
    expect(await failedTriesOf(purchase)).toBe(4);
  });

  test('leaves its wallet to the next purchase', async () => {
    const failed = await openPix({ cpf: NEVER_SETTLES });
    await failed.client.sandbox.pay(failed.transactionId);
    await expectRefunded(failed, 'SETTLEMENT_FAILED', 250);

    const next = await openPix({ walletAddress: failed.walletAddress });
    await next.client.sandbox.pay(next.transactionId);

    await expectSettledOnce(next);
    expect(await slotsOf(next.transactionId)).toHaveLength(1);
  });
});
