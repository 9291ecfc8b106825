/** The answers about a purchase that your support reads. */
import type { TransactionStatus } from './statuses.ts';
import type { Asset } from './types.ts';

/** The fields that every read of a purchase has. A field that does not apply is absent. */
export type TransactionSummary = {
  transactionId: string;
  /** Your own reference, if you gave one. */
  externalId?: string;
  status: TransactionStatus;
  asset: Asset;
  amountBrl: number;
  /** Decimal string. */
  assetAmount: string;
  walletAddress: string;
  createdAt: string;
  /** When the service stops waiting for the client's next step. */
  expiresAt?: string;
  txHash?: string;
};

/** One sentence that your support can read to the client. */
export type Text = { pt: string; en: string };

/** The service may add names. If you do not know a name, show `text`. */
export type StoryFact = {
  what:
    | 'OPENED'
    | 'CONFIRMED'
    | 'PAID'
    | 'DELIVERED'
    | 'NOT_DELIVERED'
    | 'EXPIRED'
    | 'CANCELED'
    | 'REFUNDED'
    | 'OTHER_PIX_RECEIVED'
    | 'OTHER_PIX_RETURNED';
  at: string;
  text: Text;
};

export type StoryStanding = {
  what:
    | 'WAITS_FOR_CLIENT'
    | 'WAITS_FOR_PIX'
    | 'CLOSING'
    | 'SENDING'
    | 'SENDING_SLOWLY'
    | 'DELIVERED'
    | 'REFUNDING'
    | 'REFUND_REPEATED'
    | 'REFUND_WITH_US'
    | 'REFUNDED'
    | 'TAKEN_BACK'
    | 'EXPIRED'
    | 'CANCELED';
  since: string;
  text: Text;
};

/** The facts of a purchase, where it stands, and which move comes next. */
export type Story = {
  /** The oldest first. */
  happened: readonly StoryFact[];
  standing: StoryStanding;
  /** `by` is the latest time of the next move. Absent if the move has no latest time. */
  next: { by?: string; text: Text };
};

export type TransactionDetail = TransactionSummary & {
  metadata?: Readonly<Record<string, string>>;
  /** The price of the purchase at this moment. The service locks the price when it issues the Pix payload. */
  quote: { rate: string; feeBrl: number };
  story: Story;
};

/** Times have the offset of São Paulo. */
export type Receipt = {
  transactionId: string;
  externalId?: string;
  /** Your name, as the client knows it. */
  partner: string;
  openedAt: string;
  payment: { endToEndId: string; amountBrl: number; paidAt: string };
  /** `payment.amountBrl` contains the fee and the taxes. */
  price: { rate: string; feeBrl: number; taxes: readonly { name: string; amountBrl: number }[] };
  delivery: {
    asset: Asset;
    assetAmount: string;
    walletAddress: string;
    txHash: string;
    /** Absent if the stage's chain has no explorer, for example in the sandbox. */
    explorerUrl?: string;
    deliveredAt: string;
  };
};

export type TransactionFilter = {
  status?: TransactionStatus;
  /** Created at this time or later: ISO 8601. */
  from?: string;
  /** Created before this time: ISO 8601. */
  to?: string;
  externalId?: string;
  /** A KYC token of the client whose purchases you want. It may be expired. */
  kycToken?: string;
  /** 1 to 100; 20 when absent. */
  limit?: number;
  /** The `nextCursor` of the page before. The filters must be the same. */
  cursor?: string;
};

/**
 * The newest purchase first. The last page has no `nextCursor`. Every other page has one, even a short or an empty
 * page.
 */
export type TransactionPage = { transactions: readonly TransactionSummary[]; nextCursor?: string };
