import { StepOutcome } from '../domain/errors.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { recordRefund } from '../domain/purchase/return.ts';
import { type StepInput, step } from '../entry/step.ts';
import { driveReturn, RETURN_NEEDS } from '../logic/money/return-money.ts';

export const needs = ['transactions', ...RETURN_NEEDS] as const;

/**
 * FAILED with a refund claimed. Returns the payment under an id that follows from the row, so a repetition makes the same
 * refund, and waits until the provider reports it done (devolução: API Pix, `PUT /pix/{e2eid}/devolucao/{id}`).
 */
export async function refundPixPayment({ transactionId }: StepInput, ports: Needs<typeof needs>) {
  const { transactions, clock } = ports;
  const transaction = (await transactions.findTransaction(transactionId))!;
  const { refund, status } = transaction;
  if (refund?.status !== 'PENDING') return { transactionId, status, refund: refund?.status ?? 'NONE' };
  if (clock.now() < (refund.nextTryAt ?? 0))
    throw new StepOutcome('RefundPending', 'the next try has its time');
  const visit = await driveReturn(
    { kind: 'PURCHASE', transaction },
    async (end) => {
      const change = recordRefund(transaction, end, instantOf(clock))!;
      return (await transactions.save(change)) ? 'SAVED' : 'MOVED';
    },
    ports,
  );
  if (visit === 'WAITS') throw new StepOutcome('RefundPending', 'the provider is still working on it');
  // Read again, whoever saved it: another visit may have recorded the same end.
  const recorded = (await transactions.findTransaction(transactionId))!.refund!;
  if (recorded.status === 'PENDING') throw new StepOutcome('RefundPending', 'it is tried again later');
  return { transactionId, status, refund: recorded.status };
}

export const handler = step({ needs }, refundPixPayment);
