/** The report of a month or of a day. */
import type { Asset, TransactionStatus } from './types.ts';

/**
 * Amounts in reais, as decimal strings. `refundedBrl` counts refunds of failed purchases. The last two fields count Pix
 * that paid no purchase.
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
 * `purchases` has each purchase that was opened in the period, or that moved money in it. Times have the offset of São
 * Paulo.
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
