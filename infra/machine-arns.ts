import { ArnFormat, type Stack } from 'aws-cdk-lib/core';
import type { Stage } from './stage.ts';

/**
 * The machine's name is fixed, because the machine refers to the steps, and the steps need permission to use the
 * machine.
 */
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
