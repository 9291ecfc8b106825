import { instantOf, type Needs } from '../domain/ports.ts';
import { advance, isOver, type Transaction } from '../domain/transaction.ts';
import { type StepInput, step } from '../edge/step.ts';
import { paymentDetected } from '../queues/process-callback.ts';

export const needs = ['transactions', 'pix', 'clock'] as const;
type Ports = Needs<typeof needs>;

/**
 * AWAITING_MFA or AWAITING_PIX to EXPIRED. The charge is closed at the provider and read again first: a purchase
 * that was paid after all goes on. The answer is the status as it is now, whoever won.
 */
export async function expireTransaction({ transactionId }: StepInput, ports: Ports) {
  const transaction = (await ports.transactions.findTransaction(transactionId))!;
  if (isOver(transaction, ports.clock.now())) await expire(transaction, ports);
  const { status } = (await ports.transactions.findTransaction(transactionId))!;
  return { transactionId, status };
}

async function expire(transaction: Transaction, { pix, transactions, clock }: Ports): Promise<void> {
  const charge = await pix.closeCharge(transaction.id);
  const at = instantOf(clock);
  const change =
    (charge && paymentDetected(transaction, charge, at)) ??
    advance(transaction, 'no Pix payment within 30 minutes', at) ??
    advance(transaction, 'no MFA response within 15 minutes', at);
  if (change) await transactions.save(change);
}

export const handler = step({ needs }, expireTransaction);
