import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import {
  data,
  type EngineEvent,
  failure,
  type History,
  openHistory,
  page,
  withoutData,
} from './execution-history.ts';
import type { Gate, Service } from './front.ts';
import type { Need } from './iam.ts';
import type { Resource, Template } from './template.ts';
import { ACCOUNT, awsError, type Fields, fields, isAwsError, list, PARTITION, REGION, text } from './wire.ts';

/** State machines run by aws-local-stepfunctions, spoken to in the words of AWS Step Functions. */
export type StepFunctions = Service & { stop(): Promise<void> };

type Machine = {
  arn: string;
  name: string;
  roleArn: string;
  source: string;
  tasks: Map<string, Fields>;
  engine: StateMachine;
};

type Execution = {
  arn: string;
  name: string;
  machine: Machine;
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

type Task = {
  token: string;
  execution: Execution;
  over: boolean;
  settle: PromiseWithResolvers<unknown>;
  timer?: NodeJS.Timeout;
};

/** Node's timers end at 24 days and fire at once beyond: AWS's default of "no limit" is cut to that. */
const LONGEST_SECONDS = 2_000_000;
const TOKEN = /^AQ[A-Za-z0-9_-]{64}$/;

export function startStepFunctions(template: Template, gate: Gate): StepFunctions {
  const machines = new Map<string, Machine>();
  const executions = new Map<string, Execution>();
  const tokens = new Map<string, Task>();
  for (const resource of template.ofType('AWS::StepFunctions::StateMachine')) {
    const machine = readMachine(template, resource);
    machines.set(machine.arn, machine);
  }

  function requiredMachine(arn: unknown): Machine {
    const machine = machines.get(text(arn));
    if (!machine) throw awsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${text(arn)}'`);
    return machine;
  }

  function requiredExecution(arn: unknown): Execution {
    const execution = executions.get(text(arn));
    if (!execution) throw awsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${text(arn)}'`);
    return execution;
  }

  function requiredTask(token: unknown): Task {
    if (!TOKEN.test(text(token))) throw awsError('InvalidToken', "Invalid Token: 'Invalid token'");
    const task = tokens.get(text(token));
    if (!task) throw awsError('TaskDoesNotExist', "Task does not exist: 'Provided task does not exist'");
    if (task.over) throw awsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
    return task;
  }

  function start(machine: Machine, name: string, input: string): Execution {
    const execution: Execution = {
      arn: executionArn(machine, name),
      name,
      machine,
      input,
      startedAt: Date.now() / 1000,
      status: 'RUNNING',
      history: openHistory(machine.roleArn),
      tasks: new Set(),
      abort: () => undefined,
    };
    executions.set(execution.arn, execution);
    const handlers = [...machine.tasks].map(([state, definition]) => [
      state,
      (taskInput: unknown) => runTask({ execution, definition, input: taskInput, gate, tokens }),
    ]);
    const run = machine.engine.run(JSON.parse(input), {
      noThrowOnAbort: true,
      context: contextOf(execution),
      overrides: { taskResourceLocalHandlers: Object.fromEntries(handlers) },
    });
    execution.abort = run.abort;
    // The outcome is read from the log, so that history and status never disagree.
    run.result.catch(() => undefined);
    void follow(execution, run.eventLogs as AsyncIterable<EngineEvent>);
    return execution;
  }

  function startOnce(machine: Machine, name: string, input: string): Execution {
    if (!isJson(input)) throw awsError('InvalidExecutionInput', 'Invalid State Machine Execution Input');
    if (!/^[^\s<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/.test(name)) {
      throw awsError('InvalidName', `Invalid Name: '${name}'`);
    }
    const known = executions.get(executionArn(machine, name));
    if (!known) return start(machine, name, input);
    if (known.status === 'RUNNING' && known.input === input) return known;
    throw awsError('ExecutionAlreadyExists', `Execution Already Exists: '${known.arn}'`);
  }

  const operations: Record<string, (input: Fields) => Fields> = {
    StartExecution(input) {
      const machine = requiredMachine(input.stateMachineArn);
      const execution = startOnce(machine, text(input.name) || randomUUID(), text(input.input) || '{}');
      return { executionArn: execution.arn, startDate: execution.startedAt };
    },
    DescribeExecution: (input) => described(requiredExecution(input.executionArn)),
    ListExecutions(input) {
      const machine = requiredMachine(input.stateMachineArn);
      const found = [...executions.values()]
        .filter(
          (one) => one.machine === machine && (!input.statusFilter || one.status === input.statusFilter),
        )
        .reverse();
      const { items, ...more } = page(found, input);
      return { executions: items.map(summary), ...more };
    },
    StopExecution(input) {
      const execution = requiredExecution(input.executionArn);
      if (execution.status === 'RUNNING') {
        if (input.error) execution.error = text(input.error);
        if (input.cause) execution.cause = text(input.cause);
        end(execution, 'ABORTED');
        execution.history.add('ExecutionAborted', { error: execution.error, cause: execution.cause });
        execution.abort();
      }
      return { stopDate: execution.stoppedAt };
    },
    GetExecutionHistory(input) {
      const { events } = requiredExecution(input.executionArn).history;
      const { items, ...more } = page(input.reverseOrder ? [...events].reverse() : events, input);
      return { events: input.includeExecutionData === false ? items.map(withoutData) : items, ...more };
    },
    SendTaskSuccess(input) {
      const task = requiredTask(input.taskToken);
      if (!isJson(text(input.output))) throw awsError('InvalidOutput', 'Invalid Output');
      const output = JSON.parse(text(input.output)) as unknown;
      task.execution.history.add('TaskSucceeded', { ...waiting, ...data('output', output) });
      close(task);
      task.settle.resolve(output);
      return {};
    },
    SendTaskFailure(input) {
      const task = requiredTask(input.taskToken);
      const [error, cause] = [text(input.error), text(input.cause)];
      task.execution.history.add('TaskFailed', { ...waiting, error, cause });
      close(task);
      task.settle.reject(taskError(error, cause));
      return {};
    },
    SendTaskHeartbeat(input) {
      requiredTask(input.taskToken);
      return {};
    },
    DescribeStateMachine(input) {
      const { arn, name, roleArn, source } = requiredMachine(input.stateMachineArn);
      return { stateMachineArn: arn, name, roleArn, definition: source, status: 'ACTIVE', type: 'STANDARD' };
    },
    ListStateMachines: () => ({
      stateMachines: [...machines.values()].map(({ arn, name }) => ({
        stateMachineArn: arn,
        name,
        type: 'STANDARD',
      })),
    }),
  };

  return {
    async call(operation, input) {
      const handle = operations[operation];
      if (!handle)
        throw awsError('UnknownOperationException', `Step Functions ${operation} is not simulated`);
      return handle(input);
    },
    needs(operation, input): Need[] {
      const named = text(input.executionArn) || text(input.stateMachineArn);
      if (named || !input.taskToken) return [{ action: `states:${operation}`, resource: named || '*' }];
      // A token that nobody knows is judged as one of the first machine: its error is TaskDoesNotExist, not a denial.
      const owner = tokens.get(text(input.taskToken))?.execution.machine ?? [...machines.values()][0];
      const resource = owner?.arn ?? '*';
      return [{ action: `states:${operation}`, resource }];
    },
    async stop() {
      for (const execution of executions.values()) {
        if (execution.status !== 'RUNNING') continue;
        end(execution, 'ABORTED');
        execution.abort();
      }
    },
  };
}

function executionArn(machine: Machine, name: string): string {
  return `arn:${PARTITION}:states:${REGION}:${ACCOUNT}:execution:${machine.name}:${name}`;
}

const waiting = { resourceType: 'lambda', resource: 'invoke.waitForTaskToken' };

function described(execution: Execution): Fields {
  const { input, output, error, cause } = execution;
  return {
    ...summary(execution),
    input,
    inputDetails: { included: true },
    ...(output === undefined ? {} : { output, outputDetails: { included: true } }),
    ...(error === undefined ? {} : { error }),
    ...(cause === undefined ? {} : { cause }),
  };
}

function summary({ arn, machine, name, status, startedAt, stoppedAt }: Execution): Fields {
  const ended = stoppedAt === undefined ? {} : { stopDate: stoppedAt };
  return {
    executionArn: arn,
    stateMachineArn: machine.arn,
    name,
    status,
    startDate: startedAt,
    redriveCount: 0,
    ...ended,
  };
}

const OUTCOMES: Record<string, Execution['status']> = {
  ExecutionSucceeded: 'SUCCEEDED',
  ExecutionFailed: 'FAILED',
  ExecutionTimeout: 'TIMED_OUT',
};

async function follow(execution: Execution, log: AsyncIterable<EngineEvent>): Promise<void> {
  for await (const event of log) {
    if (execution.status !== 'RUNNING') return;
    execution.history.translate(event);
    const outcome = OUTCOMES[event.type];
    if (!outcome) continue;
    if (outcome === 'SUCCEEDED') execution.output = JSON.stringify(event.output ?? null);
    if (outcome === 'FAILED') Object.assign(execution, failure(event));
    end(execution, outcome);
  }
}

/** Open tasks end with their execution: their tokens become stale and their timers do not keep the process. */
function end(execution: Execution, status: Execution['status']): void {
  execution.status = status;
  execution.stoppedAt = Date.now() / 1000;
  for (const task of execution.tasks) {
    close(task);
    task.settle.reject(taskError('ExecutionEnded', '', { isRetryable: false, isCatchable: false }));
  }
}

function close(task: Task): void {
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
 * One try of a Task. Everything up to the first await happens in the engine's own turn: it takes the token that
 * the input was just built with, and sets its timer before the engine sets one of the same length, so that the
 * time-out is in the history and the token stale before the engine goes on.
 */
function runTask(run: TaskRun): Promise<unknown> {
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
  const seconds = Math.min(Number(definition.TimeoutSeconds ?? 0), LONGEST_SECONDS);
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
  const output = { ExecutedVersion: '$LATEST', Payload: result.output, StatusCode: 200 };
  if (waits) return history.add('TaskSubmitted', { ...about, ...data('output', output) });
  close(task);
  history.add('TaskSucceeded', { ...about, ...data('output', output) });
  task.settle.resolve(output);
}

type Outcome = { output: unknown } | { error: string; cause: string };

async function invoke(execution: Execution, gate: Gate, name: string, payload: unknown): Promise<Outcome> {
  const principal = { roleArn: execution.machine.roleArn };
  try {
    const answer = await gate.perform(principal, 'lambda', 'Invoke', {
      FunctionName: name,
      Payload: payload,
    });
    const output = JSON.parse(text(answer.Payload)) as unknown;
    if (!answer.FunctionError) return { output };
    return { error: text(fields(output).errorType) || 'Lambda.Unknown', cause: text(answer.Payload) };
  } catch (error) {
    return refusalOf(error);
  }
}

/** Errors of the Lambda service itself carry its name, so that a Retry can tell them from the function's own. */
function refusalOf(error: unknown): { error: string; cause: string } {
  const { name, message } = error as Error;
  if (!isAwsError(error)) return { error: 'Lambda.SdkClientException', cause: String(error) };
  if (name === 'AccessDeniedException') return { error: 'Lambda.AWSLambdaException', cause: message };
  if (name === 'TimeoutError') return { error: 'Lambda.SdkClientException', cause: message };
  return { error: `Lambda.${name}`, cause: message };
}

/** The engine's log is read in microtasks: one turn later the state's own "entered" is in the history. */
function logDrained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function integrationOf(resource: string): string {
  return resource.split(':lambda:')[1] ?? '';
}

function timeLimit({ TimeoutSeconds }: Fields): Fields {
  return TimeoutSeconds === undefined ? {} : { timeoutInSeconds: TimeoutSeconds };
}

/** The engine compares `name` with ErrorEquals and gives `message` as the Cause. */
function taskError(name: string, cause: string, more: Fields = {}): Error {
  return Object.assign(new Error(cause), { name, ...more });
}

function newToken(): string {
  return `AQ${randomBytes(48).toString('base64url')}`;
}

/** Getters, because the engine copies the object once: the token is made when a state's input asks for it. */
function contextOf(execution: Execution) {
  const { arn, name, machine } = execution;
  return {
    Execution: { Id: arn, Name: name, RoleArn: machine.roleArn, RedriveCount: 0 },
    StateMachine: { Id: machine.arn, Name: machine.name },
    State: {
      get EnteredTime() {
        return new Date().toISOString();
      },
    },
    Task: {
      get Token() {
        execution.pendingToken ??= newToken();
        return execution.pendingToken;
      },
    },
  };
}

function readMachine(template: Template, { logicalId }: Resource): Machine {
  const properties = template.properties(logicalId);
  const source = definitionOf(template, properties);
  const definition = fields(JSON.parse(source));
  const tasks = new Map<string, Fields>();
  const runnable = prepare(definition, tasks, logicalId);
  return {
    arn: template.ref(logicalId),
    name: template.attribute(logicalId, 'Name'),
    roleArn: text(properties.RoleArn),
    source,
    tasks,
    engine: new StateMachine(runnable as unknown as StateMachineDefinition, {
      validationOptions: { checkArn: false, checkPaths: true },
    }),
  };
}

function definitionOf(template: Template, properties: Fields): string {
  const substitutions = fields(properties.DefinitionSubstitutions);
  const source = properties.DefinitionS3Location
    ? readFileSync(template.asset(text(fields(properties.DefinitionS3Location).Key)), 'utf8')
    : text(properties.DefinitionString) || JSON.stringify(properties.Definition);
  return source.replace(/\$\{([^}]+)\}/g, (whole, name: string) =>
    name in substitutions ? String(substitutions[name]) : whole,
  );
}

const RESOURCE = /^arn:[^:]+:(lambda:[^:]+:\d+:function:.+|states:::lambda:invoke(\.waitForTaskToken)?)$/;

/** Copies the definition for the engine: known limits, names of states in place, and every Task looked at. */
function prepare(definition: Fields, tasks: Map<string, Fields>, where: string): Fields {
  if (definition.QueryLanguage === 'JSONata') throw new Error(`${where}: JSONata is not simulated`);
  const states = Object.entries(fields(definition.States)).map(([name, value]) => {
    const state = { ...fields(value) };
    if (state.Type === 'Task') {
      if (!RESOURCE.test(text(state.Resource)))
        throw new Error(`${where}.${name}: ${text(state.Resource)} is unsupported`);
      if (state.HeartbeatSeconds !== undefined)
        throw new Error(`${where}.${name}: HeartbeatSeconds is not simulated`);
      if (tasks.has(name)) throw new Error(`${where}: two states are named ${name}`);
      tasks.set(name, fields(value));
      if (state.TimeoutSecondsPath === undefined) {
        state.TimeoutSeconds = Math.min(Number(state.TimeoutSeconds ?? LONGEST_SECONDS), LONGEST_SECONDS);
      }
    }
    if (state.Branches)
      state.Branches = list(state.Branches).map((branch) => prepare(fields(branch), tasks, where));
    for (const key of ['Iterator', 'ItemProcessor']) {
      if (state[key]) state[key] = prepare(fields(state[key]), tasks, where);
    }
    if (state.Parameters) state.Parameters = nameState(state.Parameters, name);
    return [name, state];
  });
  const limit =
    definition.TimeoutSeconds === undefined
      ? {}
      : { TimeoutSeconds: Math.min(Number(definition.TimeoutSeconds), LONGEST_SECONDS) };
  return { ...definition, ...limit, States: Object.fromEntries(states) };
}

/** The engine's context has no current state, so `$$.State.Name` is written into the definition. */
function nameState(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => nameState(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      item === '$$.State.Name' ? [key.replace(/\.\$$/, ''), name] : [key, nameState(item, name)],
    ),
  );
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
