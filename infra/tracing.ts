import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct, Node } from 'constructs';
import type { Stage } from './stage.ts';

/** The rule's priority. X-Ray's default rule has 10,000, so this one comes first. */
const PRIORITY = 100;

/**
 * Makes X-Ray trace a share of the executions, with the functions that they call. Other functions keep Lambda's own
 * share, which cannot be changed. Each trace costs money.
 */
export function sampleTraces(scope: Construct, stateMachineName: string, fixedRate: number): void {
  new CfnSamplingRule(scope, 'Sampling', {
    samplingRule: {
      ruleName: stateMachineName,
      serviceName: stateMachineName,
      serviceType: '*',
      resourceArn: '*',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      priority: PRIORITY,
      version: 1,
      fixedRate,
      // No execution is traced beyond the share, so that the share alone determines the bill.
      reservoirSize: 0,
    },
  });
}

/** The share of executions that are traced, from 0 to 1. */
export function tracedShareOf(stage: Stage, node: Node): number {
  const shares = node.tryGetContext('tracedShare') as Partial<Record<Stage, unknown>> | undefined;
  const share = shares?.[stage];
  if (typeof share !== 'number' || !(share >= 0 && share <= 1))
    throw new Error(`tracedShare of ${stage} must be a number from 0 to 1, not ${JSON.stringify(share)}`);
  return share;
}
