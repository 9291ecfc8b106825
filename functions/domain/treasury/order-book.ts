/**
 * The order book of one exchange, and what it says about a price. Prices and quantities are integers with eight
 * decimals, as at the exchanges.
 */

import { RATE_DECIMALS } from '../money.ts';

/** An offer: BRL per token, and the number of tokens. */
export type Offer = { price: bigint; quantity: bigint };
/** The offers of one exchange for one asset against BRL. On each side the best is first. */
export type OrderBook = { bids: readonly Offer[]; asks: readonly Offer[] };
/** The prices of one asset that a stage accepts. */
export type PriceBounds = {
  /** BRL per token, decimal strings. A price beyond them means a broken market. */
  lowest: string;
  highest: string;
  /** The greatest distance of an ask from the best bid. A greater one means an empty book. */
  gapBasisPoints: number;
  /** The greatest distance to the nearest price of another asset of the same currency. */
  disagreementBasisPoints: number;
  /** The greatest distance between the prices of two exchanges that confirm each other. */
  venuesBasisPoints: number;
  /** The greatest distance from each price that was accepted within the last hour. */
  moveBasisPoints: number;
  /** The greatest distance from the last PTAX. */
  ptaxBasisPoints: number;
  /** A PTAX that is older bounds nothing, and without one nothing is sold. */
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

const BASIS_POINTS = 10_000n;
/** From centavos to a price times a quantity, which has sixteen decimals. */
const COST_PER_CENTAVO = 10n ** BigInt(2 * RATE_DECIMALS - 2);

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

/** Whether the price is at most so far from the reference. */
export function isWithin(price: bigint, reference: bigint, basisPoints: number): boolean {
  const distance = price > reference ? price - reference : reference - price;
  return distance * BASIS_POINTS <= reference * BigInt(basisPoints);
}
