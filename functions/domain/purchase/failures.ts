import type { StepOutcomeName } from '../errors.ts';
import type { FailureReason } from './transaction.ts';
import type { Trigger } from './transitions.ts';

/** Which row of the transition table an error of the machine means, and the reason that the partner reads. */
export const FAILURES = {
  CLIENT_REFUSED: { trigger: 'client refused', reason: 'SANCTIONS_HIT' },
  KYC_REJECTED: { trigger: 'client refused', reason: 'KYC_REJECTED' },
  WALLET_RISK_TOO_HIGH: { trigger: 'wallet refused', reason: 'WALLET_RISK_TOO_HIGH' },
  PAYER_MISMATCH: { trigger: 'payment refused', reason: 'PAYER_MISMATCH' },
  AMOUNT_MISMATCH: { trigger: 'payment refused', reason: 'AMOUNT_MISMATCH' },
  PAID_LATE: { trigger: 'payment refused', reason: 'PAID_LATE' },
  PAYMENT_TAKEN_BACK: { trigger: 'payment refused', reason: 'PAYMENT_TAKEN_BACK' },
  SettlementFailed: { trigger: 'settlement error', reason: 'SETTLEMENT_FAILED' },
  SettlementCancelled: { trigger: 'settlement error', reason: 'SETTLEMENT_CANCELLED' },
} as const satisfies Partial<Record<StepOutcomeName, { trigger: Trigger; reason: FailureReason }>>;

export type Failure = { trigger: Trigger; reason: FailureReason };

export function findFailure(error: string): Failure | undefined {
  return Object.entries(FAILURES).find(([name]) => name === error)?.[1];
}

/** The error by which the machine fails a purchase for this reason. */
export function errorFor(reason: FailureReason): StepOutcomeName {
  const [name] = Object.entries(FAILURES).find(([, failure]) => failure.reason === reason)!;
  return name as StepOutcomeName;
}
