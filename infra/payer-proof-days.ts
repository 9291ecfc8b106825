import type { Node } from 'constructs';
import type { Stage } from './stage.ts';

const MOST_DAYS = 365;

// Reads for how many days the proof of the payer is valid. Throws without it, because a provider may change how it
// treats a stranger's payment, and nobody would notice.
export function payerProofDaysOf(stage: Stage, node: Node): number {
  const ofStages = node.tryGetContext('payerProofDays') as Partial<Record<Stage, unknown>> | undefined;
  const days = ofStages?.[stage];
  if (typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MOST_DAYS) return days;
  throw new Error(`payerProofDays of ${stage} must be a whole number of days, from 1 to ${MOST_DAYS}`);
}
