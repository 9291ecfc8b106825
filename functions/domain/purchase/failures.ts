import type { StepOutcomeName } from '../errors.ts';
import type { FailureReason } from './return-reasons.ts';
import type { TriggerTo } from './transitions.ts';

/**
 * For each reason of a failure: the error by which a step makes the state machine fail the purchase, and the
 * move's `trigger` in `transitions.ts`.
 */
const FAILURES: Record<FailureReason, { error: StepOutcomeName; trigger: TriggerTo<'FAILED'> }> = {
  SANCTIONS_HIT: { error: 'CLIENT_REFUSED', trigger: 'client refused' },
  KYC_REJECTED: { error: 'KYC_REJECTED', trigger: 'client refused' },
  WALLET_RISK_TOO_HIGH: { error: 'WALLET_RISK_TOO_HIGH', trigger: 'wallet refused' },
  PAYER_MISMATCH: { error: 'PAYER_MISMATCH', trigger: 'payment refused' },
  AMOUNT_MISMATCH: { error: 'AMOUNT_MISMATCH', trigger: 'payment refused' },
  PAID_LATE: { error: 'PAID_LATE', trigger: 'payment refused' },
  PAYMENT_TAKEN_BACK: { error: 'PAYMENT_TAKEN_BACK', trigger: 'payment refused' },
  SETTLEMENT_FAILED: { error: 'SettlementFailed', trigger: 'settlement error' },
  SETTLEMENT_CANCELLED: { error: 'SettlementCancelled', trigger: 'settlement error' },
};

export type Failure = { trigger: TriggerTo<'FAILED'>; reason: FailureReason };

/** Finds the failure that belongs to an error of a step. Undefined if no row of `FAILURES` has this error. */
export function findFailure(error: string): Failure | undefined {
  const reasons = Object.keys(FAILURES) as FailureReason[];
  const reason = reasons.find((each) => FAILURES[each].error === error);
  return reason && { reason, trigger: FAILURES[reason].trigger };
}

/** The error that makes the state machine fail a purchase for this reason. */
export function errorFor(reason: FailureReason): StepOutcomeName {
  return FAILURES[reason].error;
}
