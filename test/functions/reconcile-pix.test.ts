import { describe, expect, test } from 'vitest';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  newId,
  openPorts,
  putPurchaseIn,
  reread,
  START_AT,
} from '../support/ports.ts';
import { sandboxTables } from '../support/tables.ts';

const HOURS_2 = 120 * MINUTE_MS;

/** Two hours after the start, so that the window begins there. */
function world() {
  const ports = openPorts(sandboxTables());
  ports.clock.advance(HOURS_2);
  return ports;
}

/** A paid charge whose callback never came. */
async function forgotten(ports = world()) {
  const purchase = await putPurchaseIn(ports, 'AWAITING_PIX', {
    wait: { status: 'AWAITING_PIX', token: 'token-1' },
  });
  const pix = aReceivedPix(purchase);
  ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));
  ports.pix.received.push(pix);
  return { ports, purchase, pix };
}

describe('a payment without a callback', () => {
  test('is found, and its purchase goes on', async () => {
    const { ports, purchase, pix } = await forgotten();

    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 1 });

    expect(await reread(ports, purchase)).toMatchObject({
      status: 'PROCESSING',
      payment: { endToEndId: pix.endToEndId },
    });
    expect(ports.machine.resumed).toEqual([
      { token: 'token-1', output: { transactionId: purchase.id, status: 'PROCESSING' } },
    ]);
  });

  test('is found once by sweeps whose windows overlap', async () => {
    const { ports, purchase } = await forgotten();
    await reconcilePix(ports);
    const paid = await reread(ports, purchase);

    ports.clock.advance(-MINUTE_MS);
    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 0 });

    expect(await reread(ports, purchase)).toEqual(paid);
    expect(ports.log.lines).toEqual([]);
  });

  test('is looked for two hours back', async () => {
    const { ports, pix } = await forgotten();
    pix.paidAt = START_AT;
    expect(await reconcilePix(ports)).toMatchObject({ received: 1 });

    pix.paidAt = START_AT - 1;
    expect(await reconcilePix(ports)).toMatchObject({ received: 0 });
  });

  test('moves nothing that the charge itself does not confirm', async () => {
    const { ports, purchase } = await forgotten();
    ports.pix.charges.set(purchase.id, aCharge(purchase));

    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 0 });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});

describe('money that belongs to no purchase', () => {
  test.each([
    ['of no charge', undefined],
    ['of an unknown charge', newId()],
  ])('is reported to a person: %s', async (_, txid) => {
    const ports = world();
    const pix = aReceivedPix({ id: newId() }, { txid });
    ports.pix.received.push(pix);

    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 0 });

    expect(ports.log.lines).toEqual([expect.stringContaining('unmatched Pix')]);
    expect(ports.log.lines[0]).toContain(pix.endToEndId);
    expect(ports.pix.refunds).toEqual([]);
  });

  test.each(['PROCESSING', 'COMPLETED', 'FAILED'] as const)(
    'is returned when a purchase in %s is paid a second time',
    async (status) => {
      const ports = world();
      const purchase = await putPurchaseIn(ports, status);
      const second = aReceivedPix(purchase);
      const first = { ...second, endToEndId: purchase.payment!.endToEndId };
      ports.pix.received.push(first, second);

      expect(await reconcilePix(ports)).toEqual({ received: 2, recovered: 0 });

      const { endToEndId, amountCentavos } = second;
      expect(ports.pix.refunds).toEqual([{ endToEndId, id: `S${endToEndId}`, amountCentavos }]);
      expect(await reread(ports, purchase)).toEqual(purchase);
    },
  );

  test('is returned for an expired purchase, under the same id by every sweep', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    const pix = aReceivedPix(purchase);
    ports.pix.received.push(pix);

    await reconcilePix(ports);
    ports.clock.advance(-MINUTE_MS);
    await reconcilePix(ports);

    const { endToEndId, amountCentavos } = pix;
    const refund = { endToEndId, id: `S${endToEndId}`, amountCentavos };
    expect(ports.pix.refunds).toEqual([refund, refund]);
    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('waits while its purchase may still take it', async () => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, 'AWAITING_MFA');
    ports.pix.received.push(aReceivedPix(purchase));

    await reconcilePix(ports);

    expect(ports.pix.refunds).toEqual([]);
    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('does not keep the others from being found, even where it cannot be returned', async () => {
    const ports = world();
    const expired = await putPurchaseIn(ports, 'EXPIRED');
    ports.pix.received.push(aReceivedPix(expired), aReceivedPix({ id: newId() }));
    ports.pix.refund = () => Promise.reject(new Error('422'));
    const { purchase } = await forgotten(ports);

    expect(await reconcilePix(ports)).toEqual({ received: 3, recovered: 1 });

    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
    expect(ports.log.lines[0]).toContain('reconciliation failed');
  });
});

describe('the provider', () => {
  test('is told each time where its callbacks go', async () => {
    const ports = world();

    await reconcilePix(ports);
    await reconcilePix(ports);

    expect(ports.pix.registrations).toBe(2);
  });

  test('that does not take our address is still asked for the payments; the run counts as failed', async () => {
    const { ports, purchase } = await forgotten();
    ports.pix.registerCallback = () => Promise.reject(new Error('403'));

    await expect(reconcilePix(ports)).rejects.toThrow('403');

    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
    expect(ports.log.lines).toEqual([expect.stringContaining('callback not registered')]);
  });

  test('that is down leaves everything as it is', async () => {
    const { ports, purchase } = await forgotten();
    ports.pix.isDown = true;

    await expect(reconcilePix(ports)).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});
