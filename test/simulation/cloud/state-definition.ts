import * as z from 'zod';

/** The schema has only the fields of the Amazon States Language that our state machine uses. */
const Comment = z.string().optional();
const ErrorEquals = z.array(z.string()).min(1);

const Retrier = z.strictObject({
  ErrorEquals,
  IntervalSeconds: z.int().min(1).optional(),
  BackoffRate: z.number().min(1).optional(),
  MaxDelaySeconds: z.int().min(1).optional(),
  MaxAttempts: z.int().min(0).optional(),
  JitterStrategy: z.enum(['FULL', 'NONE']).optional(),
});
const Catcher = z.strictObject({
  ErrorEquals,
  ResultPath: z
    .string()
    .regex(/^\$(\.\w+)?$/)
    .optional(),
  Next: z.string(),
});
const Path = z.string().regex(/^\$(\.\w+)+$/);
const Placeholder = z.string().regex(/^\$\{\w+\}$/);

const Following = { Next: z.string().optional(), End: z.literal(true).optional() };
const WorkTask = { Type: z.literal('Task'), Comment, TimeoutSeconds: z.int().min(1), ...Following };
const Recovery = { Retry: z.array(Retrier).optional(), Catch: z.array(Catcher).optional() };

const LambdaTask = z.strictObject({
  ...WorkTask,
  ...Recovery,
  Resource: Placeholder,
  Parameters: z.undefined().optional(),
});
const WaitingTask = z.strictObject({
  ...WorkTask,
  ...Recovery,
  Resource: z.literal('arn:aws:states:::lambda:invoke.waitForTaskToken'),
  Parameters: z.strictObject({
    FunctionName: Placeholder,
    Payload: z.record(z.string(), z.string()),
  }),
});
const Choice = z.strictObject({
  Type: z.literal('Choice'),
  Comment,
  Choices: z.array(z.strictObject({ Variable: Path, StringEquals: z.string(), Next: z.string() })).min(1),
  Default: z.string().optional(),
});
const Wait = z.strictObject({ Type: z.literal('Wait'), Comment, Seconds: z.int().min(0), ...Following });
const Succeed = z.strictObject({ Type: z.literal('Succeed'), Comment });
const AnyState = z.union([LambdaTask, WaitingTask, Choice, Wait, Succeed]);
const Machine = z.strictObject({ Comment, StartAt: z.string(), States: z.record(z.string(), AnyState) });

export type Retrier = z.infer<typeof Retrier>;
export type Task = z.infer<typeof LambdaTask> | z.infer<typeof WaitingTask>;
export type State = z.infer<typeof AnyState>;
export type StateMachine = z.infer<typeof Machine>;

/** Throws on a definition with a field that the interpreter does not know, or with the name of a missing state. */
export function readDefinition(text: string): StateMachine {
  const definition = Machine.parse(JSON.parse(text));
  requireKnown(definition);
  return definition;
}

const known = new WeakSet<StateMachine>();

export function requireKnown(definition: StateMachine): void {
  if (known.has(definition)) return;
  const { StartAt, States } = Machine.parse(definition);
  requireState(States, StartAt);
  for (const [name, state] of Object.entries(States)) {
    for (const next of successorsOf(state)) requireState(States, next);
    if ('Next' in state && state.Next !== undefined && state.End)
      throw new Error(`${name} has both Next and End`);
    if (isUnfinished(state)) throw new Error(`${name} has neither Next nor End`);
    if (state.Type === 'Task') requireRecovery(name, state);
  }
  known.add(definition);
}

function isUnfinished(state: State): boolean {
  return (state.Type === 'Task' || state.Type === 'Wait') && state.Next === undefined && !state.End;
}

function successorsOf(state: State): string[] {
  if (state.Type === 'Succeed') return [];
  if (state.Type === 'Choice')
    return [...state.Choices.map(({ Next }) => Next), ...(state.Default ? [state.Default] : [])];
  const next = state.Next === undefined ? [] : [state.Next];
  return state.Type === 'Task' ? [...next, ...(state.Catch ?? []).map(({ Next }) => Next)] : next;
}

function requireState(states: Record<string, State>, name: string): void {
  if (!Object.hasOwn(states, name)) throw new Error(`no state is named ${name}`);
}

/** `States.ALL` must be alone and last, as the States Language demands. */
function requireRecovery(name: string, { Retry = [], Catch = [] }: Task): void {
  for (const list of [Retry, Catch]) {
    const all = list.findIndex((each) => each.ErrorEquals.includes(ALL));
    if (all >= 0 && (all < list.length - 1 || list[all]!.ErrorEquals.length > 1))
      throw new Error(`${name}: ${ALL} must be alone and in the last place`);
  }
}

const ALL = 'States.ALL';
/** No retrier and no catcher takes these errors. */
const TERMINAL = ['States.Runtime', 'States.DataLimitExceeded'];

/** True when an `ErrorEquals` takes the error. */
export function matches(errorEquals: readonly string[], error: string): boolean {
  if (errorEquals.includes(error)) return true;
  if (errorEquals.includes('States.TaskFailed') && error !== 'States.Timeout')
    return !TERMINAL.includes(error);
  return errorEquals.includes(ALL) && !TERMINAL.includes(error);
}

/** An error within an execution. */
export class CaughtError extends Error {
  override readonly cause: string;

  constructor(name: string, cause: string) {
    super(cause);
    this.name = name;
    this.cause = cause;
  }

  /** Shows the error of a function as Step Functions shows it. */
  static from(thrown: unknown): CaughtError {
    if (thrown instanceof CaughtError) return thrown;
    if (!(thrown instanceof Error)) throw new Error('a host throws errors only', { cause: thrown });
    const { name, message } = thrown;
    return new CaughtError(name, JSON.stringify({ errorType: name, errorMessage: message }));
  }

  isOneOf(errorEquals: readonly string[]): boolean {
    return matches(errorEquals, this.name);
  }
}

export function errorOf({ name, cause }: CaughtError): { error: string; cause: string } {
  return { error: name, cause };
}
