import { describe, expect, test } from 'vitest';
import { isOnrampError } from '../../client/errors.ts';
import { executionsIn, statesOf } from '../support/executions.ts';
import { pspAt } from '../support/psp.ts';
import {
  clearMfa,
  endOf,
  eventsOf,
  openPix,
  openPurchase,
  type Purchase,
  SLOW_MS,
} from '../support/purchases.ts';
import { expectNothingSent, tellAgain } from '../support/refunds.ts';
import { eventually, sandbox } from '../support/sandbox.ts';

const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

const psp = () => pspAt(sandbox());
const typesOf = async (purchase: Purchase, count: number) =>
  (await eventsOf(purchase, count)).map(({ type }) => type);

/** The states of the purchase's execution, once it has succeeded. */
async function statesUntilSuccess({ transactionId }: Purchase): Promise<string[]> {
  const executions = executionsIn(sandbox());
  await eventually(
    () => executions.statusOf(transactionId),
    (status) => status === 'SUCCEEDED',
    SLOW_MS,
  );
  return statesOf(await executions.historyOf(transactionId));
}

describe.concurrent('a partner cancels a purchase', () => {
  // docs/life-of-a-purchase.md, "When a purchase ends before its payment"
  test('that waits for its code: no charge is made, and the execution ends', async () => {
    const purchase = await openPurchase();
    const { client, transactionId } = purchase;

    expect(await client.cancelTransaction(transactionId)).toEqual({ transactionId, status: 'CANCELED' });

    const { history } = await endOf(purchase, ['CANCELED']);
    expect(history.map(({ status }) => status)).toEqual(['CREATED', 'AWAITING_MFA', 'CANCELED']);
    const refused = { code: 'INVALID_TRANSACTION_STATE', details: { status: 'CANCELED' } };
    await expect(clearMfa(purchase)).rejects.toMatchObject(refused);
    expect(await psp().charge(transactionId)).toBeUndefined();
    expect(await typesOf(purchase, 1)).toEqual(['transaction.canceled']);
    expect(await statesUntilSuccess(purchase)).toEqual(['WhatNow', 'AwaitAuthentication', 'WhatNow', 'Done']);
  });

  test('that waits for its Pix: the charge takes no money, and the execution ends', async () => {
    const purchase = await openPix();
    const { client, transactionId } = purchase;
    const states = async () => statesOf(await executionsIn(sandbox()).historyOf(transactionId));
    await eventually(states, (entered) => entered.includes('AwaitPixPayment'), SLOW_MS);

    await client.cancelTransaction(transactionId);
    await client.cancelTransaction(transactionId);

    expect(await psp().charge(transactionId)).toMatchObject({ status: REMOVED });
    expect(await psp().pay(transactionId)).toBe(409);
    expect(await typesOf(purchase, 1)).toEqual(['transaction.canceled']);
    expect((await statesUntilSuccess(purchase)).slice(-3)).toEqual(['AwaitPixPayment', 'WhatNow', 'Done']);
    await expectNothingSent(purchase);
  });

  test('and a Pix that a bank delivers afterwards is returned in full, once', async () => {
    const purchase = await openPix();
    const { client, transactionId } = purchase;
    await client.cancelTransaction(transactionId);

    expect(await psp().pay(transactionId, { force: true })).toBe(200);

    const pixOf = async () => (await psp().charge(transactionId))?.pix ?? [];
    const pix = await eventually(pixOf, ([first]) => first?.devolucoes?.[0]?.status === 'DEVOLVIDO', SLOW_MS);
    await tellAgain(purchase);
    expect(await pixOf()).toEqual(pix);
    const [{ endToEndId, devolucoes }] = pix as [(typeof pix)[number]];
    expect(devolucoes).toMatchObject([{ id: `S${endToEndId}`, valor: '250.00' }]);
    expect(await eventsOf(purchase, 2)).toMatchObject([
      { type: 'transaction.canceled', data: { sequence: 1 } },
      {
        type: 'transaction.pix_returned',
        data: { sequence: 2, returned: { endToEndId, reason: 'PAID_LATE' } },
      },
    ]);
    await expectNothingSent(purchase);
  });

  test('that is already paid: the cancel is refused, and the purchase is delivered', async () => {
    const purchase = await openPix();
    const { client, transactionId } = purchase;
    // The provider knows of the payment, and has not told us yet.
    expect(await psp().pay(transactionId, { callback: false })).toBe(200);

    const refusal = await client.cancelTransaction(transactionId).catch((error: unknown) => error);

    expect(isOnrampError(refusal, 'TRANSACTION_NOT_CANCELABLE')).toBe(true);
    expect(refusal).toMatchObject({ status: 409 });
    expect(await endOf(purchase, ['COMPLETED'])).toMatchObject({ status: 'COMPLETED' });
    expect(await typesOf(purchase, 2)).toEqual(['transaction.processing', 'transaction.completed']);
  });

  test('at the moment of its payment: one of the two ends, and the money with it', async () => {
    const stories = await Promise.all(
      Array.from({ length: 6 }, async () => {
        // Each race starts as soon as its purchase is open. On a slow machine the first would expire before the last.
        const purchase = await openPix();
        const { client, transactionId } = purchase;
        const [canceled, paid] = await Promise.all([
          client.cancelTransaction(transactionId).then(
            () => true,
            () => false,
          ),
          psp().pay(transactionId),
        ]);
        const { status } = await endOf(purchase, ['COMPLETED', 'CANCELED']);
        return { canceled, isPaid: paid === 200, status };
      }),
    );

    for (const { canceled, isPaid, status } of stories) {
      expect(status).toBe(isPaid ? 'COMPLETED' : 'CANCELED');
      expect(canceled).toBe(!isPaid);
    }
  });
});
