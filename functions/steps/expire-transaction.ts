import { ordinary, Unavailable } from '../domain/errors.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { hasEndedUnpaid, type Status } from '../domain/purchase/status.ts';
import { isOver, type Transaction } from '../domain/purchase/transaction.ts';
import { advance } from '../domain/purchase/transitions.ts';
import { type StepInput, step } from '../entry/step.ts';
import { REVIEW_NEEDS, reviewLiveness } from '../logic/purchase/liveness.ts';
import { paymentDetected } from '../logic/purchase/receive-payment.ts';

export const needs = [...REVIEW_NEEDS, 'log'] as const;
type Ports = Needs<typeof needs>;

/** A clock that is behind the machine's timer by less than this is waited for, not given another whole window. */
const SKEW_MS = 5000;

/**
 * AWAITING_MFA or AWAITING_PIX to EXPIRED, judged by the record's deadline. The answer is the status as it is now,
 * whoever won.
 */
export async function expireTransaction({ transactionId }: StepInput, ports: Ports) {
  const transaction = (await ports.transactions.findTransaction(transactionId))!;
  const now = ports.clock.now();
  if (isOver(transaction, now) || hasEndedUnpaid(transaction.status))
    await EXPIRE[transaction.status]?.(transaction, ports);
  else if (isOver(transaction, now + SKEW_MS)) throw ordinary(new Unavailable('the deadline'));
  const { status } = (await ports.transactions.findTransaction(transactionId))!;
  return { transactionId, status };
}

/** So long past the deadline a check is asked for at providers that do not answer; no money is at stake. */
const PATIENCE_MINUTES = 60;

async function passedLiveness(transaction: Transaction, ports: Ports): Promise<boolean> {
  const { clock, log } = ports;
  try {
    return await reviewLiveness(transaction, ports);
  } catch (error) {
    const patientUntil = transaction.expiresAt! + PATIENCE_MINUTES * clock.minuteMs;
    if (clock.now() < patientUntil) throw error;
    log.error('expired without its liveness check', error, { transactionId: transaction.id });
    return false;
  }
}

type Visit = (transaction: Transaction, ports: Ports) => Promise<void>;

/** Every status is listed, so that a new one does not compile without a decision. `undefined`: nothing to do. */
const EXPIRE: Record<Status, Visit | undefined> = {
  CREATED: undefined,
  /**
   * A liveness check that was passed in time goes on, though its news was lost or the payment provider was out. Else
   * the status first: a charge that a late code has just opened is closed only where it came too late.
   */
  async AWAITING_MFA(transaction, ports) {
    if (await passedLiveness(transaction, ports)) return;
    const { pix, transactions, clock } = ports;
    const change = advance(transaction, 'no MFA response within 15 minutes', instantOf(clock))!;
    if (await transactions.save(change)) await pix.closeCharge(transaction.id);
  },
  /** The charge first: closed at the provider and read again, so that what was paid after all goes on. */
  async AWAITING_PIX(transaction, { pix, transactions, clock }) {
    const charge = await pix.closeCharge(transaction.id);
    const at = instantOf(clock);
    const change =
      (charge && paymentDetected(transaction, charge, at)) ??
      advance(transaction, 'no Pix payment within 30 minutes', at)!;
    await transactions.save(change);
  },
  /** A second visit: the first may have failed between the status and the charge that a late code opened. */
  async EXPIRED(transaction, { pix }) {
    if (!transaction.pix) await pix.closeCharge(transaction.id);
  },
  PROCESSING: undefined,
  COMPLETED: undefined,
  FAILED: undefined,
};

export const handler = step({ needs }, expireTransaction);
