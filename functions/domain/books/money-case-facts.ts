/** The facts of a money case, by its kind. */
import type { Entry, Posting } from '../ledger.ts';
import type { PixReturn } from '../purchase/pix.ts';
import type { FailureReason, UnmatchedReason } from '../purchase/return-reasons.ts';
import type { Status } from '../purchase/status.ts';

/** A posting without its id and names. Amounts are decimal strings, because a number would lose digits. */
export type PlainPosting = Pick<Posting, 'kind' | 'day' | 'at'> & {
  entries: (Omit<Entry, 'amount'> & { amount: string })[];
};

/** A transfer. Units are a decimal string. */
export type PlainTransfer = { asset: string; units: string; to: string };

/** One transfer as the chain shows it, and the settlement and purchase that its nonce belongs to. */
type TransferFacts = PlainTransfer & {
  wallet: string;
  nonce?: number;
  /** How many nodes show it, of those that were asked. */
  nodes: number;
  asked: number;
  settlement?: PlainTransfer;
  status?: Status;
  completedBy?: string;
};

/** A completed purchase against the transfers of its transaction. */
type CompletionFacts = { wanted: PlainTransfer; shown: PlainTransfer[] };

/** A return that this service did not request. `at` is an instant in epoch milliseconds. */
type ForeignReturnFacts = {
  returnId: string;
  nature: string;
  at: number;
  /** The account of the ledger that bears it. */
  from: 'losses' | 'clients' | 'unmatched';
};

/** The payment as one side has it. */
type PaymentSide = { amountCentavos: number; txid?: string };

/** The facts of each kind. They are amounts, ids and instants (epoch milliseconds), and never say who paid. */
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
  POSTING_MISSING: { posting: PlainPosting };
  POSTING_EXTRA: { posting: PlainPosting };
  POSTING_ALTERED: { posting: PlainPosting; stored: PlainPosting };
};
export type MoneyCaseKind = keyof MoneyCaseFacts;
