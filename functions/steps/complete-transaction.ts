import { instantOf, type Needs } from '../domain/ports.ts';
import { advance } from '../domain/purchase/transitions.ts';
import { type StepInput, step } from '../entry/step.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = ['transactions', 'clock'] as const;

/** PROCESSING to COMPLETED, with `transaction.completed`. A second visit changes nothing. */
export async function completeTransaction(
  { transactionId, txHash }: StepInput & { txHash: string },
  { transactions, clock }: Needs<typeof needs>,
) {
  const transaction = await getTransaction(transactions, transactionId);
  const change = advance(transaction, 'stablecoin settled on-chain', instantOf(clock), { txHash });
  if (change && (await transactions.save(change))) return { transactionId, status: 'COMPLETED', txHash };
  const { status } = await getTransaction(transactions, transactionId);
  return { transactionId, status, txHash };
}

export const handler = step({ needs }, completeTransaction);
