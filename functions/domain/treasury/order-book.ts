/**
 * The order book of one exchange, and the price that follows from it. Prices and quantities are integers with eight
 * decimals.
 */

import { BASIS_POINTS, RATE_DECIMALS } from '../money.ts';

/** An offer: BRL per token, and the number of tokens. */
export type Offer = { price: bigint; quantity: bigint };
/** The offers of one exchange for one asset against BRL. Each side begins with the best offer. */
export type OrderBook = { bids: readonly Offer[]; asks: readonly Offer[] };
/** The limits within which a stage accepts the price of one asset. */
export type PriceBounds = {
  /** Limits in BRL per token, as decimal strings. A price beyond them means a broken market. */
  lowest: string;
  highest: string;
  /**
   * The greatest distance of the average ask from the best bid. If the distance is greater, the book is
   * nearly empty.
   */
  gapBasisPoints: number;
  /** The greatest distance from the ask to the nearest price of another asset of the same currency. */
  disagreementBasisPoints: number;
  /** The greatest distance between the prices of two exchanges that confirm each other. */
  venuesBasisPoints: number;
  /** The greatest distance from the ask to each price that was accepted within the last hour. */
  moveBasisPoints: number;
  /** The greatest distance from the ask to the last PTAX. */
  ptaxBasisPoints: number;
  /** The greatest age of the last PTAX in days. With an older one, or none, nothing is sold. */
  ptaxDays: number;
};

export const DISTRUST_WORDS = {
  FEW_VENUES: 'fewer than two exchanges give a price',
  VENUES_DIFFER: 'no two exchanges have prices near each other',
  THIN_BOOK: 'the asks do not cover the amount, or nobody bids',
  CROSSED_BOOK: 'the best bid is above the price',
  WIDE_GAP: 'the price is too far above the best bid',
  OUT_OF_BOUNDS: 'the price is outside of the lowest and the highest',
  DISAGREEMENT: 'no other asset of the same currency has a price near it',
  MOVED: 'the price is too far from what was accepted within the last hour',
  NEVER_ACCEPTED: 'no price was accepted within the last hour',
  NO_PTAX: 'there is no PTAX that is young enough to compare with',
  FAR_FROM_PTAX: 'the price is too far from the last PTAX',
} as const;
export type Distrust = keyof typeof DISTRUST_WORDS;
export type Judgement = { ask: bigint; distrust?: undefined } | { ask?: undefined; distrust: Distrust };

/**
 * The value of one centavo in the unit of a price times a quantity. Such a product has sixteen decimals, and
 * an amount in centavos has two.
 */
const COST_PER_CENTAVO = 10n ** BigInt(2 * RATE_DECIMALS - 2);

/**
 * The average price of a token for a buyer of the whole amount, who takes the best offers first. Rounded down.
 * Undefined if all offers together are worth less than the amount.
 */
export function averageAsk({ asks }: Pick<OrderBook, 'asks'>, amountCentavos: number): bigint | undefined {
  const amount = BigInt(amountCentavos) * COST_PER_CENTAVO;
  let left = amount;
  let bought = 0n;
  for (const { price, quantity } of asks) {
    const cost = price * quantity;
    // The buyer may need only a part of the last offer. The average is amount / (bought + left / price), computed in
    // integers.
    if (cost >= left) return (amount * price) / (bought * price + left);
    left -= cost;
    bought += quantity;
  }
  return undefined;
}

/** True if the price is at most `basisPoints` away from the reference. */
export function isPriceWithin(price: bigint, reference: bigint, basisPoints: number): boolean {
  const distance = price > reference ? price - reference : reference - price;
  return distance * BASIS_POINTS <= reference * BigInt(basisPoints);
}
