import type { Node } from 'constructs';
import { MOST_LOOK_UPS } from '../functions/domain/partners/registry-quota.ts';
import type { Stage } from './stage.ts';

// Reads the daily quota of paid look-ups in registries. Throws without one, because a stolen key could
// otherwise cause paid look-ups until somebody reads the bill.
export function registryQuotaOf(stage: Stage, node: Node): number {
  const ofStages = node.tryGetContext('registryQuota') as Partial<Record<Stage, unknown>> | undefined;
  const quota = Number(ofStages?.[stage] ?? Number.NaN);
  if (Number.isInteger(quota) && quota >= 1 && quota <= MOST_LOOK_UPS) return quota;
  throw new Error(
    `registryQuota of ${stage} must be a whole number of look-ups a day, from 1 to ${MOST_LOOK_UPS}`,
  );
}
