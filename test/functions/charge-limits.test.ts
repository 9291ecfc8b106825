import { describe, expect, test } from 'vitest';
import { cancelTransaction } from '../../functions/api/cancel-transaction.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import { DEFAULT_LIMITS } from '../../functions/domain/purchase/charge-limits.ts';
import { recordRefund } from '../../functions/domain/purchase/return.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { limitsWith } from '../support/charge-limits.ts';
import { type LimitedClient, limitedClient, outcomeOf, tally } from '../support/limited-client.ts';
import { openPorts, putPurchaseIn, reread } from '../support/ports.ts';

const OPEN = 'LIMIT_EXCEEDED OPEN_CHARGES';
const DAILY = 'LIMIT_EXCEEDED DAILY_AMOUNT';
const MONTHLY = 'LIMIT_EXCEEDED MONTHLY_AMOUNT';
const DAY_MS = 24 * 60 * 60_000;
const R$ = (brl: number) => brl * 100;
const twenty = <Made>(make: () => Promise<Made>) => Promise.all(Array.from({ length: 20 }, make));

/** The refund of a failed purchase, after the provider has returned `centavos` of it. */
async function refund({ ports, end }: LimitedClient, bought: Transaction, centavos: number) {
  const { payment } = await reread(ports, bought);
  const { endToEndId } = payment!;
  await end(bought, 'settlement error', {
    failure: { reason: 'SETTLEMENT_FAILED' },
    disposition: 'REFUND',
    refund: { status: 'PENDING', endToEndId, amountCentavos: centavos, reason: 'SETTLEMENT_FAILED' },
  });
  const failed = await reread(ports, bought);
  const change = recordRefund(failed, 'REFUNDED', instantOf(ports.clock))!;
  expect(await ports.transactions.save(change)).toBe(true);
  expect(await ports.transactions.save(change)).toBe(false);
}

describe('a client', () => {
  test('gets one of twenty charges that it requests at once', async () => {
    const { ports, purchase, charge, used } = await limitedClient();
    const purchases = await twenty(() => purchase(100));

    const outcomes = await Promise.all(purchases.map((each) => outcomeOf(charge(each))));

    expect(tally(outcomes)).toEqual({ AWAITING_PIX: 1, [OPEN]: 19 });
    expect(ports.pix.charges.size).toBe(1);
    expect(ports.liquidity.reserved).toHaveLength(1);
    expect(await used()).toMatchObject({ charges: 1, day: R$(100), month: R$(100), year: R$(100) });
  });

  // docs/decisions.md, "Charge limits of a client"
  // Threat: "a thief has a client's codes"
  test.each([
    ['a day', { dailyBrl: 50_000 }, DAILY],
    ['a month', { dailyBrl: 60_000, monthlyBrl: 50_000 }, MONTHLY],
    ['a year', { dailyBrl: 60_000, yearlyBrl: 50_000 }, 'LIMIT_EXCEEDED YEARLY_AMOUNT'],
  ])(
    'gets the amount of %s from twenty requests at once, and not a centavo more or less',
    async (_, caps, refusal) => {
      const { ports, purchase, charge, used } = await limitedClient({ caps: { openCharges: 10, ...caps } });
      const purchases = await twenty(() => purchase(7_142.85));

      const outcomes = await Promise.all(purchases.map((each) => outcomeOf(charge(each))));

      expect(tally(outcomes)).toEqual({ AWAITING_PIX: 7, [refusal]: 13 });
      expect(ports.pix.charges.size).toBe(7);
      expect(await used()).toMatchObject({ charges: 7, day: 4_999_995 });
      // Five centavos are left, so the least purchase no longer fits.
      expect(await outcomeOf(charge(await purchase(50)))).toBe(refusal);
    },
  );

  test('uses its limits once for a purchase, however often and by how many at once it is charged', async () => {
    const { ports, purchase, charge, used } = await limitedClient();
    const bought = await purchase(30_000);

    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(charge(bought))));

    expect(tally(outcomes)).toEqual({ AWAITING_PIX: 10 });
    expect(ports.pix.charges.size).toBe(1);
    expect(await used()).toMatchObject({ charges: 1, day: R$(30_000) });
  });

  test('is charged again after the last payment until the day is full, and again the next day', async () => {
    const { ports, purchase, charge, pay } = await limitedClient();
    const first = await purchase(30_000);
    await charge(first);
    await pay(first);
    expect(await outcomeOf(charge(await purchase(20_001)))).toBe(DAILY);
    const second = await purchase(20_000);
    expect(await outcomeOf(charge(second))).toBe('AWAITING_PIX');
    await pay(second);

    expect(await outcomeOf(charge(await purchase(50)))).toBe(DAILY);
    ports.clock.advance(DAY_MS);
    expect(await outcomeOf(charge(await purchase(50_000)))).toBe('AWAITING_PIX');
  });

  test('gets back the place and the amount of a charge that expired unpaid, once', async () => {
    const { ports, purchase, charge, expire, used, usedEverywhere } = await limitedClient();
    const first = await purchase(50_000);
    await charge(first);
    expect(await outcomeOf(charge(await purchase(50_000)))).toBe(OPEN);

    await expire(first);

    expect(await used()).toMatchObject({ charges: 0, day: 0, month: 0, year: 0 });
    expect(await usedEverywhere()).toMatchObject({ day: 0, month: 0, year: 0 });
    expect((await reread(ports, first)).claim).toBeDefined();
    expect(await outcomeOf(charge(await purchase(50_000)))).toBe('AWAITING_PIX');
  });

  test('gets back the amount of a charge that expires after the end of its day, in that day', async () => {
    const { ports, purchase, charge, expire, used } = await limitedClient();
    const [yesterdays, todays] = [await purchase(50_000), await purchase(20_000)];
    await charge(yesterdays);
    ports.clock.advance(DAY_MS);

    await expire(yesterdays);

    await charge(todays);
    expect(await used()).toMatchObject({ charges: 1, day: R$(20_000) });
  });

  test('gets back what a purchase claimed whose charge could not be made, when it is canceled', async () => {
    const { ports, partner, purchase, charge, used } = await limitedClient();
    const bought = await purchase(50_000);
    ports.liquidity.isEmpty = true;
    await expect(charge(bought)).rejects.toMatchObject({ code: 'LIQUIDITY_UNAVAILABLE' });
    ports.liquidity.isEmpty = false;
    expect(await outcomeOf(charge(await purchase(50)))).toBe(OPEN);

    await cancelTransaction({ id: bought.id }, { partner, ids: undefined as never }, ports);

    expect(await used()).toMatchObject({ charges: 0, day: 0 });
  });

  test('gets back the amount that went back in full, and not an amount of which the bank took a part', async () => {
    const world = await limitedClient();
    for (const [brl, left] of [[10_000, 0] as const, [20_000, 5_000] as const]) {
      const bought = await world.purchase(brl);
      await world.charge(bought);
      await world.pay(bought);
      await refund(world, bought, R$(brl - left));
    }

    expect(await world.used()).toMatchObject({ charges: 0, day: R$(20_000), year: R$(20_000) });
    expect(await world.usedEverywhere()).toMatchObject({ day: R$(20_000) });
  });

  test('does not use up the limit of another client', async () => {
    const [one, other] = [await limitedClient(), await limitedClient()];

    for (const { charge, purchase } of [one, other])
      expect(await outcomeOf(charge(await purchase(50_000)))).toBe('AWAITING_PIX');
  });

  test('buys within the caps of its partner for its tier, and within its own', async () => {
    const partner = { limits: { STANDARD: { dailyBrl: 500 }, PEP: { dailyBrl: 50 } } };
    const ordinary = await limitedClient({ partner });
    const known = await limitedClient({ partner, client: { limits: { dailyBrl: 900 } } });

    expect(await outcomeOf(ordinary.charge(await ordinary.purchase(501)))).toBe(DAILY);
    expect(await outcomeOf(known.charge(await known.purchase(900)))).toBe('AWAITING_PIX');
  });

  test('buys less in its first days, and after the bank took a payment back', async () => {
    const now = openPorts().clock.now();
    const fresh = await limitedClient({ client: { createdAt: now }, caps: { openCharges: 10 } });
    // The clock of these tests starts in the last hours of a year.
    fresh.ports.clock.advance(DAY_MS);
    await fresh.charge(await fresh.purchase(30_000));
    fresh.ports.clock.advance(DAY_MS);
    expect(await outcomeOf(fresh.charge(await fresh.purchase(20_001)))).toBe(MONTHLY);
    fresh.ports.clock.advance(5 * DAY_MS);
    expect(await outcomeOf(fresh.charge(await fresh.purchase(20_001)))).toBe('AWAITING_PIX');

    const returned = await limitedClient({ client: { medAt: now } });
    const purchase = await returned.purchase(5_001);
    await expect(returned.charge(purchase)).rejects.toMatchObject({
      details: { limit: 'PURCHASE_AMOUNT', maximum: 5_000, remaining: 5_000, retryAfterSeconds: 90 * 86_400 },
    });
  });
});

// Threat: "one CPF buys at many partners"
describe('a person at two partners', () => {
  // docs/decisions.md, "Charge limits of a client"
  test('is refused without a number when the sum of all partners is full', async () => {
    const ports = openPorts();
    ports.chargeLimits.everywhere = { ...DEFAULT_LIMITS.everywhere, dailyBrl: 60_000 };
    const [here, there] = [await limitedClient({}, ports), await limitedClient({}, ports)];
    await there.charge(await there.purchase(50_000));

    await expect(here.charge(await here.purchase(10_001))).rejects.toMatchObject({
      code: 'CLIENT_BLOCKED',
      details: {},
    });

    expect(await here.used()).toMatchObject({ charges: 0, day: 0 });
    expect(await outcomeOf(here.charge(await here.purchase(10_000)))).toBe('AWAITING_PIX');
  });
});

describe('initiate', () => {
  test('reports a limit before the client shows a code, and opens nothing', async () => {
    const { ports, purchase, charge, pay, initiate } = await limitedClient();
    const first = await purchase(40_000);
    const { expiresAt } = await charge(first);

    await expect(initiate(50)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: {
        limit: 'OPEN_CHARGES',
        maximum: 1,
        remaining: 0,
        retryAfterSeconds: 30 * 60,
        resetsAt: new Date(expiresAt!).toISOString(),
        transactionId: first.id,
      },
    });
    await pay(first);
    await expect(initiate(10_000.01)).rejects.toMatchObject({
      details: { limit: 'DAILY_AMOUNT', maximum: 50_000, remaining: 10_000 },
    });
    expect(ports.machine.started).toEqual([]);

    expect(await initiate(10_000)).toMatchObject({ status: 'PENDING_AUTH' });
  });

  test('names only a purchase whose charge is open, and at /mfa as well', async () => {
    const { purchase, charge, expire, initiate } = await limitedClient({ caps: { openCharges: 2 } });
    const [first, second] = [await purchase(100), await purchase(100)];
    await charge(first);
    await charge(second);
    const details = { limit: 'OPEN_CHARGES', transactionId: second.id };

    await expect(initiate(50)).rejects.toMatchObject({ details });
    await expect(charge(await purchase(50))).rejects.toMatchObject({ details });

    const lowered = await limitedClient({ caps: { openCharges: 2 } });
    const [older, newer] = [await lowered.purchase(100), await lowered.purchase(100)];
    await lowered.charge(older);
    await lowered.charge(newer);
    await lowered.expire(newer);
    lowered.ports.chargeLimits = limitsWith({ openCharges: 1 });
    const refused = await lowered.initiate(50).catch((error) => error.details);
    expect(refused).toMatchObject({ limit: 'OPEN_CHARGES' });
    expect(refused).not.toHaveProperty('transactionId');
    await expire(second);
    expect(await initiate(50)).toMatchObject({ status: 'PENDING_AUTH' });
  });

  test('only checks the limit: twenty purchases without authentication take no place', async () => {
    const { used, initiate, purchase, charge } = await limitedClient();
    await twenty(() => initiate(50_000));

    expect(await used()).toMatchObject({ charges: 0, day: 0 });
    expect(await outcomeOf(charge(await purchase(50_000)))).toBe('AWAITING_PIX');
  });
});

describe('an end that races with the claim', () => {
  // docs/decisions.md, "Charge limits of a client"
  test('gives back a claim that was made after the end was computed', async () => {
    const world = await limitedClient();
    const { ports, partner, used } = world;
    const bought = await world.purchase(50_000);
    ports.liquidity.isEmpty = true;
    let isFirst = true;
    const { findTransaction } = ports.transactions;
    const transactions = {
      ...ports.transactions,
      async findTransaction(id: string) {
        const found = await findTransaction(id);
        if (isFirst) await world.charge(bought).catch(() => undefined);
        isFirst = false;
        return found;
      },
    };

    const caller = { partner, ids: undefined as never };
    const told = await cancelTransaction({ id: bought.id }, caller, { ...ports, transactions });

    expect(told.status).toBe('CANCELED');
    expect(await used()).toMatchObject({ charges: 0, day: 0 });
  });

  test('leaves nothing to claim', async () => {
    const { end, charge, purchase, used, ports } = await limitedClient();
    const bought = await purchase(50);
    const stale = await reread(ports, bought);
    await end(bought, 'no MFA response within 15 minutes');

    await expect(charge(stale)).rejects.toMatchObject({ code: 'TRANSACTION_EXPIRED' });
    expect(await used()).toMatchObject({ charges: 0, day: 0 });
  });
});

test('a purchase without a claim gives nothing back', async () => {
  const world = await limitedClient();
  const bought = await putPurchaseIn(world.ports, 'AWAITING_PIX', { clientId: world.clientId });

  await world.expire(bought);

  expect(await world.used()).toMatchObject({ charges: 0, day: 0 });
});
