import type { Node } from 'constructs';
import { faultOfPolicy, type PolicyChanges } from '../functions/domain/acts/act-policy.ts';
import type { Stage } from './stage.ts';

/**
 * Reads the stage's changes of who may do which act from `cdk.json`. Throws for a mistyped act, because the
 * real act would lack the second person that the file wants.
 */
export function operatorsOf(stage: Stage, node: Node): PolicyChanges {
  const ofStages = node.tryGetContext('operators') as Partial<Record<Stage, PolicyChanges>> | undefined;
  const changes = ofStages?.[stage] ?? {};
  const fault = faultOfPolicy(changes);
  if (fault) throw new Error(`operators of ${stage}: ${fault}`);
  return changes;
}
