import { describe, expect, it } from 'vitest';
import {
  ceilingOf,
  NO_PAYOUTS,
  type PayoutWindow,
  paidIn,
  windowAt,
  withPayout,
} from '../../functions/domain/treasury/payout-window.ts';

const MINUTE_MS = 60_000;
/** The first instant of a slice. */
const START = 1_800_000_000_000;

const paid = (window: PayoutWindow, units: bigint, at: number) => withPayout(windowAt(window, at), { units });
const paidAt = (window: PayoutWindow, at: number) => paidIn(windowAt(window, at));

describe('the payouts of the last hour', () => {
  it.each([0, 1, MINUTE_MS, 5 * MINUTE_MS - 1])(
    'count for 60 minutes and at most 65, from %i ms of a slice on',
    (late) => {
      const window = paid(NO_PAYOUTS, 7n, START + late);

      expect(paidAt(window, START + late + 60 * MINUTE_MS)).toBe(7n);
      expect(paidAt(window, START + late + 65 * MINUTE_MS)).toBe(0n);
    },
  );

  it('are summed over all slices', () => {
    let window = NO_PAYOUTS;
    for (let minute = 0; minute < 60; minute++) window = paid(window, 1n, START + minute * MINUTE_MS);

    expect(paidIn(window)).toBe(60n);
    expect(paidAt(window, START + 65 * MINUTE_MS)).toBe(55n);
    expect(windowAt(window, START + 300 * MINUTE_MS).units).toEqual(Array(13).fill(0n));
  });

  it('are counted in the row’s slice by a clock that is behind', () => {
    const window = paid(NO_PAYOUTS, 7n, START);

    expect(paid(window, 2n, START - 20 * MINUTE_MS)).toMatchObject({
      slice: window.slice,
      units: window.units.with(0, 9n),
    });
  });
});

describe('a purchase that is tried again', () => {
  it.each([0, 4, 30, 59])('counts once, from its last try on, after %i minutes', (minutes) => {
    const first = paid(paid(NO_PAYOUTS, 7n, START), 2n, START);
    const now = START + minutes * MINUTE_MS;

    const again = withPayout(windowAt(first, now), { units: 7n, countedIn: first.slice });

    expect(paidIn(again)).toBe(9n);
    expect(paidAt(again, now + 60 * MINUTE_MS)).toBeGreaterThanOrEqual(7n);
    expect(paidAt(again, now + 65 * MINUTE_MS)).toBe(0n);
  });

  it('counts anew if its former count has left the window', () => {
    const first = paid(NO_PAYOUTS, 7n, START);
    const now = windowAt(first, START + 65 * MINUTE_MS);

    expect(paidIn(withPayout(now, { units: 7n, countedIn: first.slice }))).toBe(7n);
  });
});

describe('the ceiling', () => {
  const limits = { hourlyPayout: '0.000010' };
  const allowance = {
    units: 5n,
    slice: windowAt(NO_PAYOUTS, START).slice,
    by: 'ana',
    at: START,
    reason: 'a busy day',
  };

  it('is the setting, with what an operator allows for an hour', () => {
    const window = { ...NO_PAYOUTS, allowance };
    const ceilingAt = (minutes: number) =>
      ceilingOf('USDC', limits, windowAt(window, START + minutes * MINUTE_MS));

    expect(ceilingOf('USDC', limits, NO_PAYOUTS)).toBe(10n);
    expect([0, 60, 64].map(ceilingAt)).toEqual([15n, 15n, 15n]);
    expect(ceilingAt(65)).toBe(10n);
  });
});
