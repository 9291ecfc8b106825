import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { registerWait, resumeIfMoved } from '../../functions/logic/purchase/waits.ts';
import { issued } from '../support/builders.ts';
import { aPurchaseIn, aReceivedPix, openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';

import { ordersOf, raceIn } from '../support/turns.ts';

const AT = { now: START_AT, minuteMs: 60_000 };
const ports = () => openPorts();

type Advancer = Pick<ReturnType<typeof ports>, 'transactions' | 'machine'>;

/** Moves the purchase as confirm-mfa and process-callback do: first it saves the status, then it looks for a wait. */
async function move(purchase: Transaction, { transactions, machine }: Advancer): Promise<void> {
  await transactions.save(advance(purchase, 'MFA code accepted', AT, issued(purchase))!);
  await resumeIfMoved((await transactions.findTransaction(purchase.id))!, machine);
}

describe('a wait that begins while its status ends', () => {
  /**
   * The order of calls, and how often the machine is resumed. R stores the token and then reads. A stores the status
   * and then reads.
   */
  const RESUMED: Record<string, number> = { RRAA: 1, RARA: 2, RAAR: 2, ARRA: 2, ARAR: 2, AARR: 1 };

  test('has six possible orders', () => {
    expect(ordersOf({ R: 2, A: 2 }).sort()).toEqual(Object.keys(RESUMED).sort());
  });

  test.each(Object.entries(RESUMED))('is resumed in the order %s, %i times', async (order, times) => {
    const world = ports();
    const purchase = await putPurchaseIn(world, 'AWAITING_MFA');

    const wait = { transactionId: purchase.id, status: 'AWAITING_MFA', taskToken: 'token-1' } as const;
    await raceIn(order, {
      R: (inTurns) => {
        const transactions = inTurns(world.transactions);
        return registerWait(wait, { ...world, transactions, purchaseWaits: transactions });
      },
      A: (inTurns) => move(purchase, { ...world, transactions: inTurns(world.transactions) }),
    });

    const resumed = { token: 'token-1', output: { transactionId: purchase.id, status: 'AWAITING_PIX' } };
    expect(world.machine.resumed).toEqual(Array(times).fill(resumed));
  });

  test('is resumed in a true race, in any order of the database', async () => {
    const world = ports();
    const race = async () => {
      const purchase = await putPurchaseIn(world, 'AWAITING_MFA');
      const wait = { transactionId: purchase.id, status: 'AWAITING_MFA', taskToken: purchase.id } as const;
      await Promise.all([registerWait(wait, world), move(purchase, world)]);
      return purchase.id;
    };

    const ids = await Promise.all(Array.from({ length: 30 }, race));

    const resumed = new Set(world.machine.resumed.map(({ token }) => token));
    expect([...resumed].sort()).toEqual(ids.sort());
  });
});

test('a wait whose deadline has passed ends before it begins', async () => {
  const world = ports();
  const purchase = await putPurchaseIn(world, 'AWAITING_PIX');
  world.clock.advance(purchase.expiresAt! - START_AT);

  const wait = { transactionId: purchase.id, status: 'AWAITING_PIX', taskToken: 'late' } as const;

  await expect(registerWait(wait, world)).rejects.toMatchObject({ name: 'DeadlinePassed' });
  expect(world.machine.resumed).toEqual([]);
});

describe('a wait', () => {
  const wait = (id: string, status: Transaction['status']) => ({
    transactionId: id,
    status,
    taskToken: `token of ${status}`,
  });

  test('continues while the purchase keeps its status', async () => {
    const world = ports();
    const { id } = await putPurchaseIn(world, 'AWAITING_MFA');

    await registerWait(wait(id, 'AWAITING_MFA'), world);

    expect(world.machine.resumed).toEqual([]);
    expect((await reread(world, { id })).wait).toEqual({
      status: 'AWAITING_MFA',
      token: 'token of AWAITING_MFA',
    });
  });

  test('is not resumed by late news of an earlier status', async () => {
    const world = ports();
    const { id } = await putPurchaseIn(world, 'AWAITING_PIX');
    await registerWait(wait(id, 'AWAITING_PIX'), world);

    await resumeIfMoved(await reread(world, { id }), world.machine);

    expect(world.machine.resumed).toEqual([]);
  });

  test.each(['PROCESSING', 'EXPIRED', 'FAILED', 'COMPLETED'] as const)(
    'is given back at once if the purchase is already %s',
    async (status) => {
      const world = ports();
      const { id } = await putPurchaseIn(world, status);

      await registerWait(wait(id, 'AWAITING_PIX'), world);

      expect(world.machine.resumed).toEqual([
        { token: 'token of AWAITING_PIX', output: { transactionId: id, status } },
      ]);
    },
  );

  test('is not resumed if it was never begun', async () => {
    const world = ports();

    await resumeIfMoved(aPurchaseIn('PROCESSING'), world.machine);

    expect(world.machine.resumed).toEqual([]);
  });

  test('replaces the wait of an execution that has ended', async () => {
    const world = ports();
    const { id } = await putPurchaseIn(world, 'AWAITING_PIX');
    await registerWait({ ...wait(id, 'AWAITING_PIX'), taskToken: 'of the dead' }, world);

    await registerWait({ ...wait(id, 'AWAITING_PIX'), taskToken: 'of the living' }, world);

    const purchase = await reread(world, { id });
    const payment = aReceivedPix(purchase);
    await world.transactions.save(advance(purchase, 'Pix payment detected', AT, { payment })!);
    await resumeIfMoved(await reread(world, { id }), world.machine);
    expect(world.machine.resumed.map(({ token }) => token)).toEqual(['of the living']);
  });

  test('leaves the rest of the purchase unchanged', async () => {
    const world = ports();
    const purchase = await putPurchaseIn(world, 'AWAITING_PIX');

    await registerWait(wait(purchase.id, 'AWAITING_PIX'), world);

    expect(await reread(world, purchase)).toEqual({
      ...purchase,
      wait: { status: 'AWAITING_PIX', token: 'token of AWAITING_PIX' },
    });
  });
});
