import type { Node } from 'constructs';
import { faultOfPolicy, type PolicyChanges } from '../functions/domain/acts/act-policy.ts';
import type { Stage } from './stage.ts';

/** The changes of the stage in `cdk.json`. A mistyped act would be an act without a second person. */
export function operatorsOf(stage: Stage, node: Node): PolicyChanges {
  const ofStages = node.tryGetContext('operators') as Partial<Record<Stage, PolicyChanges>> | undefined;
  const changes = ofStages?.[stage] ?? {};
  const fault = faultOfPolicy(changes);
  if (fault) throw new Error(`operators of ${stage}: ${fault}`);
  return changes;
}
