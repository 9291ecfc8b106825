/** The executions of the simulated Step Functions: how they start, go on and end. */

import type { Principal } from './access.ts';
import { type EngineEvent, failure, openHistory } from './execution-history.ts';
import { refuseLong } from './execution-sizes.ts';
import type { Gate } from './gate.ts';
import { seenLate } from './late-execution.ts';
import type { readQualified } from './machine-versions.ts';
import type { Machine } from './state-machine.ts';
import { close, type Execution, runTask, type Task, taskError } from './task-run.ts';
import { isToken, newToken } from './task-token.ts';
import { ACCOUNT, awsError, PARTITION, REGION, text } from './wire.ts';

/** The machines, executions and task tokens of one simulated Step Functions. */
export type Executions = {
  machines: Map<string, Machine>;
  qualified: ReturnType<typeof readQualified>;
  executions: Map<string, Execution>;
  tokens: Map<string, Task>;
  gate: Gate;
  /**
   * The delay in milliseconds with which DescribeExecution shows an execution to a role. Operators see it
   * without delay.
   */
  describeLagMs: number;
};

export function requiredMachine(world: Executions, arn: unknown): Machine {
  const machine = world.machines.get(world.qualified.get(text(arn))?.machineArn ?? text(arn));
  if (!machine) throw awsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${text(arn)}'`);
  return machine;
}

export function requiredExecution(world: Executions, arn: unknown): Execution {
  const execution = world.executions.get(text(arn));
  return execution ?? missing(text(arn));
}

export function requiredTask(world: Executions, token: unknown): Task {
  if (!isToken(text(token))) throw awsError('InvalidToken', "Invalid Token: 'Invalid token'");
  const task = world.tokens.get(text(token));
  if (!task) throw awsError('TaskDoesNotExist', "Task does not exist: 'Provided task does not exist'");
  if (task.over) throw awsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
  return task;
}

type Wanted = { machine: Machine; name: string; input: string };

function start(world: Executions, { machine, name, input }: Wanted): Execution {
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
  world.executions.set(execution.arn, execution);
  const handlers = [...machine.tasks].map(([state, definition]) => [
    state,
    (taskInput: unknown) =>
      runTask({ execution, definition, input: taskInput, gate: world.gate, tokens: world.tokens }),
  ]);
  const run = machine.engine.run(JSON.parse(input), {
    noThrowOnAbort: true,
    context: contextOf(execution),
    overrides: { taskResourceLocalHandlers: Object.fromEntries(handlers) },
  });
  execution.abort = run.abort;
  // Ignores a rejection of `run.result`. `follow` reads the outcome from the event log, so that the
  // execution's history and status always agree.
  run.result.catch(() => undefined);
  void follow(execution, run.eventLogs as AsyncIterable<EngineEvent>);
  return execution;
}

export function startOnce(world: Executions, { machine, name, input }: Wanted): Execution {
  refuseLong('input', input);
  if (!isJson(input)) throw awsError('InvalidExecutionInput', 'Invalid State Machine Execution Input');
  if (!/^[^\s<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/.test(name)) {
    throw awsError('InvalidName', `Invalid Name: '${name}'`);
  }
  const known = world.executions.get(executionArn(machine, name));
  if (!known) return start(world, { machine, name, input });
  if (known.status === 'RUNNING' && known.input === input) return known;
  throw awsError('ExecutionAlreadyExists', `Execution Already Exists: '${known.arn}'`);
}

export function shown(world: Executions, execution: Execution, caller?: Principal): Execution {
  if (!caller?.roleArn) return execution;
  return seenLate(execution, world.describeLagMs, Date.now()) ?? missing(execution.arn);
}

function missing(arn: string): never {
  throw awsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
}

function executionArn(machine: Machine, name: string): string {
  return `arn:${PARTITION}:states:${REGION}:${ACCOUNT}:execution:${machine.name}:${name}`;
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

/** Ends an execution and its open tasks. The tasks' tokens become invalid and their timers stop. */
export function end(execution: Execution, status: Execution['status']): void {
  execution.status = status;
  execution.stoppedAt = Date.now() / 1000;
  for (const task of execution.tasks) {
    close(task);
    task.settle.reject(taskError('ExecutionEnded', '', { isRetryable: false, isCatchable: false }));
  }
}

/**
 * The context object (`$$`) of the execution's states. The engine copies the object once, so the values that
 * change are getters. Reading `Task.Token` makes a token, which `runTask` then takes.
 */
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

export function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
