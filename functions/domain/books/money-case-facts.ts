/** The facts of a money case, for each kind of case. */
import type { Posting, PostingEntry } from '../ledger.ts';
import type { PixReturn } from '../purchase/pix.ts';
import type { FailureReason, UnmatchedReason } from '../purchase/return-reasons.ts';
import type { Status } from '../purchase/status.ts';

/** A posting as part of a case's facts. Amounts are decimal strings, because a JSON number would lose digits. */
export type PlainPosting = Pick<Posting, 'kind' | 'day' | 'at'> & {
  entries: (Omit<PostingEntry, 'amount'> & { amount: string })[];
};

/** A transfer as part of a case's facts. Units are a decimal string. */
export type PlainTransfer = { asset: string; units: string; to: string };

/** One transfer as the chain shows it, and the settlement and purchase to which its nonce was assigned. */
type TransferFacts = PlainTransfer & {
  wallet: string;
  nonce?: number;
  /** How many of the `asked` nodes show the transfer. */
  nodes: number;
  asked: number;
  settlement?: PlainTransfer;
  status?: Status;
  completedBy?: string;
};

/**
 * `wanted` is the transfer that a completed purchase needs. `shown` are the transfers that its transaction
 * on the chain has.
 */
type CompletionFacts = { wanted: PlainTransfer; shown: PlainTransfer[] };

/** The facts of a return that this service did not request. `at` is in epoch milliseconds. */
type ForeignReturnFacts = {
  returnId: string;
  nature: string;
  at: number;
  /** The ledger's account that loses the money. */
  from: 'losses' | 'clients' | 'unmatched';
};

/** The missing amount of the chain's own coin, or of a token. A decimal string. */
type CoinsFacts = { wei: string } | { asset: string; units: string };

/** The payment as our row or the provider has it. */
type PaymentSide = { amountCentavos: number; txid?: string };

/**
 * The facts of each kind of case: amounts, ids, reasons, statuses, and instants in epoch milliseconds. They never say
 * who paid.
 */
export type MoneyCaseFacts = {
  REFUND_FAILED: { reason: FailureReason; tries: number };
  UNMATCHED_LEFT: { reason: UnmatchedReason; tries: number; txid?: string };
  PURCHASE_STUCK: { status: Status; paidAt: number; reason?: FailureReason; tries?: number };
  RETURN_STUCK: { reason: UnmatchedReason; foundAt: number; tries?: number; faults?: number };
  PAYMENT_NOT_SHOWN: { paidAt: number };
  PAYMENT_DIFFERS: { here: PaymentSide; there: PaymentSide };
  PAYMENT_IGNORED: { status: Status };
  MED_REFUND: ForeignReturnFacts;
  REFUND_UNASKED: ForeignReturnFacts;
  REFUND_NOT_SHOWN: { id: string; returns: PixReturn[] };
  REFUND_DIFFERS: { asked: { id: string; amountCentavos: number }; shown: PixReturn[] };
  TRANSFER_UNKNOWN: TransferFacts;
  TRANSFER_DIFFERS: TransferFacts | CompletionFacts;
  TRANSFER_NOT_SHOWN: CompletionFacts;
  TRANSFERRED_TWICE: TransferFacts;
  PAYOUT_DOUBTFUL: PlainTransfer & { wallet: string; nonce?: number };
  COINS_MISSING: CoinsFacts & { wallet: string; since: number; block: number; unknown: number[] };
  POSTING_MISSING: { posting: PlainPosting };
  POSTING_EXTRA: { posting: PlainPosting };
  POSTING_ALTERED: { posting: PlainPosting; stored: PlainPosting };
};
export type MoneyCaseKind = keyof MoneyCaseFacts;
