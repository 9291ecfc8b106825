import { StepOutcome } from '../domain/errors.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { advance, type FailureReason, type Trigger } from '../domain/transaction.ts';
import { type StepInput, step } from '../edge/step.ts';

export const needs = ['transactions', 'clock'] as const;

/** Which row of the transition table an error of the machine means, and the reason that the partner reads. */
const FAILURES: Record<string, { trigger: Trigger; reason: FailureReason }> = {
  CLIENT_REFUSED: { trigger: 'client refused', reason: 'SANCTIONS_HIT' },
  KYC_REJECTED: { trigger: 'client refused', reason: 'KYC_REJECTED' },
  WALLET_RISK_TOO_HIGH: { trigger: 'wallet refused', reason: 'WALLET_RISK_TOO_HIGH' },
  PAYER_MISMATCH: { trigger: 'payment refused', reason: 'PAYER_MISMATCH' },
  AMOUNT_MISMATCH: { trigger: 'payment refused', reason: 'AMOUNT_MISMATCH' },
  PAID_LATE: { trigger: 'payment refused', reason: 'PAID_LATE' },
  SettlementFailed: { trigger: 'settlement error', reason: 'SETTLEMENT_FAILED' },
};

type Input = StepInput & { error: { Error: string } };

/**
 * PROCESSING to FAILED. The status, the claim on the refund and the event are one write, which is refused while a
 * transfer of this purchase could still be mined; the purchase then stays in PROCESSING and settlement goes on.
 */
export async function failTransaction({ transactionId, error }: Input, ports: Needs<typeof needs>) {
  const failure = FAILURES[error.Error];
  if (!failure) throw new Error(`no failure is known by the name ${error.Error}`);
  const transaction = (await ports.transactions.findTransaction(transactionId))!;
  const { trigger, reason } = failure;
  const { endToEndId, amountCentavos } = transaction.payment!;
  const change = advance(transaction, trigger, instantOf(ports.clock), {
    failure: { reason },
    disposition: 'REFUND',
    refund: { status: 'PENDING', endToEndId, amountCentavos, reason },
  });
  const isClaimed = change && (await ports.transactions.saveRefundClaim(change));
  const { status } = (await ports.transactions.findTransaction(transactionId))!;
  // docs/decisions.md, "TransferMayLive": only the chain can end it, so the machine goes back to settlement.
  if (!isClaimed && status === 'PROCESSING') throw new StepOutcome('TransferMayLive', 'a nonce is owned');
  return { transactionId, status, decision: reason };
}

export const handler = step({ needs }, failTransaction);
