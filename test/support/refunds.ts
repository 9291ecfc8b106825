import { expect } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { balanceOf } from '../../sandbox/chain/deploy.ts';
import { pspAt } from './psp.ts';
import { endOf, eventsOf, openPix, type Purchase, refundedEnd, transfersTo } from './purchases.ts';
import { sandbox } from './sandbox.ts';

/** Whatever the reason: nothing was sent, all of the money went back once, the partner was told in order. */
export async function expectRefunded(purchase: Purchase, reason: string, amountBrl: number): Promise<void> {
  const { transactionId } = purchase;
  const ended = await refundedEnd(purchase);
  const { pix = [] } = (await pspAt(sandbox()).charge(transactionId))!;
  const endToEndId = pix[0]!.endToEndId;

  expect(ended).toMatchObject({ status: 'FAILED', failure: { reason } });
  expect(ended.refund).toEqual({ status: 'REFUNDED', endToEndId, amountBrl, reason });
  expect(ended.txHash).toBeUndefined();
  expect(ended.history.map(({ status }) => status).slice(3)).toEqual(['PROCESSING', 'FAILED']);
  const valor = amountBrl.toFixed(2);
  expect(pix).toMatchObject([{ valor, devolucoes: [{ id: transactionId, valor, status: 'DEVOLVIDO' }] }]);
  await expectNothingSent(purchase);
  expect(await eventsOf(purchase, 3)).toMatchObject([
    { type: 'transaction.processing', data: { sequence: 1 } },
    { type: 'transaction.failed', data: { sequence: 2, status: 'FAILED', failure: { reason } } },
    { type: 'transaction.refunded', data: { sequence: 3, refund: { endToEndId, amountBrl, reason } } },
  ]);
}

/** Neither by the tokens' own word nor in the wallet, which nobody else pays. */
export async function expectNothingSent({ walletAddress }: Purchase): Promise<void> {
  const { rpcUrl } = sandbox();
  const balances = await Promise.all(ASSET_NAMES.map((asset) => balanceOf(rpcUrl, asset, walletAddress)));

  expect(await transfersTo(rpcUrl, walletAddress)).toEqual([]);
  expect(balances).toEqual(ASSET_NAMES.map(() => 0n));
}

/**
 * Tells of the charge's payments again, three times at once, and returns after a reconciliation that has seen them:
 * it goes through the payments in their order, and nothing else can find the one that is made here last.
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
