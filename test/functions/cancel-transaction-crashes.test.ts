import { describe, expect, test } from 'vitest';
import { cancelTransaction } from '../../functions/api/cancel-transaction.ts';
import { receivePayment } from '../../functions/logic/purchase/receive-payment.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { type Fate, mortalOutside } from '../support/mortal-process.ts';
import { aCharge, aReceivedPix, eventsOf, openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { memoryTables, tapped } from '../support/tables.ts';

const WAIT_MINUTES = { AWAITING_MFA: 15, AWAITING_PIX: 30 };
type Open = keyof typeof WAIT_MINUTES;

/** A purchase with a charge at the provider. The function that cancels it may die at any call. */
async function waitingIn(status: Open) {
  const outside = mortalOutside();
  const tables = memoryTables();
  const real = openPorts(tables);
  const opened = openPorts(
    tapped(tables, (send) => (command) => outside.reach(command.constructor.name, () => send(command))),
  );
  const mortal = {
    ...opened,
    pix: outside.around('pix', real.pix, 'closeCharge'),
    machine: outside.around('machine', real.machine, 'resume'),
  };
  const purchase = await putPurchaseIn(real, status, { wait: { status, token: 'token' } });
  // A confirmation may have made the charge and died before its write.
  real.pix.charges.set(purchase.id, aCharge(purchase));
  const { id, partnerId } = purchase;
  const caller = { partner: aPartner({ id: partnerId }), ids: undefined as never };
  const cancel = (fate?: Fate) =>
    outside.run(() => cancelTransaction({ id }, caller, mortal).catch((error: unknown) => ({ error })), fate);
  return { ports: real, purchase, cancel, struckAt: outside.struckAt };
}
type World = Awaited<ReturnType<typeof waitingIn>>;

/** A cancel that dies at its first call, at its second, and so on. Each time in a new world, which `judge` inspects. */
async function atEveryCall(
  status: Open,
  fate: Omit<Fate, 'at'>,
  judge: (world: World) => Promise<void>,
): Promise<string[]> {
  const calls: string[] = [];
  for (let at = 1; at < 20; at++) {
    const world = await waitingIn(status);
    await world.cancel({ ...fate, at });
    const call = world.struckAt();
    if (call === undefined) return calls;
    calls.push(call);
    await judge(world);
  }
  throw new Error('more calls than a cancel may make');
}

const CASES = (['AWAITING_MFA', 'AWAITING_PIX'] as const).flatMap((status) =>
  (['killed', 'failed'] as const).flatMap((kind) =>
    (['before', 'after'] as const).map((when) => ({ status, kind, when })),
  ),
);

describe.each(CASES)('a cancel in $status that is $kind $when any call', ({ status, ...fate }) => {
  test('is completed by its repetition', async () => {
    const calls = await atEveryCall(status, fate, async ({ ports, purchase, cancel }) => {
      expect(await cancel()).toEqual({ transactionId: purchase.id, status: 'CANCELED' });

      const { history } = await reread(ports, purchase);
      expect(history.map((move) => move.status)).toEqual([status, 'CANCELED']);
      expect((await eventsOf(ports, purchase)).map(({ type }) => type)).toEqual(['transaction.canceled']);
      expect(ports.pix.charges.get(purchase.id)?.status).toBe('CLOSED');
      const over = { token: 'token', output: { transactionId: purchase.id, status: 'EXPIRED' } };
      expect(ports.machine.resumed).toContainEqual(over);
    });

    expect(calls).toEqual(
      expect.arrayContaining(['GetCommand', 'pix.closeCharge', 'TransactWriteCommand', 'machine.resume']),
    );
  });

  test('ends at the time-out if nobody repeats it', async () => {
    await atEveryCall(status, fate, async ({ ports, purchase }) => {
      ports.clock.advance(WAIT_MINUTES[status] * MINUTE_MS);

      const told = await expireTransaction({ transactionId: purchase.id }, ports);

      expect(told).toEqual({ transactionId: purchase.id, status: 'EXPIRED' });
      const { history } = await reread(ports, purchase);
      expect(history).toHaveLength(2);
      expect(['CANCELED', 'EXPIRED']).toContain(history.at(-1)?.status);
      expect(await eventsOf(ports, purchase)).toHaveLength(1);
      expect(ports.pix.charges.get(purchase.id)?.status).toBe('CLOSED');
    });
  });

  test('leaves one result for a payment that arrives in between: purchase or full refund', async () => {
    await atEveryCall(status, fate, async ({ ports, purchase, cancel }) => {
      const pix = aReceivedPix(purchase);
      // The payment arrives even if the provider has closed the charge, because a bank may deliver late.
      ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));

      await receivePayment(purchase.id, ports);
      await cancel();
      await receivePayment(purchase.id, ports);

      const { payment, ...row } = await reread(ports, purchase);
      const returned = ports.pix.refunds.map(({ endToEndId, amountCentavos }) => [
        endToEndId,
        amountCentavos,
      ]);
      const isBought = row.status === 'PROCESSING';
      expect(payment?.endToEndId).toBe(isBought ? pix.endToEndId : undefined);
      expect(returned).toEqual(isBought ? [] : [[pix.endToEndId, pix.amountCentavos]]);
      if (!isBought) expect(row.status).toBe('CANCELED');
    });
  });
});
