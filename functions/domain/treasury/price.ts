/**
 * Decides whether the order books of the exchange give a price that we may sell at: docs/decisions.md, "A price that
 * may be sold at". Prices and quantities are integers with eight decimals, as at the exchange.
 */

import { ASSET_NAMES, ASSETS, type Asset, type PerAsset } from '../assets.ts';
import { AMOUNT_LIMITS_CENTAVOS, decimalOf, RATE_DECIMALS, unitsOf } from '../money.ts';

/** An offer: BRL per token, and the number of tokens. */
export type Offer = { price: bigint; quantity: bigint };
/** The offers for one asset against BRL. On each side the best is first. */
export type OrderBook = { bids: readonly Offer[]; asks: readonly Offer[] };
export type OrderBooks = PerAsset<OrderBook>;

/** The prices of one asset that a stage accepts. */
export type PriceBounds = {
  /** BRL per token, decimal strings. A price beyond them means a broken market. */
  lowest: string;
  highest: string;
  /** The greatest distance of an ask from the best bid. A greater one means an empty book. */
  gapBasisPoints: number;
  /** The greatest distance to the nearest price of another asset of the same currency. */
  disagreementBasisPoints: number;
  /** The greatest distance from each price that was accepted within the last hour. */
  moveBasisPoints: number;
};

/** The lowest and the highest price that was accepted in the five minutes from the instant `from`. */
export type AcceptedSpan = { from: number; lowest: bigint; highest: bigint };
/** The prices of one asset that the schedule accepted within the last hour. */
export type PriceHistory = {
  asset: Asset;
  spans: readonly AcceptedSpan[];
  /** Why the last reading was not accepted. Absent: it was accepted. */
  distrust?: Distrust;
  /** Each save raises it by one. A save is dropped unless the row has the revision before. */
  revision: number;
};

export type Market = {
  /** Absent while the exchange does not answer. */
  books?: OrderBooks;
  history: PriceHistory;
  bounds: PriceBounds;
  now: number;
};
export type ReadMarket = Market & { books: OrderBooks };

export const DISTRUST_WORDS = {
  NO_ANSWER: 'the exchange does not answer',
  THIN_BOOK: 'the asks do not cover the amount, or nobody bids',
  CROSSED_BOOK: 'the best bid is above the price',
  WIDE_GAP: 'the price is too far above the best bid',
  OUT_OF_BOUNDS: 'the price is outside of the lowest and the highest',
  DISAGREEMENT: 'no other asset of the same currency has a price near it',
  MOVED: 'the price is too far from what was accepted within the last hour',
  NEVER_ACCEPTED: 'no price was accepted within the last hour',
} as const;
export type Distrust = keyof typeof DISTRUST_WORDS;
export type Judgement = { ask: bigint; distrust?: undefined } | { ask?: undefined; distrust: Distrust };

/** The amount of each minute's reading and of references. It is too large for one small offer to set the price. */
export const REFERENCE_CENTAVOS = AMOUNT_LIMITS_CENTAVOS.maximum / 10;
/** The interval of the schedule `ReadTreasuryFloat`. Its next reading may find another price. */
export const PRICE_RETRY_AFTER_SECONDS = 60;

const HOUR_MS = 60 * 60_000;
/** A history then has at most thirteen spans, and reaches back an hour and five minutes. */
const SPAN_MS = 5 * 60_000;
const BASIS_POINTS = 10_000n;
/** From centavos to a price times a quantity, which has sixteen decimals. */
const COST_PER_CENTAVO = 10n ** BigInt(2 * RATE_DECIMALS - 2);

/** The price for a purchase of an amount, or the reason why there is none. */
export function judgePrice(market: Market, asset: Asset, amountCentavos: number): Judgement {
  const { books, history, now } = market;
  if (!books) return { distrust: 'NO_ANSWER' };
  if (recentSpans(history, now).length === 0) return { distrust: 'NEVER_ACCEPTED' };
  return judgeReading({ ...market, books }, asset, amountCentavos);
}

/**
 * The same as `judgePrice`, but without a price that was accepted before. `ReadTreasuryFloat` accepts even the first
 * price this way.
 */
export function judgeReading(
  market: ReadMarket,
  asset: Asset,
  amountCentavos: number = REFERENCE_CENTAVOS,
): Judgement {
  const ask = averageAsk(market.books[asset], amountCentavos);
  const [best] = market.books[asset].bids;
  if (ask === undefined || best === undefined) return { distrust: 'THIN_BOOK' };
  const distrust = distrustIn(ask, best.price, asset, market);
  return distrust ? { distrust } : { ask };
}

function distrustIn(ask: bigint, bid: bigint, asset: Asset, market: ReadMarket): Distrust | undefined {
  const { bounds, history, now } = market;
  const [lowest, highest] = [requirePrice(bounds.lowest), requirePrice(bounds.highest)];
  if (bid > ask) return 'CROSSED_BOOK';
  if (!isWithin(ask, bid, bounds.gapBasisPoints)) return 'WIDE_GAP';
  if (ask < lowest || ask > highest) return 'OUT_OF_BOUNDS';
  const references = referencesFor(asset, market.books);
  if (!isConfirmed(ask, references, bounds.disagreementBasisPoints)) return 'DISAGREEMENT';
  // It compares with every price of the last hour, so that many small steps go no further than one step.
  const accepted = recentSpans(history, now).flatMap((span) => [span.lowest, span.highest]);
  if (!accepted.every((each) => isWithin(ask, each, bounds.moveBasisPoints))) return 'MOVED';
  return undefined;
}

/** The prices of the other assets of the same currency, as far as their markets have enough offers. */
function referencesFor(asset: Asset, books: OrderBooks): bigint[] {
  const { currency } = ASSETS[asset];
  const others = ASSET_NAMES.filter((each) => each !== asset && ASSETS[each].currency === currency);
  return others
    .map((other) => averageAsk(books[other], REFERENCE_CENTAVOS))
    .filter((reference) => reference !== undefined);
}

/**
 * Whether at least one reference is near the ask. A market that alone is false is near none, so it sells nothing. If
 * there are several references, one that fails stops no sale. Without a reference nothing is sold.
 */
export function isConfirmed(ask: bigint, references: readonly bigint[], basisPoints: number): boolean {
  return references.some((reference) => isWithin(ask, reference, basisPoints));
}

/**
 * The average price of a token for a buyer of the whole amount, who takes the best offers first. Undefined if all
 * offers together are worth less. It is rounded down.
 */
export function averageAsk({ asks }: Pick<OrderBook, 'asks'>, amountCentavos: number): bigint | undefined {
  const amount = BigInt(amountCentavos) * COST_PER_CENTAVO;
  let left = amount;
  let bought = 0n;
  for (const { price, quantity } of asks) {
    const cost = price * quantity;
    // The last offer that is needed may be bought only in part. The average is amount / (bought + left / price), in
    // integers.
    if (cost >= left) return (amount * price) / (bought * price + left);
    left -= cost;
    bought += quantity;
  }
  return undefined;
}

/** The history after its price was accepted. */
export function withAccepted(history: PriceHistory, price: bigint, now: number): PriceHistory {
  const from = Math.floor(now / SPAN_MS) * SPAN_MS;
  const recent = recentSpans(history, now);
  const current = recent.find((span) => span.from === from) ?? { from, lowest: price, highest: price };
  const grown = { from, lowest: least(current.lowest, price), highest: most(current.highest, price) };
  const spans = [...recent.filter((span) => span !== current), grown];
  return { asset: history.asset, spans, revision: history.revision + 1 };
}

/** The history after its price was refused. Accepted prices stay until they are an hour old. */
export function withDistrust(history: PriceHistory, distrust: Distrust): PriceHistory {
  return { ...history, distrust, revision: history.revision + 1 };
}

function recentSpans({ spans }: PriceHistory, now: number): readonly AcceptedSpan[] {
  return spans.filter(({ from }) => from + SPAN_MS + HOUR_MS > now);
}

function isWithin(price: bigint, reference: bigint, basisPoints: number): boolean {
  const distance = price > reference ? price - reference : reference - price;
  return distance * BASIS_POINTS <= reference * BigInt(basisPoints);
}

export const priceText = (price: bigint): string => decimalOf(price, RATE_DECIMALS);

function requirePrice(text: string): bigint {
  const price = unitsOf(text, RATE_DECIMALS);
  if (price === undefined) throw new Error(`${text} is no price`);
  return price;
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const most = (one: bigint, other: bigint) => (one > other ? one : other);
