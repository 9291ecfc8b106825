import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  type HistoryEvent,
  paginateGetExecutionHistory,
  type SFNClient,
} from '@aws-sdk/client-sfn';

/** An execution of the state machine. Instants are in ISO. */
export type ExecutionRecord = {
  name: string;
  status?: string;
  startedAt?: string;
  stoppedAt?: string;
  events: { id?: number; previousEventId?: number; at?: string; type?: string; details?: unknown }[];
};

export type ExecutionHistories = {
  /** Undefined if no execution has this name, or if Step Functions no longer keeps it. */
  findExecution(name: string): Promise<ExecutionRecord | undefined>;
};

export function executionHistories(
  loadClient: () => Promise<SFNClient>,
  stateMachineArn: string,
): ExecutionHistories {
  return {
    async findExecution(name) {
      const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      const client = await loadClient();
      try {
        const { status, startDate, stopDate } = await client.send(
          new DescribeExecutionCommand({ executionArn }),
        );
        const events: ExecutionRecord['events'] = [];
        const query = { executionArn, includeExecutionData: true };
        for await (const page of paginateGetExecutionHistory({ client }, query))
          events.push(...(page.events ?? []).map(recordOf));
        return { name, status, startedAt: iso(startDate), stoppedAt: iso(stopDate), events };
      } catch (error) {
        if (error instanceof ExecutionDoesNotExist) return undefined;
        throw error;
      }
    },
  };
}

const iso = (date: Date | undefined) => date?.toISOString();

function recordOf({ id, previousEventId, timestamp, type, ...rest }: HistoryEvent) {
  // The details of each type of event are in a field with another name, which ends with `Details`.
  const details = Object.entries(rest).find(([name, value]) => name.endsWith('Details') && value)?.[1];
  return { id, previousEventId, at: iso(timestamp), type, ...(details && { details: opened(details) }) };
}

/** Parses JSON inside of JSON, so that secret fields in it can be found by their names. */
function opened(value: unknown): unknown {
  if (typeof value === 'string') return jsonOf(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return iso(value);
  if (Array.isArray(value)) return value.map(opened);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, opened(each)]));
}

function jsonOf(text: string): unknown {
  if (!/^[{[]/.test(text)) return text;
  try {
    return opened(JSON.parse(text));
  } catch {
    return text;
  }
}
