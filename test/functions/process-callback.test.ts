import { describe, expect, test } from 'vitest';
import type { ReceivedPix } from '../../functions/domain/purchase/pix.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import { MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  newId,
  openPorts,
  putPurchaseIn,
  reread,
  START_AT,
  type TestPorts,
} from '../support/ports.ts';

const TOKEN = 'token-1';
const world = () => openPorts();

/** A purchase in AWAITING_PIX that the machine waits for, with an open charge. */
async function awaited(ports: TestPorts) {
  const purchase = await putPurchaseIn(ports, 'AWAITING_PIX', {
    wait: { status: 'AWAITING_PIX', token: TOKEN },
  });
  ports.pix.charges.set(purchase.id, aCharge(purchase));
  return purchase;
}

const callback = (...txids: string[]) => ({ txids });

/** The return of an unmatched payment in full, under an id that follows from the payment. */
const returned = ({ endToEndId, amountCentavos }: ReceivedPix) => ({
  endToEndId,
  id: `S${endToEndId}`,
  amountCentavos,
});

const resumedOnce = (id: string) => [{ token: TOKEN, output: { transactionId: id, status: 'PROCESSING' } }];

describe('a callback', () => {
  // Spec, Transaction states: "PROCESSING: Pix payment detected"
  test('moves a purchase whose charge is paid, and wakes the machine', async () => {
    const ports = world();
    const purchase = await awaited(ports);
    const pix = aReceivedPix(purchase);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));

    await processCallback(callback(purchase.id), ports);

    const { endToEndId, paidAt, amountCentavos } = pix;
    const paid = await reread(ports, purchase);
    expect(paid).toMatchObject({
      status: 'PROCESSING',
      payment: { endToEndId, paidAt, amountCentavos },
      nextCheckAt: START_AT + 2 * MINUTE_MS,
    });
    expect(paid).not.toHaveProperty('expiresAt');
    expect(ports.machine.resumed).toEqual(resumedOnce(purchase.id));
  });

  test('moves nothing while the charge is unpaid at the provider', async () => {
    const ports = world();
    const purchase = await awaited(ports);

    await processCallback(callback(purchase.id), ports);

    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(ports.machine.resumed).toEqual([]);
  });

  test('of an unknown charge causes no error and leaves nothing', async () => {
    const ports = world();
    const id = newId();

    await processCallback(callback(id), ports);

    expect(await ports.transactions.findTransaction(id)).toBeUndefined();
  });

  test('that comes many times at once records one payment', async () => {
    const ports = world();
    const purchase = await awaited(ports);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));

    await Promise.all(Array.from({ length: 10 }, () => processCallback(callback(purchase.id), ports)));

    const { history } = await reread(ports, purchase);
    expect(history.map(({ status }) => status)).toEqual(['AWAITING_PIX', 'PROCESSING']);
    const resumed = new Set(ports.machine.resumed.map((each) => JSON.stringify(each)));
    expect([...resumed].map((each) => JSON.parse(each) as unknown)).toEqual(resumedOnce(purchase.id));
  });

  test('names several purchases, each processed on its own', async () => {
    const ports = world();
    const [paid, open] = [await awaited(ports), await awaited(ports)];
    ports.pix.charges.set(paid.id, aCharge(paid, [aReceivedPix(paid)]));

    await processCallback(callback(newId(), open.id, paid.id), ports);

    expect((await reread(ports, paid)).status).toBe('PROCESSING');
    expect((await reread(ports, open)).status).toBe('AWAITING_PIX');
    expect(ports.machine.resumed).toEqual(resumedOnce(paid.id));
  });

  test('moves all other purchases if one charge cannot be read, and comes again', async () => {
    const ports = world();
    const [broken, paid] = [await awaited(ports), await awaited(ports)];
    ports.pix.charges.set(paid.id, aCharge(paid, [aReceivedPix(paid)]));
    const { findCharge } = ports.pix;
    ports.pix.findCharge = async (txid) => {
      if (txid === broken.id) throw new Error('another key than ours');
      return findCharge(txid);
    };

    await expect(processCallback(callback(broken.id, paid.id), ports)).rejects.toThrow('another key');

    expect((await reread(ports, paid)).status).toBe('PROCESSING');
    expect((await reread(ports, broken)).status).toBe('AWAITING_PIX');
  });

  test('comes again while the provider cannot be read: nothing is lost or guessed', async () => {
    const ports = world();
    const purchase = await awaited(ports);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));
    ports.pix.isDown = true;
    const message = callback(purchase.id);

    await expect(processCallback(message, ports)).rejects.toMatchObject({ name: 'Unavailable' });

    const { obstacle, ...read } = await reread(ports, purchase);
    expect([read, obstacle?.step]).toEqual([purchase, 'reading the payment']);
    ports.pix.isDown = false;
    await processCallback(message, ports);
    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
  });

  test.each(['PROCESSING', 'COMPLETED', 'FAILED'] as const)(
    'moves and returns nothing for the payment of a purchase in %s',
    async (status) => {
      const ports = world();
      const purchase = await putPurchaseIn(ports, status);
      const pix = aReceivedPix(purchase, purchase.payment);
      ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));

      await processCallback(callback(purchase.id), ports);

      expect(await reread(ports, purchase)).toEqual(purchase);
      expect(ports.pix.refunds).toEqual([]);
    },
  );

  // Spec, Initiate a transaction: "an auth challenge before a Pix payload is issued"
  test('moves and returns nothing for a purchase whose code was not accepted yet', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'AWAITING_MFA');
    ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));

    await processCallback(callback(purchase.id), ports);

    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(ports.pix.refunds).toEqual([]);
  });
});

describe('two Pix on one charge', () => {
  test.each(['earlier first', 'later first'])('keep the earlier one as the payment: %s', async (order) => {
    const ports = world();
    const purchase = await awaited(ports);
    const earlier = aReceivedPix(purchase, { paidAt: START_AT + 1 });
    const later = aReceivedPix(purchase, { paidAt: START_AT + 2, amountCentavos: 1 });
    const payments = order === 'earlier first' ? [earlier, later] : [later, earlier];
    ports.pix.charges.set(purchase.id, aCharge(purchase, payments));

    await processCallback(callback(purchase.id), ports);

    expect((await reread(ports, purchase)).payment).toMatchObject({ endToEndId: earlier.endToEndId });
    expect(ports.pix.refunds).toEqual([returned(later)]);
  });

  test('keep the first payment when the second is reported later', async () => {
    const ports = world();
    const purchase = await awaited(ports);
    const first = aReceivedPix(purchase, { paidAt: START_AT + 2 });
    ports.pix.charges.set(purchase.id, aCharge(purchase, [first]));
    await processCallback(callback(purchase.id), ports);

    const second = aReceivedPix(purchase, { paidAt: START_AT + 1 });
    ports.pix.charges.set(purchase.id, aCharge(purchase, [second, first]));
    await processCallback(callback(purchase.id), ports);

    expect((await reread(ports, purchase)).payment).toMatchObject({ endToEndId: first.endToEndId });
    expect(ports.pix.refunds).toEqual([returned(second)]);
  });
});

describe('a Pix that comes after the end of the purchase', () => {
  test('is returned in full, and moves nothing', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    const pix = aReceivedPix(purchase, { amountCentavos: 249_99 });
    ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));

    await processCallback(callback(purchase.id), ports);

    expect(ports.pix.refunds).toEqual([returned(pix)]);
    expect(await reread(ports, purchase)).toMatchObject({ status: 'EXPIRED', sequence: 1 });
    expect(ports.log.lines).toEqual([
      expect.stringContaining('unmatched Pix found'),
      expect.stringContaining('unmatched Pix returned'),
    ]);
    expect(ports.log.errors).toEqual([]);
  });

  test('is shown as on its way back until it has arrived', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));
    ports.pix.refundStatus = 'PENDING';

    await processCallback(callback(purchase.id), ports);
    ports.pix.refundStatus = 'REFUNDED';
    ports.clock.advance(2 * MINUTE_MS);
    await processCallback(callback(purchase.id), ports);

    expect(ports.log.lines).toEqual([
      expect.stringContaining('unmatched Pix found'),
      expect.stringContaining('unmatched Pix being returned'),
      expect.stringContaining('unmatched Pix returned'),
    ]);
  });

  test('is returned under one id by many callbacks', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    const pix = aReceivedPix(purchase);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));

    await Promise.all(Array.from({ length: 5 }, () => processCallback(callback(purchase.id), ports)));

    expect(ports.pix.refunds[0]).toEqual(returned(pix));
    expect(new Set(ports.pix.refunds.map(({ id }) => id)).size).toBe(1);
  });

  test('is tried again if the provider refuses the return, and needs nobody yet', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));
    ports.pix.refundStatus = 'FAILED';

    await processCallback(callback(purchase.id), ports);

    expect(ports.log.lines.at(-1)).toContain('unmatched Pix not returned');
    expect(ports.log.errors).toEqual([]);
  });
});

describe('a crash', () => {
  test('between the write and the wake-up is repaired by the same callback', async () => {
    const ports = world();
    const purchase = await awaited(ports);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));
    const resume = () => Promise.reject(new Error('the function died'));
    const message = callback(purchase.id);

    await expect(
      processCallback(message, { ...ports, machine: { ...ports.machine, resume } }),
    ).rejects.toThrow('died');
    expect((await reread(ports, purchase)).status).toBe('PROCESSING');

    await processCallback(message, ports);
    expect(ports.machine.resumed).toEqual(resumedOnce(purchase.id));
  });

  test('before the write is repaired too', async () => {
    const ports = world();
    const purchase = await awaited(ports);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));
    const save = () => Promise.reject(new Error('the function died'));
    const message = callback(purchase.id);

    const dying = { ...ports, transactions: { ...ports.transactions, save } };
    await expect(processCallback(message, dying)).rejects.toThrow('died');
    await processCallback(message, ports);

    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
    expect(ports.machine.resumed).toEqual(resumedOnce(purchase.id));
  });
});
