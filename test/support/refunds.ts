import { expect } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { balanceOf } from '../../sandbox/chain/deploy.ts';
import { pspAt } from './psp.ts';
import { endOf, eventsOf, openPix, type Purchase, refundedEnd, transfersTo } from './purchases.ts';
import { sandbox } from './sandbox.ts';

/** Expects the same end for every reason: no transfer, one full refund, and the three events in order. */
export async function expectRefunded(purchase: Purchase, reason: string, amountBrl: number): Promise<void> {
  const { transactionId } = purchase;
  const ended = await refundedEnd(purchase);
  const { pix = [] } = (await pspAt(sandbox()).charge(transactionId))!;
  const endToEndId = pix[0]!.endToEndId;

  expect(ended).toMatchObject({ status: 'FAILED', failure: { reason } });
  const { rtrId } = pix[0]!.devolucoes![0]!;
  const made = { returnId: transactionId, rtrId, refundedAt: expect.any(String) };
  expect(ended.refund).toEqual({ status: 'REFUNDED', endToEndId, amountBrl, reason, ...made });
  expect(ended.txHash).toBeUndefined();
  expect(ended.history.map(({ status }) => status).slice(3)).toEqual(['PROCESSING', 'FAILED']);
  const valor = amountBrl.toFixed(2);
  expect(pix).toMatchObject([{ valor, devolucoes: [{ id: transactionId, valor, status: 'DEVOLVIDO' }] }]);
  await expectNothingSent(purchase);
  expect(await eventsOf(purchase, 3)).toMatchObject([
    { type: 'transaction.processing', data: { sequence: 1 } },
    { type: 'transaction.failed', data: { sequence: 2, status: 'FAILED', failure: { reason } } },
    {
      type: 'transaction.refunded',
      data: { sequence: 3, refund: { endToEndId, amountBrl, reason, ...made } },
    },
  ]);
}

/** Expects no transfer to the wallet by the tokens' events, and an empty wallet. */
export async function expectNothingSent({ walletAddress }: Purchase): Promise<void> {
  const { rpcUrl } = sandbox();
  const balances = await Promise.all(ASSET_NAMES.map((asset) => balanceOf(rpcUrl, asset, walletAddress)));

  expect(await transfersTo(rpcUrl, walletAddress)).toEqual([]);
  expect(balances).toEqual(ASSET_NAMES.map(() => 0n));
}

/**
 * Repeats the callback of the charge's payments three times at once. Then waits until reconciliation has seen these
 * payments.
 *
 * For that it pays another purchase without a callback, which only reconciliation can find. Reconciliation reads the
 * payments in order, so it has seen the earlier ones by then.
 */
export async function tellAgain({ transactionId }: Purchase): Promise<void> {
  const psp = pspAt(sandbox());
  const { pix } = (await psp.charge(transactionId))!;
  const told = await Promise.all([1, 2, 3].map(() => psp.callBack({ pix })));
  expect(told).toEqual(Array(3).fill([200]));

  const last = await openPix();
  await psp.pay(last.transactionId, { callback: false });
  await endOf(last, ['COMPLETED']);
}
