import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  type HistoryEvent,
  paginateGetExecutionHistory,
  SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { SharedSandbox } from './global-sandbox.ts';

/** The executions of the state machine, as operations and compliance see them. */
type Cloud = Pick<SharedSandbox, 'awsEndpoint' | 'region' | 'refs'>;

export function executionsIn({ awsEndpoint: endpoint, region, refs }: Cloud) {
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const client = new SFNClient({ endpoint, region, credentials });
  const machineArn = Object.values(refs).find((ref) => ref.includes(':stateMachine:'))!;
  const arnOf = (name: string) => `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;

  return {
    arnOf,
    describe: (name: string) => client.send(new DescribeExecutionCommand({ executionArn: arnOf(name) })),
    /** The status, such as `RUNNING` or `SUCCEEDED`, or undefined when no execution has this name. */
    async statusOf(name: string): Promise<string | undefined> {
      const command = new DescribeExecutionCommand({ executionArn: arnOf(name) });
      const found = await client.send(command).catch((error: unknown) => {
        if (!(error instanceof ExecutionDoesNotExist)) throw error;
      });
      return found?.status;
    },
    stop: (name: string) => client.send(new StopExecutionCommand({ executionArn: arnOf(name) })),
    async historyOf(name: string): Promise<HistoryEvent[]> {
      const found: HistoryEvent[] = [];
      const pages = paginateGetExecutionHistory({ client, pageSize: 20 }, { executionArn: arnOf(name) });
      for await (const { events = [] } of pages) found.push(...events);
      return found;
    },
  };
}

/** The states that an execution entered, in order. */
export function statesOf(history: HistoryEvent[]): string[] {
  return history.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []);
}
