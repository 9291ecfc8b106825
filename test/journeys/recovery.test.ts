import { describe, expect, test } from 'vitest';
import { localChain } from '../../sandbox/chain/deploy.ts';
import { setTrap } from '../../sandbox/chain/traps.ts';
import { callbacksProcessed } from '../support/callback-queue.ts';
import { executionsIn, statesOf } from '../support/executions.ts';
import { callAsProvider } from '../support/provider-call.ts';
import { pspAt } from '../support/psp.ts';
import {
  clearMfa,
  endOf,
  eventsOf,
  openPix,
  openPurchase,
  type Purchase,
  SLOW_MS,
  transfersTo,
} from '../support/purchases.ts';
import { askControl, eventually, rowOf, sandbox } from '../support/sandbox.ts';

const psp = () => pspAt(sandbox());
const executions = () => executionsIn(sandbox());

/** Expects one payment, one transfer and one announcement. */
async function expectCompletedOnce(purchase: Purchase): Promise<void> {
  const { status, txHash } = await endOf(purchase, ['COMPLETED']);
  const { transactionId, walletAddress } = purchase;
  const transfers = await transfersTo(sandbox().rpcUrl, walletAddress);
  const { pix } = (await psp().charge(transactionId))!;

  expect(status).toBe('COMPLETED');
  expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
  expect(pix?.map(({ devolucoes }) => devolucoes)).toEqual([undefined]);
  const events = await eventsOf(purchase, 2);
  expect(events).toMatchObject([
    { type: 'transaction.processing', data: { sequence: 1 } },
    { type: 'transaction.completed', data: { sequence: 2, txHash } },
  ]);
}

async function statesOfBoth(transactionId: string): Promise<{ first: string[]; second: string[] }> {
  const [first, second] = await Promise.all(
    [transactionId, `${transactionId}-r1`].map((name) => executions().historyOf(name)),
  );
  return { first: statesOf(first!), second: statesOf(second!) };
}

describe.concurrent('a purchase whose execution is lost goes on in <id>-r1', () => {
  test('in AWAITING_MFA', async () => {
    const purchase = await openPurchase();
    const { client, transactionId } = purchase;
    await executions().stop(transactionId);
    const isRunning = (status?: string) => status === 'RUNNING';
    await eventually(() => executions().statusOf(`${transactionId}-r1`), isRunning, SLOW_MS);

    await clearMfa(purchase);
    await client.sandbox.pay(transactionId);

    await expectCompletedOnce(purchase);
    expect(await executions().statusOf(transactionId)).toBe('ABORTED');
    const { second } = await statesOfBoth(transactionId);
    expect(second.slice(0, 2)).toEqual(['WhatNow', 'AwaitAuthentication']);
    expect(second.at(-1)).toBe('CompleteTransaction');
  });

  test('in AWAITING_PIX', async () => {
    const purchase = await openPix();
    const { client, transactionId } = purchase;
    await executions().stop(transactionId);

    await client.sandbox.pay(transactionId);

    await expectCompletedOnce(purchase);
    const { first, second } = await statesOfBoth(transactionId);
    expect(first).not.toContain('CheckWalletRisk');
    expect(second.slice(0, 2)).toEqual(['WhatNow', 'CheckWalletRisk']);
  });

  test('in PROCESSING, with its earlier tries counted', async () => {
    const purchase = await openPix();
    const { client, transactionId, walletAddress: to } = purchase;
    const { quote } = (await rowOf('TablesTransactions', transactionId)) as { quote: { assetUnits: number } };
    const triesOf = async () => (await rowOf('TablesSettlements', `PAY#${transactionId}`))?.tries;
    await setTrap(sandbox().rpcUrl, {
      token: localChain.tokens.USDC,
      to,
      units: BigInt(quote.assetUnits),
      // A second one, so that the first execution cannot end before a busy machine has stopped it.
      reverts: 2,
    });
    await client.sandbox.pay(transactionId);
    await eventually(triesOf, (tries) => (tries as string[] | undefined)?.length === 1, SLOW_MS);
    await executions().stop(transactionId);

    await expectCompletedOnce(purchase);

    const { first, second } = await statesOfBoth(transactionId);
    expect(first.at(-1)).toBe('SettleStablecoin');
    expect(second).toContain('SettleStablecoin');
    expect(await triesOf()).toEqual(['REVERTED', 'REVERTED']);
  });
});

describe.concurrent('a payment', () => {
  test('is found by the reconciliation if its callback is lost', async () => {
    const purchase = await openPix();

    expect(await psp().pay(purchase.transactionId, { callback: false })).toBe(200);

    await expectCompletedOnce(purchase);
  });

  test('counts once if it is reported three times', async () => {
    const purchase = await openPix();
    const { transactionId } = purchase;
    await psp().pay(transactionId, { callback: false });
    const { pix } = (await psp().charge(transactionId))!;

    const told = await Promise.all([1, 2, 3].map(() => psp().callBack({ pix })));
    await endOf(purchase, ['COMPLETED']);
    const toldLate = await psp().callBack({ pix });

    expect([...told, toldLate]).toEqual(Array(4).fill([200]));
    await expectCompletedOnce(purchase);
    expect(await executions().statusOf(`${transactionId}-r1`)).toBeUndefined();
  });

  test('changes nothing if it was only claimed', async () => {
    const purchase = await openPix();
    const { client, transactionId } = purchase;
    const endToEndId = 'E99999004202611201200abcdefghijk';
    const claimed = { pix: [{ endToEndId, txid: transactionId, valor: '250.00', chave: 'any' }] };
    const callbackPath = '/callbacks/pix/not-our-token-000000000000000000000000/pix';
    const before = await client.getTransactionStatus(transactionId);

    const stranger = await callAsProvider(callbackPath, { body: claimed });
    const provider = await psp().callBack(claimed);

    expect(stranger.status).toBe(404);
    expect(provider).toEqual([200]);
    await callbacksProcessed();
    expect(await client.getTransactionStatus(transactionId)).toEqual(before);
    expect(statesOf(await executions().historyOf(transactionId)).at(-1)).toBe('AwaitPixPayment');
  });
});

type Delivered = { id: string; verified: boolean; answered: number; body: { type: string } };

describe.concurrent('a webhook', () => {
  test('comes again under the same id until the receiver takes it', async () => {
    const purchase = await openPix();
    const { client, partnerId, transactionId } = purchase;
    const answerWith = (status: number) =>
      askControl(`/webhooks/${partnerId}/mode`, { method: 'POST', body: JSON.stringify({ status }) });
    const deliveries = async () => {
      const response = await askControl(`/webhooks/${partnerId}`);
      const { deliveries: all } = (await response.json()) as { deliveries: Delivered[] };
      return all.filter(({ id }) => id === `${transactionId}.1`);
    };
    const deliveryRow = () => rowOf('TablesDeliveries', `${transactionId}.1#receiver`);
    await answerWith(500);
    await client.sandbox.pay(transactionId);
    await eventually(deliveries, (found) => found.length >= 2, SLOW_MS);
    expect(await deliveryRow()).toMatchObject({ status: 'PENDING', lastStatusCode: 500 });

    await answerWith(204);

    const row = await eventually(deliveryRow, (found) => found?.status === 'DELIVERED', SLOW_MS);
    const found = await deliveries();
    expect(row).toMatchObject({ attempts: found.length, lastStatusCode: 204 });
    expect(found.map(({ answered }) => answered)).toEqual([...Array(found.length - 1).fill(500), 204]);
    for (const { id, verified, body } of found) {
      expect(id).toBe(`${transactionId}.1`);
      expect(verified).toBe(true);
      expect(body).toEqual(found[0]!.body);
    }
  });
});
