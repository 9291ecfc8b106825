import { ASSET_NAMES, type Asset, type PerAsset, perAsset } from '../../../functions/domain/assets.ts';
import type { OrderBook } from '../../../functions/domain/treasury/order-book.ts';
import type { PriceFeed } from '../../../functions/domain/treasury/price-ports.ts';
import { VENUES, type Venue, type VenueBooks } from '../../../functions/domain/treasury/quorum.ts';
import { priceOf } from '../../support/stub-market.ts';
import { chance, diceOf } from '../dice.ts';
import type { Kernel } from '../kernel.ts';
import { MINUTE_MS, QUIET_AFTER_MS, START_AT } from '../times.ts';
import { type Lie, liesOf } from './lies.ts';

/** The first offer of each honest book is small and cheap. It covers no larger purchase. */
const SMALL_TOKENS = 150;
const SMALL_PRICE = 0.99;
const BID_PRICE = 0.98;
const LARGE_TOKENS = '10000000';

const STEP_MS = 5 * MINUTE_MS;
const FIRST_PRICE = 5.45;
/** The most by which a price moves in one step, and by which an exchange differs from another. */
const WALK = 0.0015;
const NOISE = 0.001;

/** How the price of the whole market jumps: by which part, and for how many minutes. */
type Jump = { by: number; minutes: number };
const JUMPS: readonly (readonly [Jump | undefined, number])[] = [
  [undefined, 3],
  [{ by: 0.02, minutes: 200 }, 2],
  [{ by: -0.02, minutes: 200 }, 2],
  [{ by: 0.08, minutes: 8 }, 2],
  [{ by: -0.08, minutes: 8 }, 2],
  [{ by: 0.12, minutes: 20 }, 1],
];

export type Market = ReturnType<typeof openMarket>;
/** One answer of the exchanges to one function. `sound` are the honest exchanges that gave a book of the asset. */
export type Reading = { at: number; scope: string; sound: PerAsset<readonly Venue[]> };

/** Three exchanges, whose honest prices follow from the seed and the time alone. Some of them lie for some minutes. */
export function openMarket(kernel: Kernel, seed: string) {
  const dice = diceOf(seed, 'market');
  const jump = dice.pick(JUMPS);
  const jumpsAt = START_AT + dice.within(15, 50) * MINUTE_MS;
  const jumpTimes = jump ? [jumpsAt, jumpsAt + jump.minutes * MINUTE_MS] : [];
  const lies = liesOf(seed);
  const walked = [0];
  const readings: Reading[] = [];
  const counts = { readings: 0, jumps: jump ? 1 : 0, 'readings with a false book': 0 };

  /** The logarithm of the price at the start of a step. */
  function walkTo(step: number): number {
    for (let at = walked.length; at <= step; at++)
      walked.push(walked[at - 1]! + (chance(seed, 'walk', at) - 0.5) * 2 * WALK);
    return walked[step]!;
  }

  function baseAt(now: number): number {
    const steps = Math.max(0, now - START_AT) / STEP_MS;
    const step = Math.floor(steps);
    const walk = walkTo(step) + (walkTo(step + 1) - walkTo(step)) * (steps - step);
    const hasJumped = jump && now >= jumpsAt && now < jumpsAt + jump.minutes * MINUTE_MS;
    return FIRST_PRICE * Math.exp(walk) * (hasJumped ? 1 + jump.by : 1);
  }

  /** The honest price of a large amount. */
  function levelOf(venue: Venue, asset: Asset, now: number): number {
    const step = Math.floor((now - START_AT) / STEP_MS);
    return baseAt(now) * (1 + (chance(seed, venue, asset, step) - 0.5) * 2 * NOISE);
  }

  const lieOf = (venue: Venue, asset: Asset, now: number): Lie | undefined =>
    now >= START_AT + QUIET_AFTER_MS
      ? undefined
      : lies.find(
          (lie) =>
            lie.venues.includes(venue) && lie.assets.includes(asset) && now >= lie.from && now < lie.until,
        );

  function bookOf(venue: Venue, asset: Asset, now: number): OrderBook | undefined {
    const lie = lieOf(venue, asset, now);
    const level = levelOf(venue, asset, now);
    if (lie?.kind === 'SILENT') return undefined;
    if (lie?.kind === 'THIN') return { ...aBook(level), asks: [offer(level * 0.5, '1')] };
    return aBook(level * (lie?.factor ?? 1));
  }

  function read(): PerAsset<VenueBooks> {
    const now = kernel.now();
    const books = perAsset(
      (asset) =>
        Object.fromEntries(
          VENUES.flatMap((venue) => {
            const book = bookOf(venue, asset, now);
            return book ? [[venue, book]] : [];
          }),
        ) as VenueBooks,
    );
    const sound = perAsset((asset) => VENUES.filter((venue) => !lieOf(venue, asset, now)));
    readings.push({ at: now, scope: kernel.scope(), sound });
    counts.readings++;
    const isFalse = ASSET_NAMES.some((asset) =>
      VENUES.some((venue) => lieOf(venue, asset, now)?.factor !== undefined),
    );
    if (isFalse) counts['readings with a false book']++;
    return books;
  }

  /** One effect asks all exchanges. An outage leaves no book, as in the adapter. */
  const feed: PriceFeed = {
    findBooks: () =>
      kernel
        .effect({ service: 'market', name: 'GET', about: 'books', isRead: true, failure }, read)
        .catch(() => {
          return perAsset(() => ({}));
        }),
  };

  return { feed, readings, counts, levelOf, lieOf, jumpTimes };
}

/** The average price at which an honest book with this level sells the amount. */
export function averageAt(level: number, amountBrl: number): number {
  const small = SMALL_TOKENS * level * SMALL_PRICE;
  if (amountBrl <= small) return level * SMALL_PRICE;
  return amountBrl / (SMALL_TOKENS + (amountBrl - small) / level);
}

function aBook(level: number): OrderBook {
  const asks = [offer(level * SMALL_PRICE, String(SMALL_TOKENS)), offer(level, LARGE_TOKENS)];
  return { bids: [offer(level * BID_PRICE, LARGE_TOKENS)], asks };
}

const offer = (price: number, quantity: string) => ({
  price: priceOf(price.toFixed(8)),
  quantity: priceOf(quantity),
});

const failure = () => new Error('no answer of the exchanges');
