import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { executionsIn } from '../support/executions.ts';
import { hurriedMinutes } from '../support/hurried.ts';
import { pspAt } from '../support/psp.ts';
import { clearMfa, endOf, eventsOf, openPix, openPurchase, transfersTo } from '../support/purchases.ts';
import { expectRefunded, tellAgain } from '../support/refunds.ts';
import { sandbox } from '../support/sandbox.ts';

const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

const psp = () => pspAt(sandbox());
const lasted = (history: readonly { at: string }[]) =>
  Date.parse(history.at(-1)!.at) - Date.parse(history.at(-2)!.at);

describe.concurrent('a purchase', () => {
  // Spec, Transaction states: "EXPIRED: no MFA response within 15 minutes"
  // docs/architecture.md, "Five ideas"
  test('expires 15 minutes after it was opened, and takes no code afterwards', async () => {
    const purchase = await openPurchase();
    const { transactionId, walletAddress } = purchase;

    const { history, ...expired } = await endOf(purchase, ['EXPIRED']);

    expect(history.map(({ status }) => status)).toEqual(['CREATED', 'AWAITING_MFA', 'EXPIRED']);
    expect(lasted(history)).toBeGreaterThanOrEqual(hurriedMinutes(15));
    expect(lasted(history)).toBeLessThan(hurriedMinutes(29));
    expect(expired.expiresAt).toBeUndefined();
    const refused = { code: 'TRANSACTION_EXPIRED', status: 409 };
    await expect(clearMfa(purchase)).rejects.toMatchObject(refused);
    expect(await psp().charge(transactionId)).toBeUndefined();
    const events = await eventsOf(purchase, 1);
    const data = { transactionId, status: 'EXPIRED', sequence: 1, missed: 'AUTHENTICATION' };
    expect(events).toEqual([{ type: 'transaction.expired', timestamp: history.at(-1)!.at, data }]);
    expect(await transfersTo(sandbox().rpcUrl, walletAddress)).toEqual([]);
  });

  // Spec, Transaction states: "EXPIRED: no Pix payment within 30 minutes"
  test('expires 30 minutes after its Pix was issued; the charge is closed and takes no money', async () => {
    const purchase = await openPix();
    const { client, transactionId } = purchase;
    expect(await psp().charge(transactionId)).toMatchObject({ status: 'ATIVA' });

    const { history } = await endOf(purchase, ['EXPIRED']);

    expect(history.map(({ status }) => status).slice(2)).toEqual(['AWAITING_PIX', 'EXPIRED']);
    expect(lasted(history)).toBeGreaterThanOrEqual(hurriedMinutes(30));
    expect(lasted(history)).toBeLessThan(hurriedMinutes(59));
    expect(await psp().charge(transactionId)).toMatchObject({ status: REMOVED });
    const refused = { code: 'INVALID_TRANSACTION_STATE', status: 409, details: { status: 'EXPIRED' } };
    await expect(client.sandbox.pay(transactionId)).rejects.toMatchObject(refused);
    expect(await psp().pay(transactionId)).toBe(409);
    expect((await psp().charge(transactionId))?.pix).toBeUndefined();
    const [event, ...others] = await eventsOf(purchase, 1);
    expect(event).toMatchObject({ type: 'transaction.expired', data: { status: 'EXPIRED', sequence: 1 } });
    expect(others).toEqual([]);
  });

  // Spec, Transaction states: "EXPIRED: no Pix payment within 30 minutes"
  // docs/decisions.md, "Paid, then failed"
  test('is refunded, once, if the bank was late and the charge was not closed yet', async () => {
    const purchase = await openPix();
    const { transactionId, pixExpiresAt } = purchase;
    // Without an execution nothing expires, so the record's deadline alone judges a payment.
    await executionsIn(sandbox()).stop(transactionId);
    await wait(pixExpiresAt + 200 - Date.now());
    expect(await psp().pay(transactionId, { force: true })).toBe(200);

    await expectRefunded(purchase, 'PAID_LATE', 250);

    await tellAgain(purchase);
    await expectRefunded(purchase, 'PAID_LATE', 250);
  });
});
