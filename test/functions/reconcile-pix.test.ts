import { describe, expect, test } from 'vitest';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { aCharge, aReceivedPix, newId, openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
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
  const expectReport = (ports: ReturnType<typeof world>, endToEndId: string) => {
    expect(ports.log.lines).toHaveLength(1);
    expect(ports.log.lines[0]).toContain('unmatched Pix');
    expect(ports.log.lines[0]).toContain(endToEndId);
  };

  test.each([
    ['of no charge', undefined],
    ['of an unknown charge', newId()],
  ])('is reported: %s', async (_, txid) => {
    const ports = world();
    const pix = aReceivedPix({ id: newId() }, { txid });
    ports.pix.received.push(pix);

    expect(await reconcilePix(ports)).toEqual({ received: 1, recovered: 0 });

    expectReport(ports, pix.endToEndId);
  });

  test.each(['PROCESSING', 'COMPLETED', 'FAILED'] as const)(
    'is reported when a purchase in %s is paid a second time',
    async (status) => {
      const ports = world();
      const purchase = await putPurchaseIn(ports, status);
      const second = aReceivedPix(purchase);
      const first = { ...second, endToEndId: purchase.payment!.endToEndId };
      ports.pix.received.push(first, second);

      expect(await reconcilePix(ports)).toEqual({ received: 2, recovered: 0 });

      expectReport(ports, second.endToEndId);
      expect(await reread(ports, purchase)).toEqual(purchase);
    },
  );

  test.each(['EXPIRED', 'AWAITING_MFA'] as const)('is reported for a purchase in %s', async (status) => {
    const ports = world();
    const purchase = await putPurchaseIn(ports, status);
    const pix = aReceivedPix(purchase);
    ports.pix.received.push(pix);

    await reconcilePix(ports);

    expectReport(ports, pix.endToEndId);
    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('does not keep the others from being found', async () => {
    const ports = world();
    ports.pix.received.push(aReceivedPix({ id: newId() }));
    const { purchase } = await forgotten(ports);

    expect(await reconcilePix(ports)).toEqual({ received: 2, recovered: 1 });

    expect((await reread(ports, purchase)).status).toBe('PROCESSING');
  });
});

describe('the provider', () => {
  test('is told each time where its callbacks go', async () => {
    const ports = world();

    await reconcilePix(ports);
    await reconcilePix(ports);

    expect(ports.pix.registrations).toBe(2);
  });

  test('that is down leaves everything as it is', async () => {
    const { ports, purchase } = await forgotten();
    ports.pix.isDown = true;

    await expect(reconcilePix(ports)).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});
