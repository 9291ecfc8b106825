import { describe, expect, test } from 'vitest';
import { cancelTransaction } from '../../functions/api/cancel-transaction.ts';
import { STATUS_NAMES, type Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { receivePayment } from '../../functions/logic/purchase/receive-payment.ts';
import { registerWait } from '../../functions/logic/purchase/waits.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  eventsOf,
  openPorts,
  putPurchaseIn,
  reread,
  START_AT,
} from '../support/ports.ts';

const OPEN = ['AWAITING_MFA', 'AWAITING_PIX'] as const;

/** A purchase whose execution waits, like one that began before any deployment. */
async function waitingIn(status: Status, changes: Partial<Transaction> = {}) {
  const ports = openPorts();
  const wait = { status, token: `token of ${status}` };
  const purchase = await putPurchaseIn(ports, status, { wait, ...changes });
  if (status === 'AWAITING_PIX') ports.pix.charges.set(purchase.id, aCharge(purchase));
  const cancel = (partnerId = purchase.partnerId) =>
    cancelTransaction(
      { id: purchase.id },
      { partner: aPartner({ id: partnerId }), ids: undefined as never },
      ports,
    );
  return { ports, purchase, wait, cancel };
}

// docs/life-of-a-purchase.md, "When a purchase ends before its payment"
describe.each(OPEN)('a purchase in %s', (status) => {
  test('becomes CANCELED, is announced to its partner, and is removed from every wait', async () => {
    const { ports, purchase, cancel } = await waitingIn(status);

    expect(await cancel()).toEqual({ transactionId: purchase.id, status: 'CANCELED' });

    const canceled = await reread(ports, purchase);
    expect(canceled).toMatchObject({ status: 'CANCELED', sequence: 1 });
    expect(canceled).not.toHaveProperty('expiresAt');
    expect(canceled).not.toHaveProperty('nextCheckAt');
    expect(canceled.history.at(-1)).toEqual({ status: 'CANCELED', at: START_AT });
    expect(await eventsOf(ports, purchase)).toEqual([
      expect.objectContaining({
        id: `${purchase.id}.1`,
        partnerId: purchase.partnerId,
        type: 'transaction.canceled',
        at: START_AT,
        data: { transactionId: purchase.id, status: 'CANCELED', sequence: 1 },
      }),
    ]);
  });

  test('answers a second cancel like the first, and announces nothing twice', async () => {
    const { ports, purchase, cancel } = await waitingIn(status);
    const first = await cancel();
    const canceled = await reread(ports, purchase);

    expect(await cancel()).toEqual(first);

    expect(await reread(ports, purchase)).toEqual(canceled);
    expect(await eventsOf(ports, purchase)).toHaveLength(1);
  });

  test('is canceled by its own partner only', async () => {
    const { ports, purchase, cancel } = await waitingIn(status);

    await expect(cancel('another')).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('is canceled after its deadline if its time-out has not come', async () => {
    const { ports, cancel } = await waitingIn(status);
    ports.clock.advance(60 * MINUTE_MS);

    expect(await cancel()).toMatchObject({ status: 'CANCELED' });
  });

  test('is canceled once by many requests at once', async () => {
    const { ports, purchase, cancel } = await waitingIn(status);

    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel()));

    expect(answers).toEqual(Array(10).fill({ transactionId: purchase.id, status: 'CANCELED' }));
    expect((await reread(ports, purchase)).history).toHaveLength(2);
    expect(await eventsOf(ports, purchase)).toHaveLength(1);
  });
});

describe('the charge of a purchase', () => {
  test('is closed at the provider before the purchase is CANCELED', async () => {
    const { ports, purchase, cancel } = await waitingIn('AWAITING_PIX');
    const seen: Status[] = [];
    ports.pix.beforeClosing = async () => void seen.push((await reread(ports, purchase)).status);

    await cancel();

    expect(seen).toEqual(['AWAITING_PIX']);
    expect(ports.pix.charges.get(purchase.id)?.status).toBe('CLOSED');
  });

  test('is closed if a confirmation made it without its write', async () => {
    const { ports, purchase, cancel } = await waitingIn('AWAITING_MFA');
    ports.pix.charges.set(purchase.id, aCharge(purchase));

    await cancel();

    expect(ports.pix.charges.get(purchase.id)?.status).toBe('CLOSED');
  });

  test('keeps the purchase open while the provider does not answer, and is closed by a repetition', async () => {
    const { ports, purchase, cancel } = await waitingIn('AWAITING_PIX');
    ports.pix.isDown = true;
    await expect(cancel()).rejects.toMatchObject({ name: 'Unavailable' });
    expect(await reread(ports, purchase)).toEqual(purchase);

    ports.pix.isDown = false;
    expect(await cancel()).toMatchObject({ status: 'CANCELED' });

    expect(ports.pix.charges.get(purchase.id)?.status).toBe('CLOSED');
  });

  test.each(['before', 'in the moment of'] as const)(
    'lets the purchase go on if it was paid %s its closing',
    async (when) => {
      const { ports, purchase, wait, cancel } = await waitingIn('AWAITING_PIX');
      const pix = aReceivedPix(purchase);
      const pay = () => void ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));
      if (when === 'before') pay();
      else ports.pix.beforeClosing = pay;

      await expect(cancel()).rejects.toMatchObject({
        code: 'TRANSACTION_NOT_CANCELABLE',
        details: { status: 'PROCESSING' },
      });

      const { endToEndId } = pix;
      expect(await reread(ports, purchase)).toMatchObject({ status: 'PROCESSING', payment: { endToEndId } });
      expect((await eventsOf(ports, purchase)).map(({ type }) => type)).toEqual(['transaction.processing']);
      expect(ports.machine.resumed).toEqual([
        { token: wait.token, output: { transactionId: purchase.id, status: 'PROCESSING' } },
      ]);
    },
  );

  test('is read again if it is paid by a Pix that the provider does not show yet', async () => {
    const { ports, purchase, cancel } = await waitingIn('AWAITING_PIX');
    ports.pix.charges.set(purchase.id, { ...aCharge(purchase), status: 'PAID' });

    await expect(cancel()).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});

describe('a Pix that comes after the cancel', () => {
  test('is returned in full, once, and announced', async () => {
    const { ports, purchase, cancel } = await waitingIn('AWAITING_PIX');
    await cancel();
    const pix = aReceivedPix(purchase);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));

    await receivePayment(purchase.id, ports);
    await receivePayment(purchase.id, ports);

    const { endToEndId, amountCentavos } = pix;
    expect(ports.pix.refunds).toEqual([{ endToEndId, amountCentavos, id: `S${endToEndId}` }]);
    expect(await reread(ports, purchase)).toMatchObject({ status: 'CANCELED', sequence: 2 });
    expect(await eventsOf(ports, purchase)).toMatchObject([
      { type: 'transaction.canceled' },
      {
        type: 'transaction.pix_returned',
        data: { status: 'CANCELED', returned: { endToEndId, amountBrl: 250, reason: 'PAID_LATE' } },
      },
    ]);
  });
});

describe('the execution of a canceled purchase', () => {
  /** The only end without a payment that a definition from before the cancel knows. */
  const over = (id: string) => ({ transactionId: id, status: 'EXPIRED' });

  test.each(OPEN)('is resumed in %s with a status that every definition knows', async (status) => {
    const { ports, purchase, wait, cancel } = await waitingIn(status);

    await cancel();

    expect(ports.machine.resumed).toEqual([{ token: wait.token, output: over(purchase.id) }]);
  });

  test.each(OPEN)('is resumed at once if it begins to wait in %s afterwards', async (status) => {
    const { ports, purchase, cancel } = await waitingIn(status, { wait: undefined });
    await cancel();
    expect(ports.machine.resumed).toEqual([]);

    await registerWait({ transactionId: purchase.id, status, taskToken: 'late' }, ports);

    expect(ports.machine.resumed).toEqual([{ token: 'late', output: over(purchase.id) }]);
  });

  test('finds the purchase over at its own time-out if nobody has resumed it', async () => {
    const { ports, purchase, cancel } = await waitingIn('AWAITING_MFA');
    ports.pix.charges.set(purchase.id, aCharge(purchase));
    const dying = { ...ports, pix: { ...ports.pix, closeCharge: () => Promise.reject(new Error('died')) } };
    const { id, partnerId } = purchase;
    const caller = { partner: aPartner({ id: partnerId }), ids: undefined as never };
    await expect(cancelTransaction({ id }, caller, dying)).rejects.toThrow('died');
    ports.clock.advance(15 * MINUTE_MS);

    expect(await expireTransaction({ transactionId: id }, ports)).toEqual(over(id));

    expect((await reread(ports, purchase)).status).toBe('CANCELED');
    expect(ports.pix.charges.get(id)?.status).toBe('CLOSED');
    expect((await eventsOf(ports, purchase)).map(({ type }) => type)).toEqual(['transaction.canceled']);
    expect(await cancel()).toMatchObject({ status: 'CANCELED' });
  });
});

describe('a purchase that is paid or has ended', () => {
  const others = STATUS_NAMES.filter((status) => ![...OPEN, 'CREATED', 'CANCELED'].includes(status));

  test.each(others)('is not canceled in %s, and its charge is unchanged', async (status) => {
    const { ports, purchase, cancel } = await waitingIn(status);

    await expect(cancel()).rejects.toMatchObject({ code: 'TRANSACTION_NOT_CANCELABLE', details: { status } });

    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(ports.pix.closed).toEqual([]);
    expect(ports.machine.resumed).toEqual([]);
  });
});
