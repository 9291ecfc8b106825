/**
 * Decides whether enough exchanges agree on a price: docs/decisions.md, "A price that may be sold at". Prices
 * are integers with eight decimals.
 */

import { getAt } from '../get.ts';
import { averageAsk, isPriceWithin, type Judgement, type OrderBook, type PriceBounds } from './order-book.ts';

export const VENUES = ['BINANCE', 'MERCADO_BITCOIN', 'FOXBIT'] as const;
export type Venue = (typeof VENUES)[number];
/** The order books of one asset, at the exchanges that answered. */
export type VenueBooks = Partial<Record<Venue, OrderBook>>;
/**
 * The price of `REFERENCE_CENTAVOS` (`price.ts`) that the schedule `ReadTreasuryFloat` read at one exchange.
 * `at` is the instant of the read.
 */
export type VenueAsk = { venue: Venue; ask: bigint; at: number };

/** The number of exchanges that must agree, because a single one may show a false price. */
const QUORUM = 2;
/**
 * A saved price can confirm another price for this time. The schedule reads each minute, so two readings in a
 * row may fail.
 */
const FRESH_MS = 3 * 60_000;

/** One asset at the exchanges. `saved` are earlier prices of exchanges that may not answer now. */
export type BooksReading = { books: VenueBooks; saved: readonly VenueAsk[]; now: number };

/**
 * The price at which the exchanges sell the whole amount. An exchange's price is used only if another
 * exchange confirms it. The result is the middle one of three prices, and the higher one of two. A false
 * exchange therefore cannot make the treasury sell below an honest one. An exchange that limits requests may
 * not answer now. Its last saved price can then confirm another exchange's price.
 */
export function quorumAsk(
  { books, saved, now }: BooksReading,
  bounds: PriceBounds,
  amountCentavos: number,
): Judgement {
  const judged = presentIn(books).map((book) => judgeBook(book, bounds, amountCentavos));
  const asks = judged.flatMap(({ ask }) => ask ?? []);
  const former = saved.filter(({ venue, at }) => !books[venue] && now - at <= FRESH_MS).map(({ ask }) => ask);
  if (asks.length === 0 || asks.length + former.length < QUORUM)
    return { distrust: judged.find(({ distrust }) => distrust)?.distrust ?? 'FEW_VENUES' };
  const confirmed = confirmedOf([...asks, ...former], bounds);
  if (confirmed.length < QUORUM) return { distrust: 'VENUES_DIFFER' };
  return { ask: getAt(confirmed, Math.floor(confirmed.length / 2)) };
}

/** The price of one exchange, or the fault of its book. */
function judgeBook(book: OrderBook, bounds: PriceBounds, amountCentavos: number): Judgement {
  const ask = averageAsk(book, amountCentavos);
  const [bid] = book.bids;
  if (ask === undefined || bid === undefined) return { distrust: 'THIN_BOOK' };
  if (bid.price > ask) return { distrust: 'CROSSED_BOOK' };
  if (!isPriceWithin(ask, bid.price, bounds.gapBasisPoints)) return { distrust: 'WIDE_GAP' };
  return { ask };
}

/** The price of the amount at each exchange in whose book `judgeBook` finds no fault. */
export function venueAsks(
  { books, now }: Pick<BooksReading, 'books' | 'now'>,
  bounds: PriceBounds,
  amountCentavos: number,
): VenueAsk[] {
  return VENUES.flatMap((venue) => {
    const book = books[venue];
    const { ask } = book ? judgeBook(book, bounds, amountCentavos) : {};
    return ask === undefined ? [] : { venue, ask, at: now };
  });
}

/** The exchanges that gave no sound book. */
export function silentVenues(asks: readonly VenueAsk[]): Venue[] {
  return VENUES.filter((each) => !asks.some(({ venue }) => venue === each));
}

const presentIn = (books: VenueBooks): OrderBook[] => VENUES.flatMap((venue) => books[venue] ?? []);

/** The prices that at least one other price confirms, the lowest first. */
function confirmedOf(asks: readonly bigint[], { venuesBasisPoints }: PriceBounds): bigint[] {
  return asks
    .filter((ask, index) => asks.some((other, at) => at !== index && areNear(ask, other, venuesBasisPoints)))
    .toSorted((one, other) => (one < other ? -1 : 1));
}

/**
 * True if the prices are near each other, whichever of the two is the reference. The order of the exchanges
 * therefore makes no difference.
 */
const areNear = (one: bigint, other: bigint, basisPoints: number): boolean =>
  isPriceWithin(one, other, basisPoints) && isPriceWithin(other, one, basisPoints);
