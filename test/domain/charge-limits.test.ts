import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../functions/domain/errors.ts';
import type { Charges } from '../../functions/domain/kyc/client.ts';
import {
  type ChargeLimits,
  chargesOf,
  hasClaimed,
  withCharge,
} from '../../functions/domain/purchase/charge-limits.ts';
import {
  hasEndedUnpaid,
  STATUS_NAMES,
  STATUSES,
  type Status,
  TERMINAL,
} from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { aTransaction } from '../support/builders.ts';

const LIMITS: ChargeLimits = { openCharges: 1, dailyBrl: 50_000 };
const NOON = Date.parse('2026-11-20T15:00:00Z');
const MIDNIGHT = Date.parse('2026-11-21T03:00:00Z');
const HOUR_MS = 60 * 60_000;
const NONE = chargesOf({});
const R$ = (brl: number) => brl * 100;

const purchase = (id: string, status: Status, changes: Partial<Transaction> = {}) =>
  aTransaction({ id, status, expiresAt: NOON + HOUR_MS, ...changes });

/** The charges after another purchase of `brl`, given what happened to the earlier ones. */
function claim(
  charges: Charges,
  [id, brl]: [string, number],
  { purchases = [] as Transaction[], limits = LIMITS, now = NOON } = {},
): Charges {
  return withCharge({ charges, purchases }, { id, amountCentavos: R$(brl) }, { limits, now });
}

function refusalOf(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.details };
    throw error;
  }
  return undefined;
}

describe('a charge of a client', () => {
  it('is stored with its purchase, its amount and its day in Brasília', () => {
    const charges = claim(NONE, ['a', 250.5]);

    expect(charges).toEqual({
      day: '2026-11-20',
      centavos: 250_50,
      revision: 1,
      open: [{ transactionId: 'a', amountCentavos: 250_50, day: '2026-11-20' }],
    });
    expect([hasClaimed(charges, { id: 'a' }), hasClaimed(charges, { id: 'b' })]).toEqual([true, false]);
  });

  it.each(STATUS_NAMES.filter((status) => STATUSES[status].chargeMayBeOpen))(
    'is refused while another charge is %s',
    (status) => {
      const open = claim(NONE, ['a', 50]);
      const purchases = [purchase('a', status)];

      expect(refusalOf(() => claim(open, ['b', 50], { purchases }))).toEqual({
        code: 'LIMIT_EXCEEDED',
        limit: 'OPEN_CHARGES',
        maximum: 1,
        remaining: 0,
        resetsAt: '2026-11-20T16:00:00.000Z',
        retryAfterSeconds: 3600,
      });
    },
  );

  it('is refused before the time-out of the other charge has run, because it may still be paid', () => {
    const open = claim(NONE, ['a', 50]);
    const purchases = [purchase('a', 'AWAITING_PIX', { expiresAt: NOON - 1 })];

    expect(refusalOf(() => claim(open, ['b', 50], { purchases }))).toMatchObject({ retryAfterSeconds: 1 });
  });

  it.each(STATUS_NAMES.filter((status) => STATUSES[status].paid))(
    'replaces a charge that is %s, which still counts for the day',
    (status) => {
      const charges = claim(claim(NONE, ['a', 30_000]), ['b', 20_000], {
        purchases: [purchase('a', status)],
      });

      expect(charges).toMatchObject({ centavos: R$(50_000), open: [{ transactionId: 'b' }], revision: 2 });
    },
  );

  it.each(STATUS_NAMES.filter(hasEndedUnpaid))(
    'replaces a charge that is %s unpaid, and frees its amount',
    (status) => {
      const charges = claim(claim(NONE, ['a', 30_000]), ['b', 50_000], {
        purchases: [purchase('a', status)],
      });

      expect(charges).toMatchObject({ centavos: R$(50_000), open: [{ transactionId: 'b' }] });
    },
  );

  it('replaces a charge whose purchase no longer exists', () => {
    expect(claim(claim(NONE, ['a', 50]), ['b', 50]).open).toMatchObject([{ transactionId: 'b' }]);
  });

  it('is refused if the day would exceed its limit by one centavo', () => {
    const paid = { purchases: [purchase('a', 'COMPLETED')] };
    const charges = claim(NONE, ['a', 49_949.99]);

    expect(claim(charges, ['b', 50.01], paid).centavos).toBe(R$(50_000));
    expect(refusalOf(() => claim(charges, ['b', 50.02], paid))).toEqual({
      code: 'LIMIT_EXCEEDED',
      limit: 'DAILY_AMOUNT',
      maximum: 50_000,
      remaining: 50.01,
      resetsAt: '2026-11-21T03:00:00.000Z',
      retryAfterSeconds: 12 * 3600,
    });
  });

  it('counts for a new day from midnight in Brasília, and not earlier', () => {
    const paid = { purchases: [purchase('a', 'COMPLETED')] };
    const charges = claim(NONE, ['a', 50_000]);

    expect(refusalOf(() => claim(charges, ['b', 50], { ...paid, now: MIDNIGHT - 1 }))).toMatchObject({
      limit: 'DAILY_AMOUNT',
      remaining: 0,
      retryAfterSeconds: 1,
    });
    expect(claim(charges, ['b', 50], { ...paid, now: MIDNIGHT })).toMatchObject({
      day: '2026-11-21',
      centavos: R$(50),
    });
  });

  it('frees nothing of today when it was made yesterday and expires today', () => {
    const today = claim(claim(NONE, ['a', 30_000], { now: MIDNIGHT - 1 }), ['b', 20_000], {
      limits: { ...LIMITS, openCharges: 2 },
      now: MIDNIGHT,
      purchases: [purchase('a', 'AWAITING_PIX')],
    });

    const after = claim(today, ['c', 30_000], {
      now: MIDNIGHT,
      purchases: [purchase('a', 'EXPIRED'), purchase('b', 'COMPLETED')],
    });

    expect(after.centavos).toBe(R$(50_000));
  });

  it('is not allowed early by a clock that is behind at midnight', () => {
    const ahead = claim(NONE, ['a', 50_000], { now: MIDNIGHT });
    const paid = { purchases: [purchase('a', 'COMPLETED')], now: MIDNIGHT - 5 };

    expect(refusalOf(() => claim(ahead, ['b', 50], paid))).toMatchObject({
      limit: 'DAILY_AMOUNT',
      resetsAt: '2026-11-22T03:00:00.000Z',
    });
  });

  it('is limited to the configured number of open charges', () => {
    const limits = { openCharges: 3, dailyBrl: 50_000 };
    const ids = ['a', 'b', 'c'];
    const purchases = ids.map((id) => purchase(id, 'AWAITING_PIX'));

    const charges = ids.reduce((before, id) => claim(before, [id, 50], { limits, purchases }), NONE);

    expect(charges.open).toHaveLength(3);
    expect(refusalOf(() => claim(charges, ['d', 50], { limits, purchases }))).toMatchObject({ maximum: 3 });
  });

  // docs/decisions.md, "Charge limits of a client"
  it('never exceeds the limit of a day, whatever is paid, expires or waits', () => {
    const limits = { openCharges: 3, dailyBrl: 1_000 };
    const acts = fc.array(
      fc.record({
        brl: fc.integer({ min: 50, max: 600 }),
        ends: fc.array(fc.tuple(fc.nat(20), fc.constantFrom(...TERMINAL))),
        afterMs: fc.nat(4 * HOUR_MS),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(acts, (written) => {
        let [charges, now] = [NONE, NOON];
        const all: (Transaction & { day: string })[] = [];
        written.forEach(({ brl, ends, afterMs }, index) => {
          now += afterMs;
          for (const [at, status] of ends) if (all[at]?.status === 'AWAITING_PIX') all[at].status = status;
          const refusal = refusalOf(() => {
            charges = claim(charges, [String(index), brl], { limits, now, purchases: all });
          });
          if (refusal) return;
          all.push({
            ...purchase(String(index), 'AWAITING_PIX', { amountCentavos: R$(brl) }),
            day: charges.day,
          });
          const counted = all.filter(({ status, day }) => !hasEndedUnpaid(status) && day === charges.day);
          const sum = counted.reduce((total, { amountCentavos }) => total + amountCentavos, 0);
          expect(sum).toBeLessThanOrEqual(R$(1_000));
          expect(all.filter(({ status }) => status === 'AWAITING_PIX').length).toBeLessThanOrEqual(3);
          expect(charges.open.length).toBeLessThanOrEqual(3);
        });
      }),
    );
  });
});
