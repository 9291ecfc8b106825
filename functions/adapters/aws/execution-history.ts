import {
  ExecutionDoesNotExist,
  type HistoryEvent,
  paginateGetExecutionHistory,
  type SFNClient,
} from '@aws-sdk/client-sfn';
import { parsedJson } from '../../domain/json.ts';
import type { ExecutionHistories, ExecutionRecord } from '../../domain/purchase/execution.ts';

type Events = ExecutionRecord['events'];

/**
 * Reads whole histories of executions. The status of an execution comes from its last event. This saves a call of
 * `DescribeExecution`, whose rate AWS limits.
 */
export function executionHistories(
  loadClient: () => Promise<SFNClient>,
  stateMachineArn: string,
): ExecutionHistories {
  const executionsArn = stateMachineArn.replace(':stateMachine:', ':execution:');
  return {
    async findExecution(name) {
      try {
        return executionRecordOf(name, await readEvents(await loadClient(), `${executionsArn}:${name}`));
      } catch (error) {
        if (error instanceof ExecutionDoesNotExist) return undefined;
        throw error;
      }
    },
  };
}

async function readEvents(client: SFNClient, executionArn: string): Promise<Events> {
  const events: Events = [];
  const query = { executionArn, includeExecutionData: true };
  for await (const page of paginateGetExecutionHistory({ client, pageSize: PAGE }, query))
    events.push(...(page.events ?? []).map(executionEventOf));
  return events;
}

/** The most events that one call reads. */
const PAGE = 1000;

const ENDS: Readonly<Record<string, string>> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionTimedOut: 'TIMED_OUT',
  ExecutionAborted: 'ABORTED',
};

function executionRecordOf(name: string, events: Events): ExecutionRecord {
  const last = events.at(-1);
  const end = ENDS[last?.type ?? ''];
  const startedAt = events[0]?.at;
  return { name, status: end ?? 'RUNNING', startedAt, stoppedAt: end && last?.at, events };
}

const iso = (date: Date | undefined) => date?.toISOString();

function executionEventOf({ id, previousEventId, timestamp, type, ...rest }: HistoryEvent): Events[number] {
  // The details of each type of event are in a field with another name, which ends with `Details`.
  const details = Object.entries(rest).find(([name, value]) => name.endsWith('Details') && value)?.[1];
  return { id, previousEventId, at: iso(timestamp), type, ...(details && { details: openedValue(details) }) };
}

/** Parses JSON inside of JSON, so that secret fields in it can be found by their names. */
function openedValue(value: unknown): unknown {
  if (typeof value === 'string') return openedJson(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return iso(value);
  if (Array.isArray(value)) return value.map(openedValue);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, openedValue(each)]));
}

function openedJson(text: string): unknown {
  const opened = /^[{[]/.test(text) ? parsedJson(text) : undefined;
  return opened === undefined ? text : openedValue(opened);
}
