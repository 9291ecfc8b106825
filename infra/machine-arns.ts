import { ArnFormat, type Stack } from 'aws-cdk-lib/core';
import type { Stage } from './stage.ts';

/** The name of the machine is fixed: the machine names the steps, and the steps are granted its use. */
export function machineArns(stack: Stack, stage: Stage): { machine: string; executions: string } {
  const arn = (resource: string) =>
    stack.formatArn({
      service: 'states',
      resource,
      resourceName: `onramp-${stage}`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  return { machine: arn('stateMachine'), executions: `${arn('execution')}:*` };
}
