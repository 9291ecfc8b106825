/** The report of a month or of a day. */
import type { Asset, TransactionStatus } from './types.ts';

/**
 * Amounts in reais, as decimal strings. `refundedBrl` is the money that went back because purchases failed.
 * `unmatchedBrl` is the money of Pix payments that came late or twice, and so paid no purchase.
 * `unmatchedReturnedBrl` is the part of that money that went back.
 */
export type ReportAmounts = {
  receivedBrl: string;
  soldBrl: string;
  spreadBrl: string;
  refundedBrl: string;
  unmatchedBrl: string;
  unmatchedReturnedBrl: string;
};
export type ReportAsset = ReportAmounts & { asset: Asset; assetAmount: string };

/**
 * `purchases` has each purchase that was opened in the period, or whose money moved in the period. Times have
 * the offset of São Paulo.
 */
export type PartnerReport = {
  period: string;
  /** `RUNNING`: the period has not ended, so its amounts still grow. */
  status: 'RUNNING' | 'ENDED';
  from: string;
  /** The first instant after the period. */
  to: string;
  asOf: string;
  counts: {
    opened: number;
    expired: number;
    canceled: number;
    paid: number;
    delivered: number;
    refunded: number;
  };
  totals: ReportAmounts;
  assets: readonly ReportAsset[];
  purchases: readonly (ReportAsset & {
    transactionId: string;
    externalId?: string;
    status: TransactionStatus;
    openedAt: string;
  })[];
};
