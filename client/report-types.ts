/** The report of a month or of a day. */
import type { Asset, TransactionStatus } from './types.ts';

/** Decimal texts of reais. `refundedBrl` is of failed purchases, the last two of Pix that paid no purchase. */
export type ReportAmounts = {
  receivedBrl: string;
  soldBrl: string;
  spreadBrl: string;
  refundedBrl: string;
  unmatchedBrl: string;
  unmatchedReturnedBrl: string;
};
export type ReportAsset = ReportAmounts & { asset: Asset; assetAmount: string };

/** Each purchase that was opened in the period or moved money in it. Times have the offset of São Paulo. */
export type PartnerReport = {
  period: string;
  /** A period that is `RUNNING` has not ended, so its amounts grow. */
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
