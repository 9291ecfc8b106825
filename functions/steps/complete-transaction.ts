import { ordinary, Unavailable } from '../domain/errors.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { getPaid } from '../domain/purchase/transaction.ts';
import { advance } from '../domain/purchase/transitions.ts';
import { type StepInput, step } from '../entry/step.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = ['transactions', 'clock', 'log'] as const;

/**
 * PROCESSING to COMPLETED, with the event `transaction.completed`. A repeated visit changes nothing. Throws if another
 * write has changed the purchase meanwhile, so that the state machine tries again.
 */
export async function completeTransaction(
  { transactionId, txHash }: StepInput & { txHash: string },
  { transactions, clock, log }: Needs<typeof needs>,
) {
  const transaction = await getTransaction(transactions, transactionId);
  const change = advance(transaction, 'stablecoin settled on-chain', instantOf(clock), { txHash });
  if (change && (await transactions.save(change))) {
    const { asset, payment } = getPaid(transaction);
    log.measure('TimeToSettle', clock.now() - payment.paidAt, { asset });
    return { transactionId, status: 'COMPLETED', txHash };
  }
  const { status } = await getTransaction(transactions, transactionId);
  if (status === 'PROCESSING') throw ordinary(new Unavailable('the completion of the purchase'));
  return { transactionId, status, txHash };
}

export const handler = step({ needs }, completeTransaction);
