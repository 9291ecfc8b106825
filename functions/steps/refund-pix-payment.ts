import { StepOutcome } from '../domain/errors.ts';
import { instantOf, type Log, type Needs } from '../domain/ports.ts';
import { isRefusedLong, recordRefund } from '../domain/purchase/refund.ts';
import { type StepInput, step } from '../entry/step.ts';
import { type GivenBack, giveBack } from '../logic/money/give-back.ts';
import { HOLD_NEEDS } from '../logic/money/hold.ts';
import { openRefundFailed } from '../logic/money/money-cases.ts';

export const needs = ['transactions', 'moneyCases', 'pix', 'clock', 'log', ...HOLD_NEEDS] as const;

/**
 * FAILED with a refund claimed. Sends the whole payment back under an id that follows from the row, so that twice is
 * once, and waits until the provider says that it arrived (devolução: API Pix, `PUT /pix/{e2eid}/devolucao/{id}`).
 * What the provider ends without sending, or refuses for good, is tried again later: docs/decisions.md, "Refunds that
 * end as not done".
 */
export async function refundPixPayment({ transactionId }: StepInput, ports: Needs<typeof needs>) {
  const transaction = (await ports.transactions.findTransaction(transactionId))!;
  const { refund, status } = transaction;
  if (refund?.status !== 'PENDING') return { transactionId, status, refund: refund?.status ?? 'NONE' };

  const { tries = 0, nextTryAt = 0 } = refund;
  if (ports.clock.now() < nextTryAt) throw new StepOutcome('RefundPending', 'the next try has its time');
  const made = await giveBack({ transaction }, ports);
  if (made.status === 'PENDING')
    throw new StepOutcome('RefundPending', 'the provider is still working on it');
  if (made.status === 'FAILED') tellRefusal({ transactionId, tries: tries + 1 }, made, ports.log);
  const change = recordRefund(transaction, made.status, instantOf(ports.clock));
  const { status: next, tries: ended = 0 } = change?.set.refund ?? {};
  if (next === 'FAILED') await openRefundFailed(transaction, ended, ports);
  if (change) await ports.transactions.save(change);
  // Read again whoever saved: a twin may have recorded the same end.
  const recorded = (await ports.transactions.findTransaction(transactionId))!.refund!;
  if (recorded.status === 'PENDING') throw new StepOutcome('RefundPending', 'it is tried again later');
  return { transactionId, status, refund: recorded.status };
}

function tellRefusal(fields: { transactionId: string; tries: number }, { refusal }: GivenBack, log: Log) {
  const why = refusal ?? 'NAO_REALIZADO';
  if (isRefusedLong(fields.tries)) log.error('refund refused by the provider', new Error(why), fields);
  else log.info('refund refused by the provider', { ...fields, why });
}

export const handler = step({ needs }, refundPixPayment);
