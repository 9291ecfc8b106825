import { ArnFormat, type Stack } from 'aws-cdk-lib/core';
import type { Stage } from './stage.ts';

/**
 * The ARNs of the state machine, built from its fixed name. A reference would be circular, because the machine refers
 * to the step functions, and these need permission to use the machine.
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
