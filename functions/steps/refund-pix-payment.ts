import { StepOutcome } from '../domain/errors.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { recordRefund } from '../domain/transaction.ts';
import { type StepInput, step } from '../edge/step.ts';

export const needs = ['transactions', 'pix', 'clock', 'log'] as const;

/**
 * FAILED with a refund claimed. Sends the whole payment back under the transaction's id, so that twice is once,
 * and waits until the provider says that it arrived (devolução: API Pix, `PUT /pix/{e2eid}/devolucao/{id}`).
 */
export async function refundPixPayment({ transactionId }: StepInput, ports: Needs<typeof needs>) {
  const transaction = (await ports.transactions.findTransaction(transactionId))!;
  const { refund, status } = transaction;
  if (refund?.status !== 'PENDING') return { transactionId, status, refund: refund?.status ?? 'NONE' };

  const { endToEndId, amountCentavos } = refund;
  const made = await ports.pix.refund({ endToEndId, id: transactionId, amountCentavos });
  if (made.status === 'PENDING')
    throw new StepOutcome('RefundPending', 'the provider is still working on it');
  if (made.status === 'FAILED') {
    ports.log.error('refund refused by the provider', new Error('NAO_REALIZADO'), { transactionId });
  }
  const change = recordRefund(transaction, made.status, instantOf(ports.clock));
  if (change) await ports.transactions.save(change);
  return { transactionId, status, refund: made.status };
}

export const handler = step({ needs }, refundPixPayment);
