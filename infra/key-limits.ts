import type { Node } from 'constructs';
import type { KeyLimits } from '../functions/domain/partners/made-key.ts';
import type { Stage } from './stage.ts';

/** The shortest delay before a new key works. A partner who reads its webhooks needs this time to stop a thief. */
const LEAST_MINUTES: Record<Stage, KeyLimits['delayMinutes']> = { sandbox: 0, production: 60 };

// Reads the limits of keys that partners make. They are required, because otherwise a stolen `manage` key could make
// another key that works at once.
export function keyLimitsOf(stage: Stage, node: Node): KeyLimits {
  const ofStages = node.tryGetContext('keyLimits') as Partial<Record<Stage, KeyLimits>> | undefined;
  const limits = ofStages?.[stage] ?? { delayMinutes: NaN, witnessMinutes: NaN, mostDays: NaN };
  const { delayMinutes, witnessMinutes, mostDays } = limits;
  const least = LEAST_MINUTES[stage];
  if (!(delayMinutes >= least))
    throw new Error(`keyLimits of ${stage}: delayMinutes must be ${least} at least`);
  if (!(witnessMinutes >= delayMinutes))
    throw new Error(`keyLimits of ${stage}: witnessMinutes must not be less than delayMinutes`);
  if (!Number.isInteger(mostDays) || mostDays < 1 || mostDays > MOST_DAYS)
    throw new Error(`keyLimits of ${stage}: mostDays must be a whole number from 1 to ${MOST_DAYS}`);
  return limits;
}

const MOST_DAYS = 365;
