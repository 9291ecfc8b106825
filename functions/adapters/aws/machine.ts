import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  InvalidToken,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { executionName } from '../../domain/purchase/execution.ts';
import type { Machine } from '../../domain/purchase/machine-ports.ts';
import { MACHINE_ALIAS } from '../../settings.ts';

/**
 * Every call may be repeated. It is no error if the execution already exists, or if the task of the token no
 * longer waits.
 */
export function machine(load: () => Promise<SFNClient>, stateMachineArn: string): Machine {
  return {
    async start(transactionId, status, executions) {
      const command = new StartExecutionCommand({
        stateMachineArn: `${stateMachineArn}:${MACHINE_ALIAS}`,
        name: executionName(transactionId, executions),
        input: JSON.stringify({ transactionId, status }),
      });
      await unless([ExecutionAlreadyExists], async () => (await load()).send(command));
    },

    async isRunning(transactionId, executions) {
      const executionsArn = stateMachineArn.replace(':stateMachine:', ':execution:');
      const executionArn = `${executionsArn}:${executionName(transactionId, executions)}`;
      const command = new DescribeExecutionCommand({ executionArn });
      const found = await unless([ExecutionDoesNotExist], async () => (await load()).send(command));
      return found?.status === 'RUNNING';
    },

    async resume(token, output) {
      const command = new SendTaskSuccessCommand({ taskToken: token, output: JSON.stringify(output) });
      await unless([TaskTimedOut, TaskDoesNotExist, InvalidToken], async () => (await load()).send(command));
    },
  };
}

async function unless<Answer>(
  known: (new (...args: never[]) => Error)[],
  call: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await call();
  } catch (error) {
    if (known.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}
