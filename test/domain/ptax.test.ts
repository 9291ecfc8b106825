import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  distrustOfPtax,
  isPtaxDue,
  type KeptPtax,
  newerPtax,
  type Ptax,
} from '../../functions/domain/treasury/ptax.ts';
import { MINUTE_MS, NOW } from '../support/builders.ts';
import { PRICE_BOUNDS, priceOf } from '../support/stub-market.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const { ptaxDays } = PRICE_BOUNDS.USDT;
const ptaxOf = (price: string, publishedAt = NOW): Ptax => ({ rate: priceOf(price), publishedAt });
const distrust = (ask: bigint, ptax: Ptax | undefined, now = NOW) =>
  distrustOfPtax(ask, ptax, { ...PRICE_BOUNDS.USDT, now });

// docs/decisions.md, "A price that may be sold at"
describe('a price', () => {
  it.each([
    ['4.50', undefined],
    ['5.50', undefined],
    ['4.49999999', 'FAR_FROM_PTAX'],
    ['5.50000001', 'FAR_FROM_PTAX'],
    ['2.60', 'FAR_FROM_PTAX'],
  ])('of %s beside a PTAX of 5.00 gives %s', (ask, expected) => {
    expect(distrust(priceOf(ask), ptaxOf('5.00'))).toBe(expected);
  });

  it('needs a PTAX of the last days, and one that is a millisecond older is none', () => {
    const oldest = ptaxOf('5.43', NOW - ptaxDays * DAY_MS);

    expect(distrust(priceOf('5.43'), oldest)).toBeUndefined();
    expect(distrust(priceOf('5.43'), oldest, NOW + 1)).toBe('NO_PTAX');
    expect(distrust(priceOf('5.43'), undefined)).toBe('NO_PTAX');
  });

  it('is never farther from PTAX than the setting, whatever its age', () => {
    const price = fc.bigInt(1n, priceOf('99'));
    const age = fc.integer({ min: 0, max: 2 * ptaxDays * DAY_MS });
    fc.assert(
      fc.property(price, price, age, (ask, rate, ageMs) => {
        if (distrust(ask, { rate, publishedAt: NOW - ageMs }) !== undefined) return;
        const distance = ask > rate ? ask - rate : rate - ask;
        expect(distance * 10n).toBeLessThanOrEqual(rate);
        expect(ageMs).toBeLessThanOrEqual(ptaxDays * DAY_MS);
      }),
    );
  });
});

describe('the kept PTAX', () => {
  const kept: KeptPtax = { ...ptaxOf('5.43', NOW - DAY_MS), readAt: NOW - 20 * MINUTE_MS };

  it('is read anew after ten minutes', () => {
    expect(isPtaxDue(undefined, NOW)).toBe(true);
    expect(isPtaxDue(kept, kept.readAt + 10 * MINUTE_MS - 1)).toBe(false);
    expect(isPtaxDue(kept, kept.readAt + 10 * MINUTE_MS)).toBe(true);
  });

  it('gives way to a newer one, and to a correction of the same time', () => {
    for (const publishedAt of [NOW, kept.publishedAt])
      expect(newerPtax(kept, ptaxOf('5.44', publishedAt), NOW)).toEqual({
        ...ptaxOf('5.44', publishedAt),
        readAt: NOW,
      });
  });

  it('outlives silence and an older one, and is then read anew at once', () => {
    for (const read of [undefined, ptaxOf('9.99', kept.publishedAt - 1)]) {
      expect(newerPtax(kept, read, NOW)).toEqual(kept);
      expect(isPtaxDue(newerPtax(kept, read, NOW), NOW)).toBe(true);
    }
  });
});
