import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { receivePayment } from '../../functions/logic/purchase/receive-payment.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { issued, MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  eventsOf,
  MFA_UNTIL,
  openPorts,
  PIX_UNTIL,
  putPurchaseIn,
  reread,
  START_AT,
  type TestPorts,
} from '../support/ports.ts';
import { stubPix } from '../support/providers.ts';

import { raceIn } from '../support/turns.ts';

/** Ports of two functions. The provider shows the payment to one function and not to the other. */
async function contradicted(world: TestPorts) {
  const purchase = await putPurchaseIn(world, 'AWAITING_PIX');
  world.clock.advance(PIX_UNTIL - world.clock.now());
  const unpaid = stubPix();
  unpaid.charges.set(purchase.id, aCharge(purchase));
  world.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));
  return {
    purchase,
    expiry: (transactions = world.transactions) =>
      expireTransaction({ transactionId: purchase.id }, { ...world, pix: unpaid, transactions }),
    payment: (transactions = world.transactions) => receivePayment(purchase.id, { ...world, transactions }),
  };
}

/** Expects that row, events and money agree, whichever function won. */
async function expectOneWinner(world: TestPorts, before: Transaction): Promise<Transaction['status']> {
  const after = await reread(world, before);
  const events = (await eventsOf(world, before)).map(({ type }) => type);
  expect(after.history).toHaveLength(before.history.length + 1);
  expect(after.history.at(-1)?.status).toBe(after.status);
  const paid = world.pix.charges.get(before.id)?.payments.map(({ endToEndId }) => endToEndId) ?? [];
  const returned = world.pix.refunds.map(({ endToEndId }) => endToEndId);
  expect(returned.filter((id) => paid.includes(id))).toEqual(after.status === 'EXPIRED' ? paid : []);
  if (after.status === 'EXPIRED') {
    expect(after).not.toHaveProperty('payment');
    expect(events).toEqual(['transaction.expired', ...paid.map(() => 'transaction.pix_returned')]);
  } else {
    expect(events).toEqual(after.status === 'PROCESSING' ? ['transaction.processing'] : []);
  }
  return after.status;
}

describe('a payment and the time-out at once', () => {
  /** Calls of the store: P and E each find, save, and find again. */
  test.each([
    { order: 'PEPEPE', winner: 'PROCESSING' },
    { order: 'EPPEEP', winner: 'PROCESSING' },
    { order: 'PEEPPE', winner: 'EXPIRED' },
    { order: 'EPEPEP', winner: 'EXPIRED' },
    { order: 'EPEEPP', winner: 'EXPIRED' },
  ])('end as $winner in the order $order', async ({ order, winner }) => {
    const world = openPorts();
    const { purchase, expiry, payment } = await contradicted(world);

    const { E: answer } = await raceIn(order, {
      P: (inTurns) => payment(inTurns(world.transactions)),
      E: (inTurns) => expiry(inTurns(world.transactions)),
    });

    expect(await expectOneWinner(world, purchase)).toBe(winner);
    expect(answer.status).toBe(winner);
  });

  test('have exactly one winner, however often they meet', async () => {
    const world = openPorts();
    const races = await Promise.all(Array.from({ length: 30 }, () => contradicted(world)));

    await Promise.all(races.flatMap(({ expiry, payment }) => [expiry(), payment()]));

    const winners = await Promise.all(races.map(({ purchase }) => expectOneWinner(world, purchase)));
    expect(winners.filter((status) => status !== 'EXPIRED' && status !== 'PROCESSING')).toEqual([]);
  });

  test('resume the wait even if the payment comes after the time-out', async () => {
    const world = openPorts();
    const { purchase, payment } = await contradicted(world);
    await world.transactions.saveWait(purchase.id, { status: 'AWAITING_PIX', token: 'token-1' });
    const expired = advance(purchase, 'no Pix payment within 30 minutes', {
      now: PIX_UNTIL,
      minuteMs: MINUTE_MS,
    });
    await world.transactions.save(expired!);

    await payment();

    expect(world.machine.resumed).toEqual([
      { token: 'token-1', output: { transactionId: purchase.id, status: 'EXPIRED' } },
    ]);
  });
});

test('a code and the time-out at once have exactly one winner', async () => {
  const world = openPorts();
  const at = { now: START_AT, minuteMs: MINUTE_MS };
  const purchases = await Promise.all(Array.from({ length: 30 }, () => putPurchaseIn(world, 'AWAITING_MFA')));
  world.clock.advance(MFA_UNTIL - START_AT);

  const saved = await Promise.all(
    purchases.map(async (purchase) => {
      const [isCleared] = await Promise.all([
        world.transactions.save(advance(purchase, 'MFA code accepted', at, issued(purchase))!),
        expireTransaction({ transactionId: purchase.id }, world),
      ]);
      return isCleared;
    }),
  );

  const winners = await Promise.all(purchases.map((purchase) => expectOneWinner(world, purchase)));
  expect(winners).toEqual(saved.map((isCleared) => (isCleared ? 'AWAITING_PIX' : 'EXPIRED')));
});
