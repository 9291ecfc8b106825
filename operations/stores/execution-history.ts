import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  type HistoryEvent,
  paginateGetExecutionHistory,
  type SFNClient,
} from '@aws-sdk/client-sfn';

/** One execution in Step Functions. Instants are ISO. */
export type ExecutionRecord = {
  name: string;
  status?: string;
  startedAt?: string;
  stoppedAt?: string;
  events: { id?: number; previousEventId?: number; at?: string; type?: string; details?: unknown }[];
};

export type ExecutionHistories = {
  /** Undefined: there was none with this name, or Step Functions no longer keeps it. */
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
  // Each type of event has its details under another name.
  const details = Object.entries(rest).find(([name, value]) => name.endsWith('Details') && value)?.[1];
  return { id, previousEventId, at: iso(timestamp), type, ...(details && { details: opened(details) }) };
}

/** Data are JSON within JSON. They are parsed, so that secret fields can be found by their names. */
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
