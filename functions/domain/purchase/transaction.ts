import type { Challenge } from './challenge.ts';
import { refuse } from '../errors.ts';
import { type DomainEvent, type EventType, eventData } from '../partners/events.ts';
import type { Liveness } from '../kyc/identity.ts';
import type { KycRecord, RiskTier } from '../kyc/kyc.ts';
import { type Posting, postingsAdded, postingsOf } from '../ledger.ts';
import type { Quote } from '../money.ts';
import type { Refund } from './refund.ts';

export const STATUSES = [
  'CREATED',
  'AWAITING_MFA',
  'AWAITING_PIX',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const;
export type Status = (typeof STATUSES)[number];
export const TERMINAL: readonly Status[] = ['COMPLETED', 'FAILED', 'EXPIRED'];

/** Spec, "Limits". The state machine's time limits are asserted equal to these. */
export const MFA_WINDOW_MINUTES = 15;
export const PIX_WINDOW_MINUTES = 30;

export const ASSETS = ['USDT', 'USDC'] as const;
export type Asset = (typeof ASSETS)[number];

/**
 * The specification's table "Transaction states", row for row and in its words; `ours` marks rows that we add
 * (docs/decisions.md, "Paid, then failed", "Screening again"). `events` are those of its column "Also happens", and ours
 * (docs/decisions.md, "Events beyond the specification").
 */
export const TRANSITIONS = [
  { from: undefined, trigger: 'transaction initiate', to: 'CREATED', events: [] },
  { from: 'CREATED', trigger: 'auth challenge issued', to: 'AWAITING_MFA', events: [] },
  { from: 'AWAITING_MFA', trigger: 'MFA code accepted', to: 'AWAITING_PIX', events: [] },
  {
    from: 'AWAITING_MFA',
    trigger: 'liveness completed',
    to: 'AWAITING_PIX',
    events: ['transaction.mfa_cleared', 'transaction.pix_ready'],
  },
  {
    from: 'AWAITING_PIX',
    trigger: 'Pix payment detected',
    to: 'PROCESSING',
    events: ['transaction.processing'],
  },
  {
    from: 'PROCESSING',
    trigger: 'stablecoin settled on-chain',
    to: 'COMPLETED',
    events: ['transaction.completed'],
  },
  { from: 'PROCESSING', trigger: 'settlement error', to: 'FAILED', events: ['transaction.failed'] },
  {
    from: 'AWAITING_MFA',
    trigger: 'no MFA response within 15 minutes',
    to: 'EXPIRED',
    events: ['transaction.expired'],
  },
  {
    from: 'AWAITING_PIX',
    trigger: 'no Pix payment within 30 minutes',
    to: 'EXPIRED',
    events: ['transaction.expired'],
  },
  { from: 'PROCESSING', trigger: 'wallet refused', to: 'FAILED', events: ['transaction.failed'], ours: true },
  { from: 'PROCESSING', trigger: 'client refused', to: 'FAILED', events: ['transaction.failed'], ours: true },
  {
    from: 'PROCESSING',
    trigger: 'payment refused',
    to: 'FAILED',
    events: ['transaction.failed'],
    ours: true,
  },
] as const satisfies readonly {
  from: Status | undefined;
  trigger: string;
  to: Status;
  events: readonly EventType[];
  ours?: true;
}[];
export type Trigger = (typeof TRANSITIONS)[number]['trigger'];

export type FailureReason =
  | 'SETTLEMENT_FAILED'
  | 'SETTLEMENT_CANCELLED'
  | 'SANCTIONS_HIT'
  | 'KYC_REJECTED'
  | 'WALLET_RISK_TOO_HIGH'
  | 'PAYER_MISMATCH'
  | 'AMOUNT_MISMATCH'
  | 'PAID_LATE'
  | 'PAYMENT_TAKEN_BACK';

/** What the charge at the payment provider looked like when it was issued. */
export type IssuedPix = { payload: string; expiresAt: number };

/** One purchase. Instants are epoch milliseconds; money is integers. `id` is also the execution's name and the txid. */
export type Transaction = {
  id: string;
  partnerId: string;
  clientId: string;
  kycToken: string;
  model: KycRecord['model'];
  riskTier: RiskTier;
  status: Status;
  asset: Asset;
  amountCentavos: number;
  walletAddress: string;
  challenge: Challenge;
  quote: Quote;
  /** TOTP codes tried; counted before each is checked. */
  mfaAttempts: number;
  liveness?: Liveness;
  pix?: IssuedPix;
  /** The received Pix that this purchase is paid with. */
  payment?: { endToEndId: string; paidAt: number; amountCentavos: number };
  txHash?: string;
  /** Transfers that were reported before, and gave way to another of the same nonce in a reorganisation. */
  formerTxHashes?: string[];
  failure?: { reason: FailureReason };
  refund?: Refund;
  /** Written once, by the claim on a nonce or by the claim on the refund; each needs the other's absence. */
  disposition?: 'SETTLE' | 'REFUND';
  /** The state machine's task token, and the status that its wait ends with. */
  wait?: { status: Status; token: string };
  /** Number of the last event announced. */
  sequence: number;
  createdAt: number;
  /** When the present wait is over; absent once nobody outside is waited for. */
  expiresAt?: number;
  /** When the sweeper looks whether somebody drives this row; absent once nothing is left to do. */
  nextCheckAt?: number;
  /** Executions of the state machine started for this row; the next is `<id>-r<n>`. */
  executions: number;
  history: { status: Status; at: number }[];
};

/** A move: what to write where the row is still as it was, with the events that it announces and what it posts. */
export type Change = {
  id: string;
  /** `refundTries` where the change ends a try of the refund: a new one changes neither status nor sequence. */
  was: { status: Status; sequence: number; refundTries?: number };
  set: Partial<Transaction>;
  remove: ('expiresAt' | 'nextCheckAt')[];
  events: DomainEvent[];
  postings: Posting[];
};

/** Now, and how long a minute of the waits lasts (60,000 ms but in a hurried sandbox). */
export type Instant = { now: number; minuteMs: number };

/** Grace before the sweeper looks at a row that the state machine ought to have moved. */
const SWEEP_AFTER_MINUTES = 2;

export type OpenTransaction = Omit<
  Transaction,
  'status' | 'mfaAttempts' | 'sequence' | 'createdAt' | 'expiresAt' | 'nextCheckAt' | 'executions' | 'history'
>;

/** A new purchase in `AWAITING_MFA`: the first two rows of the table happen in one write. */
export function openTransaction(purchase: OpenTransaction, at: Instant): Transaction {
  const expiresAt = at.now + MFA_WINDOW_MINUTES * at.minuteMs;
  return {
    ...purchase,
    status: 'AWAITING_MFA',
    mfaAttempts: 0,
    sequence: 0,
    createdAt: at.now,
    expiresAt,
    nextCheckAt: at.now + SWEEP_AFTER_MINUTES * at.minuteMs,
    executions: 0,
    history: [
      { status: 'CREATED', at: at.now },
      { status: 'AWAITING_MFA', at: at.now },
    ],
  };
}

/** The move that `trigger` makes, or undefined: an illegal one cannot be expressed. Deadlines: `isOver`. */
export function advance(
  transaction: Transaction,
  trigger: Trigger,
  at: Instant,
  facts: Partial<Transaction> = {},
): Change | undefined {
  const row = TRANSITIONS.find((each) => each.from === transaction.status && each.trigger === trigger);
  if (!row) return undefined;
  const waitsUntil = row.to === 'AWAITING_PIX' ? at.now + PIX_WINDOW_MINUTES * at.minuteMs : undefined;
  const isDone = TERMINAL.includes(row.to) && facts.refund?.status !== 'PENDING';
  const set: Partial<Transaction> = {
    ...facts,
    status: row.to,
    sequence: transaction.sequence + row.events.length,
    history: [...transaction.history, { status: row.to, at: at.now }],
    ...(waitsUntil !== undefined && { expiresAt: waitsUntil }),
    ...(!isDone && { nextCheckAt: (waitsUntil ?? at.now) + SWEEP_AFTER_MINUTES * at.minuteMs }),
  };
  const next = { ...transaction, ...set };
  return {
    id: transaction.id,
    was: { status: transaction.status, sequence: transaction.sequence },
    set,
    remove: [
      ...(waitsUntil === undefined ? (['expiresAt'] as const) : []),
      ...(isDone ? (['nextCheckAt'] as const) : []),
    ],
    events: row.events.map((type, index) => eventOf(next, type, transaction.sequence + index + 1, at.now)),
    postings: postingsAdded(postingsOf(transaction), postingsOf(next)),
  };
}

/** After its payment a purchase is a person's to look at: docs/decisions.md, "Paid, and a day later not over". */
export const STUCK_AFTER_MINUTES = 24 * 60;

/** Whether it was paid a day ago, and is neither delivered nor given back. A refund that has failed has a case of its own. */
export function isStuck({ status, payment, refund }: Transaction, { now, minuteMs }: Instant): boolean {
  const isOver = status !== 'PROCESSING' && refund?.status !== 'PENDING';
  return payment !== undefined && !isOver && now - payment.paidAt >= STUCK_AFTER_MINUTES * minuteMs;
}

/** Deadlines are judged by the record, never by a timer that fired. */
export function isOver(transaction: Transaction, now: number): boolean {
  return transaction.expiresAt !== undefined && now >= transaction.expiresAt;
}

/** Whether its Pix can be paid now: nobody is shown a payload that cannot. */
export function isPayable(transaction: Transaction, now: number): boolean {
  return transaction.status === 'AWAITING_PIX' && !isOver(transaction, now);
}

/**
 * Whether a Pix with this transaction's txid can no longer be its payment: the purchase is paid with another, or was
 * over before. An open purchase may still take it.
 */
export function isStray(transaction: Transaction, endToEndId: string): boolean {
  if (['CREATED', 'AWAITING_MFA', 'AWAITING_PIX'].includes(transaction.status)) return false;
  return transaction.payment?.endToEndId !== endToEndId;
}

/** The partner's own transaction, or the answer that an unknown id gets too. */
export function requireOwn(transaction: Transaction | undefined, partnerId: string): Transaction {
  if (transaction?.partnerId !== partnerId) refuse('TRANSACTION_NOT_FOUND');
  return transaction;
}

/** Refuses to act on a transaction that is not waiting for its authentication any more. */
export function requireAwaitingMfa(transaction: Transaction, now: number): void {
  if (transaction.status === 'EXPIRED' || isOver(transaction, now)) refuse('TRANSACTION_EXPIRED');
  if (transaction.status !== 'AWAITING_MFA') {
    refuse('INVALID_TRANSACTION_STATE', { status: transaction.status });
  }
}

/** An event about the row as it is after the move. */
export function eventOf(
  transaction: Transaction,
  type: EventType,
  sequence: number,
  now: number,
): DomainEvent {
  return {
    id: `${transaction.id}.${sequence}`,
    partnerId: transaction.partnerId,
    type,
    sequence,
    at: now,
    data: eventData(type, transaction, sequence),
  };
}
