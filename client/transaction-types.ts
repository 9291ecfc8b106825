/** The types of the calls in `record-calls.ts`, which your support and your accounting use. */
import type { TransactionStatus } from './statuses.ts';
import type { Asset, Refund } from './types.ts';

/** The fields of a purchase, in a list and in `TransactionDetail`. A field that does not apply is absent. */
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
  /** The time at which the service stops waiting for the client's next step. */
  expiresAt?: string;
  txHash?: string;
};

/** One sentence for the client, in Portuguese (`pt`) and in English (`en`). Your support can read it out. */
export type Text = { pt: string; en: string };

/** The service may add values of `what`. Show `text` if you do not know a value. */
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

/** A purchase in words: the facts until now, the present state, and the next step. */
export type Story = {
  /** The oldest first. */
  happened: readonly StoryFact[];
  standing: StoryStanding;
  /**
   * `by` is the client's deadline, or the earliest time of the next attempt at a refund. Absent if there is
   * neither.
   */
  next: { by?: string; text: Text };
};

export type TransactionDetail = TransactionSummary & {
  metadata?: Readonly<Record<string, string>>;
  /** The present price of the purchase. The service locks the price when it issues the Pix payload. */
  quote: { rate: string; feeBrl: number };
  /** The refund without its reason, which the client may not read. `getTransactionStatus` has it. */
  refund?: Omit<Refund, 'reason'>;
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
  /** `payment.amountBrl` already contains `feeBrl` and the taxes. */
  price: { rate: string; feeBrl: number; taxes: readonly { name: string; amountBrl: number }[] };
  delivery: {
    asset: Asset;
    assetAmount: string;
    walletAddress: string;
    txHash: string;
    /**
     * The page of the transfer in a block explorer. Absent if the chain has no explorer, as in the sandbox.
     */
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
  /** A KYC token of the client whose purchases you want. An expired token is accepted too. */
  kycToken?: string;
  /** 1 to 100; 20 when absent. */
  limit?: number;
  /** The `nextCursor` of the previous page. The other filters must have the values of that page. */
  cursor?: string;
};

/**
 * The newest purchase first. The last page has no `nextCursor`. Every other page has one, even if the page is
 * short or empty.
 */
export type TransactionPage = { transactions: readonly TransactionSummary[]; nextCursor?: string };
