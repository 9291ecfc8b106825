import { describe, expect, test } from 'vitest';
import type { PixReturn, ReceivedPix } from '../../functions/domain/purchase/pix.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { receivePayment } from '../../functions/logic/purchase/receive-payment.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { confirmPixPayment } from '../../functions/steps/confirm-pix-payment.ts';
import { failTransaction } from '../../functions/steps/fail-transaction.ts';
import { aClient, MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  newEndToEndId,
  newId,
  openPorts,
  putPurchaseIn,
  reread,
  START_AT,
} from '../support/ports.ts';

/** Ports at a provider whose answers need not agree, two hours after the start. */
function world() {
  const ports = openPorts();
  ports.clock.advance(120 * MINUTE_MS);
  const waiting = () =>
    putPurchaseIn(ports, 'AWAITING_PIX', { wait: { status: 'AWAITING_PIX', token: newId() } });
  /** Lets the provider show these Pix with the purchase's charge. */
  const charge = (purchase: Transaction, payments: ReceivedPix[]) =>
    ports.pix.charges.set(purchase.id, aCharge(purchase, payments));
  /** Lets the provider list the Pix without the id of its charge. */
  const listWithoutTxid = ({ txid: _, ...pix }: ReceivedPix) => ports.pix.received.push(pix);
  const unmatched = ({ endToEndId }: ReceivedPix) => ports.unmatchedPayments.findUnmatched(endToEndId);
  return { ports, waiting, charge, listWithoutTxid, unmatched };
}

// docs/decisions.md, "Paid, then failed"
describe('a Pix', () => {
  test('that has paid a purchase is not returned when the list lacks its txid', async () => {
    const { ports, waiting, charge, listWithoutTxid, unmatched } = world();
    const purchase = await waiting();
    const pix = aReceivedPix(purchase);
    charge(purchase, [pix]);
    expect(await receivePayment(purchase.id, ports)).toBe(true);
    listWithoutTxid(pix);

    await reconcilePix(ports);

    expect(await unmatched(pix)).toBeUndefined();
    expect(ports.pix.refunds).toEqual([]);
    expect(ports.log.raised).toEqual(['ReconciliationFailed']);
  });

  test('that was returned pays no purchase, although its charge shows it later', async () => {
    const { ports, waiting, charge, listWithoutTxid, unmatched } = world();
    const purchase = await waiting();
    const pix = aReceivedPix(purchase);
    listWithoutTxid(pix);
    await reconcilePix(ports);
    expect(await unmatched(pix)).toMatchObject({ refund: { status: 'REFUNDED' } });
    charge(purchase, [pix]);

    await expect(receivePayment(purchase.id, ports)).rejects.toThrow(
      `${pix.endToEndId}#RECEIVED is in the ledger`,
    );

    expect(await reread(ports, purchase)).toMatchObject({ status: 'AWAITING_PIX' });
    expect(ports.pix.refunds).toHaveLength(1);
  });

  test('that two charges show pays one of them', async () => {
    const { ports, waiting, charge } = world();
    const [one, other] = [await waiting(), await waiting()];
    const pix = aReceivedPix(one);
    charge(one, [pix]);
    charge(other, [pix]);

    await receivePayment(one.id, ports);
    await expect(receivePayment(other.id, ports)).rejects.toThrow('is in the ledger');

    expect((await reread(ports, one)).status).toBe('PROCESSING');
    expect((await reread(ports, other)).status).toBe('AWAITING_PIX');
    expect(ports.pix.refunds).toEqual([]);
  });

  test('that two charges show pays one of them if both are visited at once', async () => {
    const { ports, waiting, charge } = world();
    const both = [await waiting(), await waiting()];
    const pix = aReceivedPix(both[0]!);
    for (const purchase of both) charge(purchase, [pix]);

    await Promise.allSettled(both.map(({ id }) => receivePayment(id, ports)));

    const statuses = await Promise.all(both.map(async (purchase) => (await reread(ports, purchase)).status));
    expect(statuses.sort()).toEqual(['AWAITING_PIX', 'PROCESSING']);
  });
});

// docs/decisions.md, "The books"
describe('a listed Pix that its charge does not show', () => {
  test.each([
    ['an open charge', []],
    ['a charge that is called paid', 'PAID' as const],
  ])('is read again until it is: %s', async (_, shown) => {
    const { ports, waiting, charge } = world();
    const purchase = await waiting();
    const pix = aReceivedPix(purchase, { paidAt: ports.clock.now() - 5 * MINUTE_MS });
    ports.pix.received.push(pix);
    charge(purchase, []);
    if (shown === 'PAID') ports.pix.charges.get(purchase.id)!.status = 'PAID';

    await reconcilePix(ports);
    expect(ports.log.raised).toEqual([]);
    // Another run begins after the time that each run reads again.
    ports.clock.advance(300 * MINUTE_MS);
    await reconcilePix(ports);
    expect(ports.log.raised).toEqual(['ReconciliationFailed']);
    charge(purchase, [pix]);
    await reconcilePix(ports);

    expect(await reread(ports, purchase)).toMatchObject({ payment: { endToEndId: pix.endToEndId } });
  });
});

/** A paid purchase, and what the provider shows of its Pix by its charge and by its end-to-end id. */
async function shownAs(byCharge: Partial<ReceivedPix>, byId: Partial<ReceivedPix>) {
  const ports = openPorts();
  const payment = { endToEndId: newEndToEndId(), paidAt: START_AT, amountCentavos: 250_00 };
  const purchase = await putPurchaseIn(ports, 'PROCESSING', { payment });
  const { id: transactionId, clientId } = purchase;
  const cpfCipher = await ports.vault.encrypt('52998224725', clientId);
  await ports.clients.create(aClient({ id: clientId, cpfCipher }));
  const pix = aReceivedPix(purchase, payment);
  ports.pix.charges.set(transactionId, aCharge(purchase, [{ ...pix, ...byCharge }]));
  ports.pix.findReceived = async () => ({ ...pix, ...byId });
  const confirm = () => confirmPixPayment({ transactionId, checkedAt: 7 }, ports);
  const fail = (name: string) => failTransaction({ transactionId, error: { Error: name } }, ports);
  const refund = async () => (await reread(ports, purchase)).refund;
  return { ports, purchase, confirm, fail, refund };
}

// docs/decisions.md, "Paid, then failed"
describe('a payment of which the provider gives two different answers', () => {
  test.each([
    ['amount', { amountCentavos: 249_99 }],
    ['charge', { txid: newId() }],
  ])('is not confirmed while the %s differs', async (_, byId) => {
    const { confirm } = await shownAs({}, byId);

    await expect(confirm()).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('is confirmed if the answers agree', async () => {
    const { confirm } = await shownAs({}, {});

    expect(await confirm()).toMatchObject({ decision: 'PAID' });
  });

  test('is refunded in the smaller amount', async () => {
    const { fail, refund } = await shownAs({ amountCentavos: 200_00 }, { amountCentavos: 210_00 });

    await fail('AMOUNT_MISMATCH');

    expect(await refund()).toMatchObject({ amountCentavos: 200_00 });
  });
});

// docs/decisions.md, "MED refunds and fraud"
describe('a return by the provider that one answer lacks', () => {
  const taken: PixReturn = {
    id: 'D1',
    status: 'REFUNDED',
    amountCentavos: 100_00,
    nature: 'MED_FRAUDE',
  };

  test.each([
    ['the Pix', { returns: [taken] }, {}],
    ['the charge', {}, { returns: [taken] }],
    ['neither', { returns: [taken] }, { returns: [taken] }],
  ])('is subtracted from the refund once: %s', async (_, byCharge, byId) => {
    const { fail, refund } = await shownAs(byCharge, byId);

    await fail('PAYMENT_TAKEN_BACK');

    expect(await refund()).toMatchObject({ amountCentavos: 150_00 });
  });

  test('is waited for if it was seen before', async () => {
    const { ports, purchase, fail } = await shownAs({}, {});

    await expect(fail('PAYMENT_TAKEN_BACK')).rejects.toMatchObject({ name: 'Unavailable' });

    expect((await reread(ports, purchase)).refund).toBeUndefined();
  });
});
