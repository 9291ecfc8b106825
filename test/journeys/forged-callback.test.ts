import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { pspAt } from '../support/psp.ts';
import { endOf, eventsOf, openPix, type Purchase, transfersTo } from '../support/purchases.ts';
import { expectNothingSent } from '../support/refunds.ts';
import { rowOf, sandbox } from '../support/sandbox.ts';
import { type ForgedPix, type Sent, strangerAt } from '../support/stranger.ts';

const stranger = () => strangerAt(sandbox());

/** Our notes of a callback: the payments that we intend to read. */
async function hintsOf({ body }: Sent): Promise<unknown> {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  return (await rowOf('TablesCallbacks', `PIX#${digest}`))?.hints;
}

/** The attack: our txid and amount at another key of the same provider, paid by its own merchant. */
async function payTheCopy({ transactionId }: Purchase, tell: { callback: boolean }) {
  await stranger().copyCharge(transactionId, '250.00');
  return stranger().payItself(transactionId, tell);
}

/** Callbacks that the provider never sends by itself. They come from a provider that errs, or from an attacker. */
const BENT = [
  { what: 'leaves the key out', bend: ({ chave: _, ...pix }: ForgedPix): ForgedPix => pix },
  { what: 'names our key', bend: (pix: ForgedPix) => ({ ...pix, chave: stranger().ourKey }) },
];

/** Expects that the purchase expires unpaid, that no callback was believed, and that nothing was sent or returned. */
async function expectUnmoved(purchase: Purchase, { endToEndId }: ForgedPix): Promise<void> {
  const { transactionId } = purchase;
  const { history, refund, failure } = await endOf(purchase, ['EXPIRED']);
  const row = (await rowOf('TablesTransactions', transactionId))!;

  const passed = ['CREATED', 'AWAITING_MFA', 'AWAITING_PIX', 'EXPIRED'];
  expect(history.map(({ status }) => status)).toEqual(passed);
  expect({ refund, failure, payment: row.payment }).toEqual({});
  expect(row).not.toHaveProperty('disposition');
  await expectNothingSent(purchase);
  expect(await rowOf('TablesUnmatchedPayments', endToEndId)).toBeUndefined();
  expect(await rowOf('TablesSettlements', `PAY#${transactionId}`)).toBeUndefined();
  const charge = await pspAt(sandbox()).charge(transactionId);
  expect(charge).toMatchObject({ status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  expect(charge?.pix).toBeUndefined();
  expect(await stranger().paidWith(transactionId)).toMatchObject([{ endToEndId, valor: '250.00' }]);
  expect((await eventsOf(purchase, 1)).map(({ type }) => type)).toEqual(['transaction.expired']);
}

describe.concurrent('the forged-callback attack', () => {
  test('moves nothing: the key in the callback alone shows that it is not ours', async () => {
    const purchase = await openPix();

    const { pix, callbacks } = await payTheCopy(purchase, { callback: true });

    expect(callbacks).toMatchObject([{ attempts: [200], body: { pix: [{ txid: purchase.transactionId }] } }]);
    expect(await hintsOf(callbacks[0]!)).toEqual([]);
    await expectUnmoved(purchase, pix);
  });

  test.each(BENT)(
    'moves nothing if the callback $what, because the charge is read again as ours',
    async ({ bend }) => {
      const purchase = await openPix();

      const { pix } = await payTheCopy(purchase, { callback: false });
      const sent = await stranger().callBack({ pix: [bend(pix)] });

      expect(sent.attempts).toEqual([200]);
      expect(await hintsOf(sent)).toMatchObject([
        { txid: purchase.transactionId, endToEndId: pix.endToEndId },
      ]);
      await expectUnmoved(purchase, pix);
    },
  );

  test('does not stop the settlement of the client’s own payment, once', async () => {
    const purchase = await openPix();
    const { client, transactionId, walletAddress } = purchase;
    const { pix } = await payTheCopy(purchase, { callback: true });

    await client.sandbox.pay(transactionId);

    const { txHash, refund } = await endOf(purchase, ['COMPLETED']);
    expect(refund).toBeUndefined();
    const transfers = await transfersTo(sandbox().rpcUrl, walletAddress);
    expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
    const { payment } = (await rowOf('TablesTransactions', transactionId))!;
    const ours = await pspAt(sandbox()).charge(transactionId);
    expect(payment).toMatchObject({ endToEndId: ours!.pix![0]!.endToEndId });
    expect(payment).not.toMatchObject({ endToEndId: pix.endToEndId });
  });
});
