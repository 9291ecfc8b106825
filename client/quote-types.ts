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
      /** A decimal string, such as `"45.5"`. The client receives exactly this. */
      assetAmount: string;
    }
);

/** A price that is locked for one purchase. Pass `quoteId` and `amountBrl` on to `initiateTransaction`. */
export type LockedQuote = {
  quoteId: string;
  asset: Asset;
  /** The price for the client. It contains the fees and the taxes. */
  amountBrl: number;
  /** The client receives exactly this. Decimal string. */
  assetAmount: string;
  /** Reais for one unit of the asset, including the service's margin. Decimal string. */
  rate: string;
  /** The service's margin, in reais. `amountBrl` contains it. */
  feeBrl: number;
  networkFeeBrl: number;
  taxes: readonly { name: string; amountBrl: number }[];
  /** The Pix charge must be made before this time. Later calls are refused with `QUOTE_EXPIRED`. */
  expiresAt: string;
};
