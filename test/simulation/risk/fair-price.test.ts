import { describe, expect, it } from 'vitest';
import type { Asset } from '../../../functions/domain/assets.ts';
import { perAsset } from '../../../functions/domain/assets.ts';
import { VENUES, type Venue } from '../../../functions/domain/treasury/quorum.ts';
import { HOUR_MS, MINUTE_MS, START_AT } from '../times.ts';
import { findUnfair } from './fair-price.ts';
import { averageAt, type Market } from './market.ts';

const AT = START_AT + 3 * HOUR_MS;
const AMOUNT = 2_000;
const FAIR = averageAt(5.4, AMOUNT);

/** Each honest exchange asks 5.4. From `since` on, each of `liars` gives a false price for each of `assets`. */
function judge(
  ask: number,
  liars: readonly Venue[] = [],
  assets: readonly Asset[] = ['USDC', 'USDT'],
  since = AT - MINUTE_MS,
) {
  const market = {
    levelOf: () => 5.4,
    lieOf: (venue: Venue, asset: Asset, time: number) =>
      liars.includes(venue) && assets.includes(asset) && time >= since
        ? { kind: 'FALSE', factor: 0.5 }
        : undefined,
  } as unknown as Market;
  const sound = perAsset(() => VENUES.filter((venue) => !liars.includes(venue)));
  return findUnfair(market, { at: AT, scope: 'p1', sound }, { asset: 'USDC', amountBrl: AMOUNT, ask });
}

describe('a price', () => {
  it.each([
    ['honest', FAIR, [], undefined],
    ['of a smaller amount', averageAt(5.4, 100), [], 'is due'],
    ['below it', FAIR * 0.999, [], 'is due'],
    ['above it', FAIR * 1.01, [], 'at most'],
    ['honest while one exchange lies', FAIR, VENUES.slice(0, 1), undefined],
    ['below it while one exchange lies', FAIR * 0.999, VENUES.slice(0, 1), 'is due'],
    ['within the move while two lie', averageAt(5.4, 5_000) * 0.951, VENUES.slice(0, 2), undefined],
    ['beyond the move while two lie', averageAt(5.4, 5_000) * 0.949, VENUES.slice(0, 2), 'is due'],
  ] as const)('%s is judged', (_, ask, liars, says) => {
    const found = judge(ask, liars);

    if (says) expect(found).toContain(says);
    else expect(found).toBeUndefined();
  });

  it('is bound by the other asset while two exchanges lie about one', () => {
    const reference = averageAt(5.4, 5_000);

    expect(judge(reference * 0.981, VENUES.slice(0, 2), ['USDC'])).toBeUndefined();
    expect(judge(reference * 0.979, VENUES.slice(0, 2), ['USDC'])).toContain('is due');
  });

  it('is bound by PTAX alone while two exchanges have lied for an hour', () => {
    const judgeLong = (ask: number) => judge(ask, VENUES.slice(0, 2), ['USDC', 'USDT'], AT - 2 * HOUR_MS);

    expect(judgeLong(5.43 * 0.901)).toBeUndefined();
    expect(judgeLong(5.43 * 0.899)).toContain('PTAX');
    expect(judgeLong(5.43 * 1.101)).toContain('PTAX');
  });
});
