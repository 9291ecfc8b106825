import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { executionsIn } from '../support/executions.ts';
import { pspAt } from '../support/psp.ts';
import {
  clearMfa,
  endOf,
  eventsOf,
  openPix,
  openPurchase,
  refundedEnd,
  transfersTo,
} from '../support/purchases.ts';
import { sandbox } from '../support/sandbox.ts';

/** A minute lasts a second here. */
const minutes = (count: number) => count * 1000;
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

const psp = () => pspAt(sandbox());
const lasted = (history: readonly { at: string }[]) =>
  Date.parse(history.at(-1)!.at) - Date.parse(history.at(-2)!.at);

describe.concurrent('a purchase', { timeout: 120_000 }, () => {
  test('expires 15 minutes after it was opened, and takes no code afterwards', async () => {
    const purchase = await openPurchase();
    const { transactionId, walletAddress } = purchase;

    const { history, ...expired } = await endOf(purchase, ['EXPIRED']);

    expect(history.map(({ status }) => status)).toEqual(['CREATED', 'AWAITING_MFA', 'EXPIRED']);
    expect(lasted(history)).toBeGreaterThanOrEqual(minutes(15));
    expect(lasted(history)).toBeLessThan(minutes(29));
    expect(expired.expiresAt).toBeUndefined();
    const refused = { code: 'TRANSACTION_EXPIRED', status: 409 };
    await expect(clearMfa(purchase)).rejects.toMatchObject(refused);
    expect(await psp().charge(transactionId)).toBeUndefined();
    const events = await eventsOf(purchase, 1);
    const data = { transactionId, status: 'EXPIRED', sequence: 1 };
    expect(events).toEqual([{ type: 'transaction.expired', timestamp: history.at(-1)!.at, data }]);
    expect(await transfersTo(sandbox().rpcUrl, walletAddress)).toEqual([]);
  });

  test('expires 30 minutes after its Pix was issued; the charge is closed and takes no money', async () => {
    const purchase = await openPix();
    const { client, transactionId } = purchase;
    expect(await psp().charge(transactionId)).toMatchObject({ status: 'ATIVA' });

    const { history } = await endOf(purchase, ['EXPIRED']);

    expect(history.map(({ status }) => status).slice(2)).toEqual(['AWAITING_PIX', 'EXPIRED']);
    expect(lasted(history)).toBeGreaterThanOrEqual(minutes(30));
    expect(lasted(history)).toBeLessThan(minutes(59));
    expect(await psp().charge(transactionId)).toMatchObject({ status: REMOVED });
    const refused = { code: 'INVALID_TRANSACTION_STATE', status: 409, details: { status: 'EXPIRED' } };
    await expect(client.sandbox.pay(transactionId)).rejects.toMatchObject(refused);
    expect(await psp().pay(transactionId)).toBe(409);
    expect((await psp().charge(transactionId))?.pix).toBeUndefined();
    const [event, ...others] = await eventsOf(purchase, 1);
    expect(event).toMatchObject({ type: 'transaction.expired', data: { status: 'EXPIRED', sequence: 1 } });
    expect(others).toEqual([]);
  });

  test('ends paid and completed, or unpaid and expired, when it is paid around the deadline', async () => {
    // Every other payment comes without its callback: the expiry itself must find it.
    const offsetsMs = [-2500, -1500, -800, -400, -150, 0, 150, 400];

    const ends = await Promise.all(
      offsetsMs.map(async (offsetMs, index) => {
        const purchase = await openPix();
        await wait(purchase.pixExpiresAt + offsetMs - Date.now());
        const answer = await psp().pay(purchase.transactionId, { callback: index % 2 === 0 });
        const { status, refund } = await endOf(purchase, ['COMPLETED', 'EXPIRED', 'FAILED']);
        const { pix = [] } = (await psp().charge(purchase.transactionId))!;
        const transfers = await transfersTo(sandbox().rpcUrl, purchase.walletAddress);
        return { answer, status, refund, pix: pix.length, transfers: transfers.length };
      }),
    );

    const paid = { answer: 200, status: 'COMPLETED', refund: undefined, pix: 1, transfers: 1 };
    const unpaid = { answer: 409, status: 'EXPIRED', refund: undefined, pix: 0, transfers: 0 };
    expect(ends).toEqual(ends.map(({ answer }) => (answer === 200 ? paid : unpaid)));
    expect(ends[0]).toEqual(paid);
    expect(ends.at(-1)).toEqual(unpaid);
  });

  test('is given its money back when the bank was late and nobody had closed the charge yet', async () => {
    const purchase = await openPix();
    const { transactionId, walletAddress, pixExpiresAt } = purchase;
    // No execution, so nothing expires: a payment is then judged by the record's deadline alone.
    await executionsIn(sandbox()).stop(transactionId);
    await wait(pixExpiresAt + 200 - Date.now());
    expect(await psp().pay(transactionId, { force: true })).toBe(200);

    const { failure, refund } = await refundedEnd(purchase);

    expect(failure).toEqual({ reason: 'PAID_LATE' });
    expect(refund).toMatchObject({ amountBrl: 250, reason: 'PAID_LATE' });
    const { pix } = (await psp().charge(transactionId))!;
    expect(pix).toMatchObject([{ devolucoes: [{ valor: '250.00', status: 'DEVOLVIDO' }] }]);
    expect(await transfersTo(sandbox().rpcUrl, walletAddress)).toEqual([]);
  });
});
