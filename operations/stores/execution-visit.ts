import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  ExecutionDoesNotExist,
  type HistoryEvent,
  paginateGetExecutionHistory,
  type SFNClient,
} from '@aws-sdk/client-sfn';
import { parsedJson } from '../../functions/domain/json.ts';
import type { StepVisit } from '../../functions/domain/purchase/story-facts.ts';
import type { Obstacle } from '../../functions/domain/purchase/story-obstacles.ts';
import { shortenedMessage } from '../../functions/domain/purchase/story-outages.ts';

type ExecutionVisits = {
  /** Where the execution stands now. Undefined if Step Functions does not know it, or no longer keeps it. */
  findVisit(name: string): Promise<StepVisit | undefined>;
};

/** Reads the history of an execution from its end, as far back as its present step. */
export function executionVisits(
  loadClient: () => Promise<SFNClient>,
  stateMachineArn: string,
): ExecutionVisits {
  return {
    async findVisit(name) {
      const client = await loadClient();
      const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      try {
        const [{ status }, newest] = await Promise.all([
          client.send(new DescribeExecutionCommand({ executionArn })),
          presentOf(client, executionArn),
        ]);
        const { step, enteredAt } = newest;
        if (status !== 'RUNNING')
          return { name, status: status === 'SUCCEEDED' ? 'ENDED' : 'LOST', step, enteredAt };
        const obstacle = await obstacleOf(newest, client, stateMachineArn);
        return { name, status, step, enteredAt, ...(obstacle && { obstacle }) };
      } catch (error) {
        if (error instanceof ExecutionDoesNotExist) return undefined;
        throw error;
      }
    },
  };
}

type VisitFailure = { error: string; message: string; at: number; isOfPresentVisit: boolean };
/** The execution's present step, and the step's failures, the newest first. */
type Present = { step?: string; enteredAt?: number; failures: VisitFailure[] };

/** The states that lie between two visits of the same step. */
const BETWEEN: readonly (string | undefined)[] = ['LookAgain', 'WhatNow'];
const PAGE = 200;

async function presentOf(client: SFNClient, executionArn: string): Promise<Present> {
  const present: Present = { failures: [] };
  const query = { executionArn, reverseOrder: true, includeExecutionData: true };
  for await (const { events = [] } of paginateGetExecutionHistory({ client, pageSize: PAGE }, query))
    for (const event of events) if (!goesOn(present, event)) return present;
  return present;
}

/**
 * Adds one event to what is known, from the newest to the oldest. False if older events say nothing about the present
 * step.
 */
function goesOn(present: Present, event: HistoryEvent): boolean {
  const { type = '', timestamp, stateEnteredEventDetails: entered, stateExitedEventDetails: exited } = event;
  const at = timestamp?.getTime() ?? 0;
  const isOfPresentVisit = present.step === undefined;
  const failure = failureOfHistoryEvent(event);
  if (failure) present.failures.push({ ...failure, at, isOfPresentVisit });
  if (entered && !BETWEEN.includes(entered.name)) {
    present.step ??= entered.name;
    present.enteredAt ??= at;
  }
  if (isOfPresentVisit) return !/^(Task|LambdaFunction)Succeeded$/.test(type);
  const isOther = [entered, exited].some((each) => each && ![...BETWEEN, present.step].includes(each.name));
  return !isOther && streakOf(present).length === present.failures.length;
}

/** The newest failures, as far back as they have the same error and message. The newest comes first. */
function streakOf({ failures }: Present): VisitFailure[] {
  const [newest] = failures;
  const end = failures.findIndex(
    ({ error, message }) => error !== newest?.error || message !== newest.message,
  );
  return end < 0 ? failures : failures.slice(0, end);
}

function failureOfHistoryEvent(event: HistoryEvent): { error: string; message: string } | undefined {
  const details =
    event.lambdaFunctionFailedEventDetails ??
    event.taskFailedEventDetails ??
    event.lambdaFunctionTimedOutEventDetails ??
    event.taskTimedOutEventDetails ??
    event.lambdaFunctionScheduleFailedEventDetails;
  return details && { error: details.error ?? 'unknown', message: messageIn(details.cause) };
}

/** The message in Lambda's `cause`, which is JSON with message, type and trace. Operators do not need the trace. */
function messageIn(cause = ''): string {
  const { errorMessage = cause } = Object(parsedJson(cause)) as { errorMessage?: unknown };
  return shortenedMessage(String(errorMessage));
}

async function obstacleOf(
  present: Present,
  client: SFNClient,
  stateMachineArn: string,
): Promise<Obstacle | undefined> {
  const { step = '', failures } = present;
  const streak = streakOf(present);
  const [newest, oldest] = [streak[0], streak.at(-1)];
  if (!newest || !oldest) return undefined;
  const { definition = '{}' } = await client.send(new DescribeStateMachineCommand({ stateMachineArn }));
  const { error, message, at } = newest;
  const tries = failures.filter((each) => each.isOfPresentVisit && each.error === error).length;
  const nextBy = at + 1000 * pauseAfter(tries, { step, error, definition });
  return { step, error, message, since: oldest.at, times: streak.length, nextBy };
}

type Retrier = {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
  MaxAttempts?: number;
};
type Definition = { States?: Record<string, { Retry?: Retrier[]; Seconds?: number }> };
type StepTried = { step: string; error: string; definition: string };

/** The longest pause until the next try, in seconds. With jitter the try may come earlier. */
function pauseAfter(times: number, { step, error, definition }: StepTried): number {
  const { States = {} } = JSON.parse(definition) as Definition;
  const isFor = ({ ErrorEquals }: Retrier) =>
    ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL');
  const retrier = States[step]?.Retry?.find(isFor);
  const { IntervalSeconds = 1, BackoffRate = 2, MaxDelaySeconds = Infinity, MaxAttempts = 3 } = retrier ?? {};
  if (!retrier || times > MaxAttempts) return States.LookAgain?.Seconds ?? 60;
  return Math.min(IntervalSeconds * BackoffRate ** (times - 1), MaxDelaySeconds);
}
