/** `POST /v1/laas/quotes`. */
import type { Asset } from './types.ts';

/** Name either the amount that the client pays, or the amount that the client receives. */
export type CreateQuoteRequest = { asset: Asset } & (
  | {
      /** 50 to 50000 reais, at most two decimals. */
      amountBrl: number;
      assetAmount?: undefined;
    }
  | {
      amountBrl?: undefined;
      /** The exact amount that the client receives, as a decimal string such as `"45.5"`. */
      assetAmount: string;
    }
);

/**
 * A price that the service has locked for one purchase. Pass `quoteId` and `amountBrl` on to
 * `initiateTransaction`.
 */
export type LockedQuote = {
  quoteId: string;
  asset: Asset;
  /** The amount in reais that the client pays. It contains the service's margin and the taxes. */
  amountBrl: number;
  /** The exact amount that the client receives, as a decimal string. */
  assetAmount: string;
  /** Reais for one unit of the asset, including the service's margin. Decimal string. */
  rate: string;
  /** The service's margin, in reais. `amountBrl` contains it. */
  feeBrl: number;
  networkFeeBrl: number;
  taxes: readonly { name: string; amountBrl: number }[];
  /**
   * The quote is valid until this time. The service must make the Pix charge before it, and refuses later
   * calls with `QUOTE_EXPIRED`.
   */
  expiresAt: string;
};
