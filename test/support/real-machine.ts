import { DescribeExecutionCommand } from '@aws-sdk/client-sfn';
import { machine } from '../../functions/adapters/aws/machine.ts';
import { executionName } from '../../functions/domain/purchase/execution.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { TestPorts } from './ports.ts';
import { eventually, sandbox, sfn } from './sandbox.ts';

const stateMachineArn = () => Object.values(sandbox().refs).find((ref) => ref.includes(':stateMachine:'))!;

/** The shared sandbox's state machine, through the adapter. */
export const realMachine = () => machine(async () => sfn(), stateMachineArn());

/** The status of an execution, such as `RUNNING` or `SUCCEEDED`. */
export async function executionStatus(transactionId: string, executions = 0): Promise<string | undefined> {
  const name = executionName(transactionId, executions);
  const executionArn = `${stateMachineArn().replace(':stateMachine:', ':execution:')}:${name}`;
  return (await sfn().send(new DescribeExecutionCommand({ executionArn }))).status;
}

/** Waits until the machine has stored its wait in this status, and returns the wait. */
export async function waitIn(ports: Pick<TestPorts, 'transactions'>, id: string, status: Status) {
  const purchase = await eventually(
    () => ports.transactions.findTransaction(id),
    (found) => found?.wait?.status === status,
  );
  return purchase!.wait!;
}
