/**
 * Decides whether the exchanges' order books give a price at which the service may sell: docs/decisions.md, "A price
 * that may be sold at". Prices and quantities are integers with eight decimals.
 */

import { ASSET_NAMES, ASSETS, type Asset, type PerAsset } from '../assets.ts';
import { AMOUNT_LIMITS_CENTAVOS, decimalOf, largerOf, RATE_DECIMALS, smallerOf, unitsOf } from '../money.ts';
import { HOUR_MS } from '../time.ts';
import { type Distrust, isPriceWithin, type Judgement, type PriceBounds } from './order-book.ts';
import { distrustOfPtax, type KeptPtax } from './ptax.ts';
import { type BooksReading, quorumAsk, type VenueAsk, type VenueBooks, venueAsks } from './quorum.ts';

/** The order books of each asset, at each exchange that answered. */
export type OrderBooks = PerAsset<VenueBooks>;

/** The lowest and the highest price that was accepted in the five minutes from the instant `from`. */
export type AcceptedSpan = { from: number; lowest: bigint; highest: bigint };
/**
 * The prices of one asset that the schedule `ReadTreasuryFloat` accepted within about the last hour: see
 * `SPAN_MS`.
 */
export type PriceHistory = {
  asset: Asset;
  spans: readonly AcceptedSpan[];
  /** The last price that the schedule read at each exchange, accepted or not. */
  asks: readonly VenueAsk[];
  /** Absent until the schedule has read a PTAX. */
  ptax?: KeptPtax;
  /** Why the last reading was refused. Absent if it was accepted. */
  distrust?: Distrust;
  /** Each save raises this number by one. A save is dropped if another save came first. */
  revision: number;
};

export type Market = {
  books: OrderBooks;
  history: PriceHistory;
  bounds: PriceBounds;
  now: number;
};

/**
 * The amount for which the schedule computes its prices each minute. It is too large for one small offer to set the
 * price.
 */
export const REFERENCE_CENTAVOS = AMOUNT_LIMITS_CENTAVOS.maximum / 10;
/** The interval of the schedule `ReadTreasuryFloat`. The next reading may give a price that can be sold at. */
export const PRICE_RETRY_AFTER_SECONDS = 60;

/** The length of a span. A history then has at most thirteen spans, and reaches back an hour and five minutes. */
const SPAN_MS = 5 * 60_000;
/** Judges the price for a purchase of an amount. Gives the price, or the reason why the service may not sell. */
export function judgePrice(market: Market, asset: Asset, amountCentavos: number): Judgement {
  if (recentSpans(market.history, market.now).length === 0) return { distrust: 'NEVER_ACCEPTED' };
  return judgeReading(market, asset, amountCentavos);
}

/**
 * Judges the price as `judgePrice` does, but needs no price that was accepted before. `ReadTreasuryFloat`
 * uses it, so that it can accept a first price.
 */
export function judgeReading(
  market: Market,
  asset: Asset,
  amountCentavos: number = REFERENCE_CENTAVOS,
): Judgement {
  const { books, history, bounds, now } = market;
  const reading = { books: books[asset], saved: history.asks, now };
  const { ask, distrust } = quorumAsk(reading, bounds, amountCentavos);
  if (distrust !== undefined) return { distrust };
  const further = distrustIn(ask, asset, market);
  return further ? { distrust: further } : { ask };
}

function distrustIn(ask: bigint, asset: Asset, market: Market): Distrust | undefined {
  const { bounds, history, now } = market;
  const [lowest, highest] = [requireRate(bounds.lowest), requireRate(bounds.highest)];
  if (ask < lowest || ask > highest) return 'OUT_OF_BOUNDS';
  const references = referencesFor(asset, market);
  if (!isConfirmed(ask, references, bounds.disagreementBasisPoints)) return 'DISAGREEMENT';
  // The ask is compared with every price of the last hour. Within an hour, many small steps can therefore
  // move the price no further than `moveBasisPoints`.
  const accepted = recentSpans(history, now).flatMap((span) => [span.lowest, span.highest]);
  if (!accepted.every((each) => isPriceWithin(ask, each, bounds.moveBasisPoints))) return 'MOVED';
  return distrustOfPtax(ask, history.ptax, { ...bounds, now });
}

/**
 * The prices of the other assets of the same currency. They can confirm the ask, because tokens of one currency cost
 * about the same.
 */
function referencesFor(asset: Asset, { books, bounds, now }: Market): bigint[] {
  const { currency } = ASSETS[asset];
  const others = ASSET_NAMES.filter((each) => each !== asset && ASSETS[each].currency === currency);
  return others.flatMap((other) => referenceOf({ books: books[other], saved: [], now }, bounds) ?? []);
}

/**
 * The price at which exchanges sell another asset. If only one exchange shows a sound book of it, its price counts.
 * Otherwise exchanges must agree, so that one false price confirms no false price of another asset.
 */
function referenceOf(reading: BooksReading, bounds: PriceBounds): bigint | undefined {
  const [first, ...others] = venueAsks(reading, bounds, REFERENCE_CENTAVOS);
  return others.length === 0 ? first?.ask : quorumAsk(reading, bounds, REFERENCE_CENTAVOS).ask;
}

/** True if the price of at least one other asset is near the ask. Without any such price nothing is sold. */
export function isConfirmed(ask: bigint, references: readonly bigint[], basisPoints: number): boolean {
  return references.some((reference) => isPriceWithin(ask, reference, basisPoints));
}

/** The history with a newly accepted price. */
export function withAccepted(history: PriceHistory, price: bigint, now: number): PriceHistory {
  const from = Math.floor(now / SPAN_MS) * SPAN_MS;
  const recent = recentSpans(history, now);
  const current = recent.find((span) => span.from === from) ?? { from, lowest: price, highest: price };
  const grown = { from, lowest: smallerOf(current.lowest, price), highest: largerOf(current.highest, price) };
  const spans = [...recent.filter((span) => span !== current), grown];
  const { asset, asks, ptax, revision } = history;
  return { asset, spans, asks, ...(ptax && { ptax }), revision: revision + 1 };
}

/** The history after a refused reading. The accepted prices stay in it. */
export function withDistrust(history: PriceHistory, distrust: Distrust): PriceHistory {
  return { ...history, distrust, revision: history.revision + 1 };
}

/** The history with new prices of exchanges. An exchange without a new price keeps its last one. */
export function withAsks(history: PriceHistory, asks: readonly VenueAsk[]): PriceHistory {
  const others = history.asks.filter(({ venue }) => !asks.some((each) => each.venue === venue));
  return { ...history, asks: [...others, ...asks] };
}

function recentSpans({ spans }: PriceHistory, now: number): readonly AcceptedSpan[] {
  return spans.filter(({ from }) => from + SPAN_MS + HOUR_MS > now);
}

export const priceText = (price: bigint): string => decimalOf(price, RATE_DECIMALS);

function requireRate(text: string): bigint {
  const price = unitsOf(text, RATE_DECIMALS);
  if (price === undefined) throw new Error(`${text} is no price`);
  return price;
}
