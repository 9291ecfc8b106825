import * as z from 'zod';
import { refuse } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';
import { isOpen } from '../domain/purchase/status.ts';
import { requireOwn, type Transaction } from '../domain/purchase/transaction.ts';
import { TransactionId } from '../entry/answer-parts.ts';
import { type Caller, endpoint, POST_NEEDS } from '../entry/endpoint.ts';
import { END_NEEDS, endUnpaid } from '../logic/purchase/end-unpaid.ts';
import { resumeIfMoved } from '../logic/purchase/waits.ts';
import { getTransaction } from '../logic/rows.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ id: z.string() });

const Answer = () => z.object({ transactionId: TransactionId(), status: z.literal('CANCELED') });

export const needs = [...POST_NEEDS, ...END_NEEDS, 'machine'] as const;
type Ports = Needs<typeof needs>;

/**
 * Ends a purchase that nobody has paid: docs/life-of-a-purchase.md, "When a purchase ends before its payment". A
 * repeated call gets the same answer, and finishes what an earlier call has left undone.
 */
export async function cancelTransaction({ id }: z.output<typeof Request>, { partner }: Caller, ports: Ports) {
  const found = requireOwn(await ports.transactions.findTransaction(id), partner.id);
  const { status } = await cancelPurchase(found, ports);
  if (status !== 'CANCELED') refuse('TRANSACTION_NOT_CANCELABLE', { status });
  return { transactionId: id, status };
}

/**
 * Ends the purchase and reads it again. If a confirmation in parallel has issued the charge meanwhile, it
 * tries once more to end the purchase.
 */
async function cancelPurchase(transaction: Transaction, ports: Ports): Promise<Transaction> {
  const { id, status } = transaction;
  if (!isOpen(status) && status !== 'CANCELED') return transaction;
  await endUnpaid(transaction, 'CANCELED', ports);
  const after = await getTransaction(ports.transactions, id);
  if (isOpen(after.status) && after.status !== status) return cancelPurchase(after, ports);
  await resumeIfMoved(after, ports.machine);
  return after;
}

export const handler = endpoint(
  routeOf('CancelTransaction'),
  {
    request: Request,
    answer: Answer,
    errors: ['TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_CANCELABLE'],
    needs,
  },
  cancelTransaction,
);
