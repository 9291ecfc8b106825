import { StepOutcome } from '../domain/errors.ts';
import { getDefined } from '../domain/get.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { recordRefund } from '../domain/purchase/return.ts';
import { getPaid } from '../domain/purchase/transaction.ts';
import { type StepInput, step } from '../entry/step.ts';
import { driveReturn, RETURN_NEEDS } from '../logic/money/return-money.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = ['transactions', ...RETURN_NEEDS] as const;

/**
 * FAILED, with a claimed refund. Returns the money under an id that is computed from the row, so a repeated call makes
 * no second refund. The step is repeated until the provider reports the refund as done (devolução: API Pix, `PUT
 * /pix/{e2eid}/devolucao/{id}`).
 */
export async function refundPixPayment({ transactionId }: StepInput, ports: Needs<typeof needs>) {
  const { transactions, clock } = ports;
  const transaction = await getTransaction(transactions, transactionId);
  const { refund, status } = transaction;
  if (refund?.status !== 'PENDING') return { transactionId, status, refund: refund?.status ?? 'NONE' };
  if (clock.now() < (refund.nextTryAt ?? 0))
    throw new StepOutcome('RefundPending', 'the next try comes later');
  const visit = await driveReturn(
    { kind: 'PURCHASE', transaction: getPaid(transaction) },
    async (end, made) => {
      const change = recordRefund(transaction, end, instantOf(clock), made);
      return (await transactions.save(getDefined(change, 'refund to end'))) ? 'SAVED' : 'MOVED';
    },
    ports,
  );
  if (visit === 'WAITS') throw new StepOutcome('RefundPending', 'the provider is still working on it');
  // The purchase is read again, because another visit may have recorded the end.
  const { refund: recorded } = await getTransaction(transactions, transactionId);
  if (recorded?.status === 'PENDING') throw new StepOutcome('RefundPending', 'it is tried again later');
  return { transactionId, status, refund: getDefined(recorded, 'refund').status };
}

export const handler = step({ needs }, refundPixPayment);
