import { describe, expect, test } from 'vitest';
import { pspAt } from '../support/psp.ts';
import { endOf, eventsOf, openPix, type Purchase, SLOW_MS, transfersTo } from '../support/purchases.ts';
import { expectNothingSent, tellAgain } from '../support/refunds.ts';
import { eventually, randomCpf, sandbox } from '../support/sandbox.ts';

const psp = () => pspAt(sandbox());

const pixOf = async ({ transactionId }: Purchase) => (await psp().charge(transactionId))?.pix ?? [];

/** The Pix of a charge once so many of them have gone back. */
function returned(purchase: Purchase, count: number) {
  const isBack = (pix: { devolucoes?: { status: string }[] }) => pix.devolucoes?.[0]?.status === 'DEVOLVIDO';
  return eventually(
    () => pixOf(purchase),
    (pix) => pix.filter(isBack).length === count,
    SLOW_MS,
  );
}

/** One devolução each, of all of it, under the id that follows from the Pix. */
const asStray = (endToEndId: string, valor = '250.00') => ({
  ...{ endToEndId, valor },
  devolucoes: [{ id: `S${endToEndId}`, valor, status: 'DEVOLVIDO' }],
});

const typesOf = async (purchase: Purchase, count: number) =>
  (await eventsOf(purchase, count)).map(({ type }) => type);

describe.concurrent('goes back in full, and once', { timeout: 180_000 }, () => {
  test('all that is paid besides the one that is settled', async () => {
    const purchase = await openPix();

    await purchase.client.sandbox.pay(purchase.transactionId, { times: 5 });

    const { txHash, refund } = await endOf(purchase, ['COMPLETED']);
    await returned(purchase, 4);
    await tellAgain(purchase);
    const pix = await pixOf(purchase);
    const [settled, ...others] = pix.filter(({ devolucoes }) => !devolucoes);
    expect(settled).toMatchObject({ valor: '250.00' });
    expect(others).toEqual([]);
    const strays = pix.filter(({ devolucoes }) => devolucoes);
    expect(strays).toMatchObject(strays.map(({ endToEndId }) => asStray(endToEndId)));
    expect(strays).toHaveLength(4);
    const transfers = await transfersTo(sandbox().rpcUrl, purchase.walletAddress);
    expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
    expect(refund).toBeUndefined();
    expect(await typesOf(purchase, 2)).toEqual(['transaction.processing', 'transaction.completed']);
  });

  test('what is paid again after COMPLETED', async () => {
    const purchase = await openPix();
    await purchase.client.sandbox.pay(purchase.transactionId);
    await endOf(purchase, ['COMPLETED']);

    expect(await psp().pay(purchase.transactionId, { force: true, amountBrl: '12.34' })).toBe(200);

    await returned(purchase, 1);
    await tellAgain(purchase);
    const [stray, ...others] = (await pixOf(purchase)).filter(({ devolucoes }) => devolucoes);
    expect(others).toEqual([]);
    expect(stray).toMatchObject(asStray(stray!.endToEndId, '12.34'));
    expect(await transfersTo(sandbox().rpcUrl, purchase.walletAddress)).toHaveLength(1);
  });

  test('what a bank delivers after EXPIRED', async () => {
    const purchase = await openPix();
    await endOf(purchase, ['EXPIRED'], 90_000);

    expect(await psp().pay(purchase.transactionId, { force: true })).toBe(200);

    await returned(purchase, 1);
    await tellAgain(purchase);
    const pix = await pixOf(purchase);
    expect(pix).toMatchObject([asStray(pix[0]!.endToEndId)]);
    const { status, refund, failure } = await purchase.client.getTransactionStatus(purchase.transactionId);
    expect({ status, refund, failure }).toEqual({
      ...{ status: 'EXPIRED', refund: undefined, failure: undefined },
    });
    await expectNothingSent(purchase);
    expect(await typesOf(purchase, 1)).toEqual(['transaction.expired']);
  });

  test('each of two payments by somebody else: one fails the purchase, one is a stray', async () => {
    const purchase = await openPix();

    await purchase.client.sandbox.pay(purchase.transactionId, { times: 2, payerCpf: randomCpf() });

    const { failure } = await endOf(purchase, ['FAILED']);
    await returned(purchase, 2);
    await tellAgain(purchase);
    const { refund } = await purchase.client.getTransactionStatus(purchase.transactionId);
    const pix = await pixOf(purchase);
    const stray = pix.find(({ endToEndId }) => endToEndId !== refund!.endToEndId)!;
    expect(failure).toEqual({ reason: 'PAYER_MISMATCH' });
    expect(refund).toMatchObject({ status: 'REFUNDED', amountBrl: 250, reason: 'PAYER_MISMATCH' });
    expect(pix).toHaveLength(2);
    expect(pix.find(({ endToEndId }) => endToEndId === refund!.endToEndId)).toMatchObject({
      devolucoes: [{ id: purchase.transactionId, valor: '250.00', status: 'DEVOLVIDO' }],
    });
    expect(stray).toMatchObject(asStray(stray.endToEndId));
    await expectNothingSent(purchase);
    expect(await typesOf(purchase, 3)).toEqual([
      ...['transaction.processing', 'transaction.failed', 'transaction.refunded'],
    ]);
  });
});
