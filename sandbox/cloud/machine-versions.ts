import type { Template } from './template.ts';
import { type Fields, fields, list, text } from './wire.ts';

/**
 * The version of a state machine that an execution runs. The caller of StartExecution named it by its number
 * or by an alias.
 */
export type Qualified = { machineArn: string; stateMachineVersionArn: string; stateMachineAliasArn?: string };

/**
 * Returns the versions and aliases of the state machines, by their ARNs. Throws for an alias with several
 * versions, because here each machine has only the one version that the template makes.
 */
export function readQualified(template: Template): Map<string, Qualified> {
  const versions = template
    .ofType('AWS::StepFunctions::StateMachineVersion')
    .map(({ logicalId }): [string, Qualified] => {
      const arn = template.ref(logicalId);
      return [arn, { machineArn: unqualified(arn), stateMachineVersionArn: arn }];
    });
  const known = new Map(versions);
  for (const { logicalId } of template.ofType('AWS::StepFunctions::StateMachineAlias')) {
    const version = known.get(versionOf(template.properties(logicalId)));
    if (!version) throw new Error(`${logicalId} names no version of the template`);
    const stateMachineAliasArn = template.ref(logicalId);
    known.set(stateMachineAliasArn, { ...version, stateMachineAliasArn });
  }
  return known;
}

function versionOf({ DeploymentPreference, RoutingConfiguration }: Fields): string {
  const routes = [DeploymentPreference, ...list(RoutingConfiguration)].filter((each) => each !== undefined);
  return routes.length === 1 ? text(fields(routes[0]).StateMachineVersionArn) : '';
}

/**
 * The state machine's ARN without a version or an alias. IAM checks calls on a version or an alias against
 * this ARN.
 */
export const unqualified = (arn: string): string => arn.replace(/(:stateMachine:[^:]+):.*$/, '$1');
