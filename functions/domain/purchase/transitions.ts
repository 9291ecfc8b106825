import { getDefined } from '../get.ts';
import { type Posting, postingsAdded } from '../ledger.ts';
import type { Quote } from '../money.ts';
import type { DomainEvent, EventType } from '../partners/events.ts';
import { type Instant, quarterOf } from '../time.ts';
import { eventData } from './announcements.ts';
import { type Released, releasedBy } from './claim.ts';
import { postingsOf } from './postings.ts';
import type { FailureReason } from './return-reasons.ts';
import { type Status, TERMINAL, type UnpaidEnd } from './status.ts';
import {
  type IssuedPix,
  MFA_WINDOW_MINUTES,
  type Payment,
  PIX_WINDOW_MINUTES,
  type Refund,
  reachedAt,
  type Transaction,
} from './transaction.ts';

/**
 * The specification's table "Transaction states", row by row in its own words. `events` are those of its column "Also
 * happens", and ours: docs/decisions.md, "Facts that partners learn". `ours` marks rows that we have added:
 * docs/decisions.md, "Paid, then failed", "Screening again"; docs/life-of-a-purchase.md, "When a purchase ends before
 * its payment".
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
  {
    from: 'AWAITING_MFA',
    trigger: 'canceled by the partner',
    to: 'CANCELED',
    events: ['transaction.canceled'],
    ours: true,
  },
  {
    from: 'AWAITING_PIX',
    trigger: 'canceled by the partner',
    to: 'CANCELED',
    events: ['transaction.canceled'],
    ours: true,
  },
] as const satisfies readonly {
  from: Status | undefined;
  trigger: string;
  to: Status;
  events: readonly EventType[];
  ours?: true;
}[];
type Row = (typeof TRANSITIONS)[number];
export type Trigger = Row['trigger'];
/** The triggers of the moves into one of these statuses. */
export type TriggerTo<To extends Status> = Extract<Row, { to: To }>['trigger'];

/** The charge that the client pays, and its price. */
type Issued = { pix: IssuedPix; quote: Quote; sealedUnits: string };

/**
 * The facts that each move must write. A move without a row here writes none. `refund` is absent if the provider has
 * already returned the whole payment.
 */
type TriggerFacts = Record<TriggerTo<'AWAITING_PIX'>, Issued> &
  Record<TriggerTo<'PROCESSING'>, { payment: Payment }> &
  Record<TriggerTo<'COMPLETED'>, { txHash: string }> &
  Record<TriggerTo<'FAILED'>, { failure: { reason: FailureReason }; disposition: 'REFUND'; refund?: Refund }>;
export type FactsOf<Caused extends Trigger> = Caused extends keyof TriggerFacts
  ? [facts: TriggerFacts[Caused]]
  : [];

export type EndTrigger = TriggerTo<UnpaidEnd>;

/** The trigger of the move that ends an unpaid purchase. Undefined if `TRANSITIONS` has no such move. */
export function findEndTrigger(from: Status, to: UnpaidEnd): EndTrigger | undefined {
  const isMove = (row: Row): row is Extract<Row, { to: UnpaidEnd }> => row.from === from && row.to === to;
  return TRANSITIONS.find(isMove)?.trigger;
}

/**
 * A move of a purchase, with its events and postings. All of them are one write. The write is refused if the
 * row is no longer as `was` says.
 */
export type PurchaseChange = {
  id: string;
  /**
   * The state that the row must still have. `refundTries` is set if the change ends a try of the refund,
   * because each try may end only once. `isClaimed` is set for a change from `AWAITING_MFA`. Another request
   * may claim the client's limits for the purchase at the same moment.
   */
  was: { status: Status; sequence: number; refundTries?: number; isClaimed?: boolean };
  set: ChangedFacts;
  remove: ('expiresAt' | 'nextCheckAt')[];
  events: DomainEvent[];
  postings: Posting[];
  released?: Released;
};

/** New values of facts. A change of the status comes with the facts that the new status requires (`FactsOf`). */
type ChangedFacts = { [Name in keyof Transaction]?: Transaction[Name] };

/** The purchase as it is after the change. */
export const withChange = (was: Transaction, { set }: Pick<PurchaseChange, 'set'>): Transaction =>
  ({ ...was, ...set }) as Transaction;

type OpenTransaction = Omit<
  Extract<Transaction, { status: 'AWAITING_MFA' }>,
  'status' | 'mfaAttempts' | 'sequence' | 'createdAt' | 'expiresAt' | 'nextCheckAt' | 'executions' | 'history'
>;

/**
 * The sweeper (`SweepStuckTransactions`) acts this long after the state machine should have moved the
 * purchase.
 */
const SWEEP_AFTER_MINUTES = 2;
const LONGEST_SWEEP_PAUSE_MINUTES = 15;

/**
 * When the sweeper next checks a purchase whose execution runs. A purchase that waits for a face check is
 * checked every two minutes, because the callback may be lost. If the client has another deadline, the
 * check comes after it. Any other wait is checked after a quarter of its age, because AWS limits how often
 * the sweeper may read an execution.
 */
export function nextSweepAt(transaction: Transaction, { now, minuteMs }: Instant): number {
  const pause = SWEEP_AFTER_MINUTES * minuteMs;
  const { status, expiresAt, liveness } = transaction;
  if (status === 'AWAITING_MFA' && liveness) return now + pause;
  if (expiresAt !== undefined && now < expiresAt) return expiresAt + pause;
  const bounds = { least: pause, most: LONGEST_SWEEP_PAUSE_MINUTES * minuteMs };
  return now + quarterOf(now - reachedAt(transaction), bounds);
}

/** When the sweeper next checks a purchase if it does not know whether an execution runs. */
export const soonSweepAt = ({ now, minuteMs }: Instant): number => now + SWEEP_AFTER_MINUTES * minuteMs;

/** Makes a new purchase in `AWAITING_MFA`. The first two rows of `TRANSITIONS` are one write. */
export function openTransaction(purchase: OpenTransaction, at: Instant): Transaction {
  const expiresAt = at.now + MFA_WINDOW_MINUTES * at.minuteMs;
  return {
    ...purchase,
    status: 'AWAITING_MFA',
    mfaAttempts: 0,
    sequence: 0,
    createdAt: at.now,
    expiresAt,
    nextCheckAt: soonSweepAt(at),
    executions: 0,
    history: [
      { status: 'CREATED', at: at.now },
      { status: 'AWAITING_MFA', at: at.now },
    ],
  };
}

/**
 * Computes the move that `trigger` causes. Undefined if `TRANSITIONS` has no such row. The deadline is not checked
 * here: see `isPastDeadline`.
 */
export function advance<Caused extends Trigger>(
  transaction: Transaction,
  trigger: Caused,
  at: Instant,
  ...given: FactsOf<Caused>
): PurchaseChange | undefined {
  const facts: ChangedFacts = given[0] ?? {};
  const { status, sequence } = transaction;
  const row = TRANSITIONS.find((each) => each.from === status && each.trigger === trigger);
  if (!row) return undefined;
  const waitsUntil = row.to === 'AWAITING_PIX' ? at.now + PIX_WINDOW_MINUTES * at.minuteMs : undefined;
  const isDone = TERMINAL.includes(row.to) && facts.refund?.status !== 'PENDING';
  const set: ChangedFacts = {
    ...facts,
    status: row.to,
    sequence: sequence + row.events.length,
    history: [...transaction.history, { status: row.to, at: at.now }],
    ...(waitsUntil !== undefined && { expiresAt: waitsUntil }),
    ...(!isDone && { nextCheckAt: (waitsUntil ?? at.now) + SWEEP_AFTER_MINUTES * at.minuteMs }),
  };
  const next = withChange(transaction, { set });
  return {
    id: transaction.id,
    was: {
      status,
      sequence,
      ...(status === 'AWAITING_MFA' && { isClaimed: transaction.claim !== undefined }),
    },
    set,
    remove: [
      ...(waitsUntil === undefined ? (['expiresAt'] as const) : []),
      ...(isDone ? (['nextCheckAt'] as const) : []),
    ],
    events: row.events.map((type, index) => purchaseEvent(next, type, sequence + index + 1, at.now)),
    postings: postingsAdded(postingsOf(transaction), postingsOf(next)),
    released: releasedBy(transaction, next),
  };
}

/**
 * Does the same as `advance`, but throws if the status does not allow the move. The caller has checked the
 * status.
 */
export function getChange<Caused extends Trigger>(
  transaction: Transaction,
  trigger: Caused,
  at: Instant,
  ...facts: FactsOf<Caused>
): PurchaseChange {
  const change = advance(transaction, trigger, at, ...facts);
  return getDefined(change, `move from ${transaction.status} by '${trigger}'`);
}

/** Makes an event that shows the purchase as `transaction` has it: after the move. */
export function purchaseEvent(
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
