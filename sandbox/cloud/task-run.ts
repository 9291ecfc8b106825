import { data, type History } from './execution-history.ts';
import { DATA_LIMIT, isTooLarge } from './execution-sizes.ts';
import type { Gate } from './gate.ts';
import type { Qualified } from './machine-versions.ts';
import type { Machine } from './state-machine.ts';
import { newToken } from './task-token.ts';
import { type Fields, fields, isAwsError, REGION, text } from './wire.ts';

export type Execution = {
  arn: string;
  name: string;
  machine: Machine;
  qualified?: Qualified;
  input: string;
  startedAt: number;
  stoppedAt?: number;
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED' | 'TIMED_OUT';
  output?: string;
  error?: string;
  cause?: string;
  history: History;
  tasks: Set<Task>;
  pendingToken?: string;
  abort(): void;
};

export type Task = {
  token: string;
  execution: Execution;
  over: boolean;
  settle: PromiseWithResolvers<unknown>;
  timer?: NodeJS.Timeout;
};

export function close(task: Task): void {
  task.over = true;
  clearTimeout(task.timer);
  task.execution.tasks.delete(task);
}

type TaskRun = {
  execution: Execution;
  definition: Fields;
  input: unknown;
  gate: Gate;
  tokens: Map<string, Task>;
};

/**
 * Runs one try of a Task. The engine starts no other state before the first `await` here. No other state can
 * therefore take the token that was just made for this state's input. The timer below is set before the
 * engine's own timer of the same length. After a time-out the history thus has the time-out, and the token is
 * invalid, before the engine continues.
 */
export function runTask(run: TaskRun): Promise<unknown> {
  const { execution, definition, tokens } = run;
  const token = execution.pendingToken ?? newToken();
  delete execution.pendingToken;
  const task: Task = { token, execution, over: false, settle: Promise.withResolvers<unknown>() };
  if (execution.status !== 'RUNNING') {
    return Promise.reject(taskError('ExecutionEnded', '', { isRetryable: false, isCatchable: false }));
  }
  const resource = text(definition.Resource);
  const optimized = resource.includes(':states:::lambda:invoke');
  const waits = resource.endsWith('.waitForTaskToken');
  execution.tasks.add(task);
  if (waits) tokens.set(token, task);
  const seconds = Number(definition.limitSeconds ?? 0);
  if (seconds > 0) {
    task.timer = setTimeout(() => {
      execution.history.add(optimized ? 'TaskTimedOut' : 'LambdaFunctionTimedOut', {
        ...(optimized ? { resourceType: 'lambda', resource: integrationOf(resource) } : {}),
        error: 'States.Timeout',
      });
      close(task);
    }, seconds * 1000);
  }
  void (optimized ? runIntegration(run, task, waits) : runDirectly(run, task));
  return task.settle.promise;
}

async function runDirectly({ execution, definition, input, gate }: TaskRun, task: Task): Promise<void> {
  const { history } = execution;
  await logDrained();
  history.add('LambdaFunctionScheduled', {
    resource: definition.Resource,
    ...data('input', input),
    ...timeLimit(definition),
  });
  history.add('LambdaFunctionStarted');
  const result = await invoke(execution, gate, text(definition.Resource), input);
  if (task.over) return;
  close(task);
  if ('error' in result) {
    history.add('LambdaFunctionFailed', result);
    return task.settle.reject(taskError(result.error, result.cause));
  }
  history.add('LambdaFunctionSucceeded', data('output', result.output));
  task.settle.resolve(result.output);
}

async function runIntegration(run: TaskRun, task: Task, waits: boolean): Promise<void> {
  const { execution, definition, input, gate } = run;
  const { history } = execution;
  const { FunctionName, Payload } = fields(input);
  const about = { resourceType: 'lambda', resource: integrationOf(text(definition.Resource)) };
  await logDrained();
  const parameters = JSON.stringify(input);
  history.add('TaskScheduled', { ...about, region: REGION, parameters, ...timeLimit(definition) });
  history.add('TaskStarted', about);
  const result = await invoke(execution, gate, text(FunctionName), Payload ?? {});
  if (task.over) return;
  if ('error' in result) {
    close(task);
    history.add('TaskFailed', { ...about, ...result });
    return task.settle.reject(taskError(result.error, result.cause));
  }
  const output = { ExecutedVersion: versionIn(text(FunctionName)), Payload: result.output, StatusCode: 200 };
  if (waits) return history.add('TaskSubmitted', { ...about, ...data('output', output) });
  close(task);
  history.add('TaskSucceeded', { ...about, ...data('output', output) });
  task.settle.resolve(output);
}

const versionIn = (functionArn: string): string =>
  /:function:[^:]+:(\d+)$/.exec(functionArn)?.[1] ?? '$LATEST';

type Outcome = { output: unknown } | { error: string; cause: string };

async function invoke(execution: Execution, gate: Gate, name: string, payload: unknown): Promise<Outcome> {
  const principal = { roleArn: execution.machine.roleArn };
  try {
    const answer = await gate.perform(principal, 'lambda', 'Invoke', {
      FunctionName: name,
      Payload: payload,
    });
    const output = JSON.parse(text(answer.Payload)) as unknown;
    if (!answer.FunctionError) return isTooLarge(text(answer.Payload)) ? DATA_LIMIT : { output };
    return { error: text(fields(output).errorType) || 'Lambda.Unknown', cause: text(answer.Payload) };
  } catch (error) {
    return refusalOf(error);
  }
}

/**
 * The error of a call that Lambda itself refused, under the name that Lambda gives it. A Retry can thus
 * distinguish it from an error of the function's code.
 */
function refusalOf(error: unknown): { error: string; cause: string } {
  const { name, message } = error as Error;
  if (!isAwsError(error)) return { error: 'Lambda.SdkClientException', cause: String(error) };
  if (name === 'AccessDeniedException') return { error: 'Lambda.AWSLambdaException', cause: message };
  if (name === 'TimeoutError') return { error: 'Lambda.SdkClientException', cause: message };
  return { error: `Lambda.${name}`, cause: message };
}

/**
 * Waits until the event loop's next turn. By then `executions.ts` has read the engine's event log, and so the
 * history already has the event that the state was entered.
 */
function logDrained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function integrationOf(resource: string): string {
  return resource.split(':lambda:')[1] ?? '';
}

function timeLimit({ TimeoutSeconds }: Fields): Fields {
  return TimeoutSeconds === undefined ? {} : { timeoutInSeconds: TimeoutSeconds };
}

/**
 * An error for the engine. Retry and Catch compare its `name` with their ErrorEquals, and its `message`
 * becomes the Cause.
 */
export function taskError(name: string, cause: string, more: Fields = {}): Error {
  const isFinal = name === DATA_LIMIT.error ? { isRetryable: false, isCatchable: false } : {};
  return Object.assign(new Error(cause), { name, ...isFinal, ...more });
}
