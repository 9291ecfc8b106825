import { ordinary, Unavailable } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';
import { hasEndedUnpaid, machineStatusOf } from '../domain/purchase/status.ts';
import { getDeadline, isPastDeadline, type Transaction } from '../domain/purchase/transaction.ts';
import { type StepInput, step } from '../entry/step.ts';
import { END_NEEDS, endUnpaid } from '../logic/purchase/end-unpaid.ts';
import { REVIEW_NEEDS, reviewLiveness } from '../logic/purchase/liveness.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = [...END_NEEDS, ...REVIEW_NEEDS, 'log'] as const;
type Ports = Needs<typeof needs>;

/**
 * If the row's deadline is at most this far away, the machine's timer was early, because clocks differ. The
 * step is then repeated, instead of a whole new wait.
 */
const SKEW_MS = 5000;

/**
 * AWAITING_MFA or AWAITING_PIX to EXPIRED. The row's deadline decides, not the machine's timer. Answers the status
 * after this visit, because a payment or a cancel may have been faster.
 */
export async function expireTransaction({ transactionId }: StepInput, ports: Ports) {
  const transaction = await getTransaction(ports.transactions, transactionId);
  const now = ports.clock.now();
  if (isPastDeadline(transaction, now) || hasEndedUnpaid(transaction.status))
    await expire(transaction, ports);
  else if (isPastDeadline(transaction, now + SKEW_MS)) throw ordinary(new Unavailable('the deadline'));
  const { status } = await getTransaction(ports.transactions, transactionId);
  return { transactionId, status: machineStatusOf(status) };
}

/**
 * Ends the purchase, unless a liveness check was passed in time. Such a check still issues the charge, even if its
 * callback was lost.
 */
async function expire(transaction: Transaction, ports: Ports): Promise<void> {
  const isPassed = transaction.status === 'AWAITING_MFA' && (await passedLiveness(transaction, ports));
  if (!isPassed) await endUnpaid(transaction, 'EXPIRED', ports);
}

/**
 * How long after the deadline the step waits for a provider that does not answer. Nothing is paid yet, so no
 * money is at stake.
 */
const PATIENCE_MINUTES = 60;

async function passedLiveness(transaction: Transaction, ports: Ports): Promise<boolean> {
  const { clock, log } = ports;
  try {
    return await reviewLiveness(transaction, ports);
  } catch (error) {
    const patientUntil = getDeadline(transaction) + PATIENCE_MINUTES * clock.minuteMs;
    if (clock.now() < patientUntil) throw error;
    log.warn('expired without its liveness check', error, { transactionId: transaction.id });
    return false;
  }
}

export const handler = step({ needs }, expireTransaction);
