import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Caps } from '../../functions/domain/partners/caps.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { type LimitedClient, limitedClient, outcomeOf, tally } from '../support/limited-client.ts';
import { reread, START_AT, type TestPorts } from '../support/ports.ts';

const AMOUNT = 9_999.99;
/** How often the amount fits into the cap of each period below. */
const FITS = 5;
const CAP_CENTAVOS = 50_000_00;
const SECOND_MS = 1000;

/** Midnights in São Paulo (UTC-3): the end of a day, of a month and of a year, each with the cap that begins anew. */
const MIDNIGHTS: [string, string, Partial<Caps>, string][] = [
  ['a day', '2099-01-16T03:00:00.000Z', { dailyBrl: 50_000 }, 'DAILY_AMOUNT'],
  ['a month', '2099-02-01T03:00:00.000Z', { dailyBrl: 60_000, monthlyBrl: 50_000 }, 'MONTHLY_AMOUNT'],
  ['a year', '2100-01-01T03:00:00.000Z', { dailyBrl: 60_000, yearlyBrl: 50_000 }, 'YEARLY_AMOUNT'],
];

/** A client with twenty purchases that wait for their charge a millisecond before midnight. */
async function clientBefore(midnight: number, caps: Partial<Caps>) {
  const world = await limitedClient({ caps: { openCharges: 20, ...caps } });
  world.ports.clock.advance(midnight - 1 - START_AT);
  const purchases = await Promise.all(Array.from({ length: 20 }, () => world.purchase(AMOUNT)));
  return { ...world, purchases };
}

/** The ports of an instance with a clock of its own. */
const instanceAt = (ports: TestPorts, now: () => number): TestPorts => ({
  ...ports,
  clock: { ...ports.clock, now },
});

/** Expects that each side of midnight holds what was charged on it, within its cap, for the client and the person. */
async function expectWithinCaps(world: LimitedClient, purchases: readonly Transaction[], midnight: number) {
  const { ports, used, usedEverywhere } = world;
  const now = await Promise.all(purchases.map((each) => reread(ports, each)));
  const charged = now.filter(({ status }) => status === 'AWAITING_PIX');
  const claimed: number[] = [];
  for (const at of [midnight - 1, midnight]) {
    const onDay = charged.filter(({ claim }) => claim?.day === dayInBrasilia(at));
    const instance = instanceAt(ports, () => at);
    const day = onDay.length * 9_999_99;
    expect(day).toBeLessThanOrEqual(CAP_CENTAVOS);
    expect(await used(instance)).toMatchObject({ day, charges: charged.length });
    expect(await usedEverywhere(instance)).toMatchObject({ day });
    claimed.push(onDay.length);
  }
  expect(claimed[0]! + claimed[1]!).toBe(charged.length);
  return claimed;
}

// docs/decisions.md, "Charge limits of a client"
// Threat: "charges race at midnight"
describe.each(MIDNIGHTS)(
  'twenty charges at once at the end of %s in São Paulo',
  (_, instant, caps, limit) => {
    const midnight = Date.parse(instant);

    test('fill the cap of the old one at 23:59:59.999, and that of the new one at 00:00:00.000', async () => {
      const world = await clientBefore(midnight, caps);
      const { ports, purchases, purchase, charge } = world;

      const before = await Promise.all(purchases.map((each) => outcomeOf(charge(each))));
      ports.clock.advance(1);
      const later = await Promise.all(Array.from({ length: 20 }, () => purchase(AMOUNT)));
      const after = await Promise.all(later.map((each) => outcomeOf(charge(each))));

      const refused = `LIMIT_EXCEEDED ${limit}`;
      for (const outcomes of [before, after])
        expect(tally(outcomes)).toEqual({ AWAITING_PIX: FITS, [refused]: 20 - FITS });
      expect(await expectWithinCaps(world, [...purchases, ...later], midnight)).toEqual([FITS, FITS]);
    });

    test('by instances whose clocks differ by a second fill each cap once', async () => {
      const world = await clientBefore(midnight, caps);
      const { ports, purchases, charge } = world;
      const instances = [-SECOND_MS, 0].map((ms) => instanceAt(ports, () => midnight + ms));

      await Promise.all(purchases.map((each, at) => outcomeOf(charge(each, instances[at % 2]))));

      expect(await expectWithinCaps(world, purchases, midnight)).toEqual([FITS, FITS]);
    });

    test('count no purchase in both, whenever the clock of an instance passes midnight', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(400), fc.nat(400), async (one, other) => {
          const world = await clientBefore(midnight, caps);
          const instances = [one, other].map((reads) => {
            let read = 0;
            return instanceAt(world.ports, () => (read++ < reads ? midnight - 1 : midnight));
          });

          const { purchases, charge } = world;
          await Promise.all(purchases.map((each, at) => outcomeOf(charge(each, instances[at % 2]))));

          const claimed = await expectWithinCaps(world, purchases, midnight);
          expect(Math.max(...claimed)).toBe(FITS);
        }),
        { numRuns: 15 },
      );
    });
  },
);

describe('twenty initiates at midnight in São Paulo', () => {
  test.each(MIDNIGHTS)('look at the period of their own clock: %s', async (_, instant, caps, limit) => {
    const midnight = Date.parse(instant);
    const { ports, purchases, charge, pay, initiate } = await clientBefore(midnight, caps);
    for (const bought of purchases.slice(0, FITS)) {
      await charge(bought);
      await pay(bought);
    }
    const instances = [-1, 0].map((ms) => instanceAt(ports, () => midnight + ms));

    const asked = Array.from({ length: 20 }, (_, at) => outcomeOf(initiate(50, instances[at % 2])));

    expect(tally(await Promise.all(asked))).toEqual({ PENDING_AUTH: 10, [`LIMIT_EXCEEDED ${limit}`]: 10 });
    await expect(initiate(50)).rejects.toMatchObject({
      details: { limit, resetsAt: instant, retryAfterSeconds: 1 },
    });
  });
});
