import {
  CaughtError,
  errorOf,
  requireKnown,
  type State,
  type StateMachine,
  type Task,
} from './state-definition.ts';
import { retryState } from './state-retries.ts';

/**
 * The parts of Step Functions outside of the interpreter. The host owns the time; the interpreter itself never waits
 * by a clock.
 */
export type Host = {
  /**
   * Runs the function and returns its output. `ErrorEquals` matches the `name` of an Error. The host throws
   * `States.Timeout` when `timeoutSeconds` have passed since the call.
   */
  invoke(fn: string, payload: unknown, timeoutSeconds: number): Promise<unknown>;
  sleep(ms: number): Promise<void>;
  taskToken(): string;
  /**
   * Resolves with the output that is sent with the token. Rejects with an Error named `States.Timeout` after
   * `timeoutMs`. The interpreter calls it before the function, because the time-out starts then.
   */
  awaitToken(token: string, timeoutMs: number): Promise<unknown>;
  /** The task ended without its token. A later sender of the token is told that the task does not exist. */
  dropToken?(token: string): void;
  /** A random number, at least 0 and below 1. */
  jitter(): number;
  /** Called when the execution enters a state. */
  onEnter?(state: string): void;
};

export type Outcome =
  | { status: 'SUCCEEDED'; output: unknown }
  | { status: 'FAILED'; error: string; cause: string };

const MS = 1000;

/**
 * Runs a state machine by the Amazon States Language (https://states-language.net/), as far as our definition uses
 * it. An unknown field fails before any step runs. Data passes as JSON. The interpreter does not apply AWS's limits
 * of size and history.
 */
export async function runExecution(definition: StateMachine, input: unknown, host: Host): Promise<Outcome> {
  requireKnown(definition);
  let name: string | undefined = definition.StartAt;
  let data = asJson(input);
  while (name !== undefined) {
    host.onEnter?.(name);
    const entered: Step | CaughtError = await enter(definition.States[name]!, data, host).catch(caught);
    if (entered instanceof CaughtError) return { status: 'FAILED', ...errorOf(entered) };
    data = entered.data;
    name = entered.next;
  }
  return { status: 'SUCCEEDED', output: data };
}

function caught(error: unknown): CaughtError {
  if (error instanceof CaughtError) return error;
  throw error;
}

type Step = { next: string | undefined; data: unknown };

async function enter(state: State, data: unknown, host: Host): Promise<Step> {
  switch (state.Type) {
    case 'Succeed':
      return { next: undefined, data };
    case 'Wait':
      await host.sleep(state.Seconds * MS);
      return { next: nextOf(state), data };
    case 'Choice': {
      const chosen = state.Choices.find(
        ({ Variable, StringEquals }) => read(Variable, data) === StringEquals,
      );
      const next = chosen?.Next ?? state.Default;
      if (!next) throw new CaughtError('States.NoChoiceMatched', 'no choice matched');
      return { next, data };
    }
    case 'Task':
      return runTask(state, data, host);
  }
}

/** Asks the retriers first, then the catchers. A catcher's `ResultPath` says where the error goes. */
async function runTask(task: Task, data: unknown, host: Host): Promise<Step> {
  const retries = retryState(task.Retry ?? [], host.jitter);
  for (;;) {
    try {
      return { next: nextOf(task), data: asJson(await attempt(task, data, host)) };
    } catch (thrown) {
      const error = CaughtError.from(thrown);
      const delaySeconds = retries.delayAfter(error.name);
      if (delaySeconds !== undefined) await host.sleep(delaySeconds * MS);
      else return recover(task, data, error);
    }
  }
}

function recover(task: Task, data: unknown, error: CaughtError): Step {
  const catcher = task.Catch?.find(({ ErrorEquals }) => error.isOneOf(ErrorEquals));
  if (!catcher) throw error;
  const output = { Error: error.name, Cause: error.cause };
  return { next: catcher.Next, data: placed(data, catcher.ResultPath ?? '$', output) };
}

async function attempt(task: Task, data: unknown, host: Host): Promise<unknown> {
  const { TimeoutSeconds } = task;
  if (!task.Parameters) return host.invoke(functionOf(task.Resource), data, TimeoutSeconds);
  const token = host.taskToken();
  const { FunctionName, Payload } = task.Parameters;
  const payload = Object.fromEntries(
    Object.entries(Payload).map(([key, value]) =>
      key.endsWith('.$') ? [key.slice(0, -2), value === TOKEN ? token : read(value, data)] : [key, value],
    ),
  );
  const sent = host.awaitToken(token, TimeoutSeconds * MS);
  // The owner of the token may send it before the function returns. The function's output is ignored.
  const failed = host.invoke(functionOf(FunctionName), payload, TimeoutSeconds).then(() => sent);
  failed.catch(() => undefined);
  try {
    return await Promise.race([sent, failed]);
  } finally {
    host.dropToken?.(token);
    sent.catch(() => undefined);
  }
}

const TOKEN = '$$.Task.Token';

/** In the definition, CloudFormation replaces `${SettleStablecoin}` by the function of this name. */
function functionOf(placeholder: string): string {
  return placeholder.slice(2, -1);
}

function nextOf({ Next, End }: { Next?: string; End?: boolean }): string | undefined {
  return End ? undefined : Next;
}

function read(path: string, data: unknown): unknown {
  let found = data;
  for (const name of path.split('.').slice(1)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      throw new CaughtError('States.Runtime', `${path} is not in the input`);
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function placed(data: unknown, path: string, value: unknown): unknown {
  if (path === '$') return value;
  return { ...(data as object), [path.slice(2)]: value };
}

/** A function that returns nothing gives null. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
