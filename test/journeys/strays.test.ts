import { expect, test } from 'vitest';
import { pspAt } from '../support/psp.ts';
import { clearMfa, endOf, openPix, openPurchase, SLOW_MS, transfersTo } from '../support/purchases.ts';
import { eventually, sandbox } from '../support/sandbox.ts';

const psp = () => pspAt(sandbox());

/** The Pix of a charge once all that should go back has gone back. */
function returned(transactionId: string, count: number) {
  const isBack = (pix: { devolucoes?: { status: string }[] }) => pix.devolucoes?.[0]?.status === 'DEVOLVIDO';
  return eventually(
    async () => (await psp().charge(transactionId))?.pix ?? [],
    (pix) => pix.filter(isBack).length === count,
    SLOW_MS,
  );
}

test('of a Pix that is paid twice, one is settled and one goes back in full', {
  timeout: 120_000,
}, async () => {
  const purchase = await openPix();

  await purchase.client.sandbox.pay(purchase.transactionId, { times: 2 });

  await endOf(purchase, ['COMPLETED']);
  const pix = await returned(purchase.transactionId, 1);
  expect(pix).toHaveLength(2);
  const [back] = pix.filter(({ devolucoes }) => devolucoes);
  expect(back?.devolucoes).toMatchObject([{ id: `S${back?.endToEndId}`, valor: '250.00' }]);
  expect(await transfersTo(sandbox().rpcUrl, purchase.walletAddress)).toHaveLength(1);
});

test('a Pix that a bank delivers after the end goes back in full', { timeout: 120_000 }, async () => {
  const purchase = await openPurchase();
  await clearMfa(purchase);
  await endOf(purchase, ['EXPIRED'], 90_000);

  expect(await psp().pay(purchase.transactionId, { force: true })).toBe(200);

  const [pix] = await returned(purchase.transactionId, 1);
  expect(pix?.devolucoes).toMatchObject([{ id: `S${pix?.endToEndId}`, valor: '250.00' }]);
  expect((await purchase.client.getTransactionStatus(purchase.transactionId)).status).toBe('EXPIRED');
  expect(await transfersTo(sandbox().rpcUrl, purchase.walletAddress)).toEqual([]);
});
