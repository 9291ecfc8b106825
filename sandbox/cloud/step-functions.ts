import { randomUUID } from 'node:crypto';
import { data, type EngineEvent, failure, openHistory, page, withoutData } from './execution-history.ts';
import { refuseLong } from './execution-sizes.ts';
import type { Gate, Service } from './front.ts';
import type { Need, Principal } from './iam.ts';
import { seenLate } from './late-execution.ts';
import { readQualified, unqualified } from './machine-versions.ts';
import { executionRates } from './request-rates.ts';
import { type Machine, readMachine } from './state-machine.ts';
import { close, type Execution, runTask, type Task, taskError } from './task-run.ts';
import { isToken, newToken } from './task-token.ts';
import type { Template } from './template.ts';
import { ACCOUNT, awsError, type Fields, PARTITION, REGION, text } from './wire.ts';

/** The state machines behind the API of AWS Step Functions. The library aws-local-stepfunctions runs them. */
export type StepFunctions = Service & { stop(): Promise<void> };

type Options = {
  template: Template;
  gate: Gate;
  patience: number;
  /**
   * The delay in milliseconds with which DescribeExecution shows an execution to a role. Operators see it
   * without delay.
   */
  describeLagMs: number;
};

export function startStepFunctions({ template, gate, patience, describeLagMs }: Options): StepFunctions {
  const machines = new Map<string, Machine>();
  const qualified = readQualified(template);
  const executions = new Map<string, Execution>();
  const tokens = new Map<string, Task>();
  for (const resource of template.ofType('AWS::StepFunctions::StateMachine')) {
    const machine = readMachine(template, resource, patience);
    machines.set(machine.arn, machine);
  }

  function requiredMachine(arn: unknown): Machine {
    const machine = machines.get(qualified.get(text(arn))?.machineArn ?? text(arn));
    if (!machine) throw awsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${text(arn)}'`);
    return machine;
  }

  function requiredExecution(arn: unknown): Execution {
    const execution = executions.get(text(arn));
    return execution ?? missing(text(arn));
  }

  function requiredTask(token: unknown): Task {
    if (!isToken(text(token))) throw awsError('InvalidToken', "Invalid Token: 'Invalid token'");
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
    // Ignores a rejection of `run.result`. `follow` reads the outcome from the event log, so that the
    // execution's history and status always agree.
    run.result.catch(() => undefined);
    void follow(execution, run.eventLogs as AsyncIterable<EngineEvent>);
    return execution;
  }

  function startOnce(machine: Machine, name: string, input: string): Execution {
    refuseLong('input', input);
    if (!isJson(input)) throw awsError('InvalidExecutionInput', 'Invalid State Machine Execution Input');
    if (!/^[^\s<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/.test(name)) {
      throw awsError('InvalidName', `Invalid Name: '${name}'`);
    }
    const known = executions.get(executionArn(machine, name));
    if (!known) return start(machine, name, input);
    if (known.status === 'RUNNING' && known.input === input) return known;
    throw awsError('ExecutionAlreadyExists', `Execution Already Exists: '${known.arn}'`);
  }

  function shown(execution: Execution, caller?: Principal): Execution {
    if (!caller?.roleArn) return execution;
    return seenLate(execution, describeLagMs, Date.now()) ?? missing(execution.arn);
  }

  const operations: Record<string, (input: Fields, caller?: Principal) => Fields> = {
    StartExecution(input) {
      const machine = requiredMachine(input.stateMachineArn);
      const execution = startOnce(machine, text(input.name) || randomUUID(), text(input.input) || '{}');
      execution.qualified ??= qualified.get(text(input.stateMachineArn));
      return { executionArn: execution.arn, startDate: execution.startedAt };
    },
    DescribeExecution: (input, caller) => described(shown(requiredExecution(input.executionArn), caller)),
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
      refuseLong('output', text(input.output));
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
    throttle: executionRates(),
    async call(operation, input, caller) {
      const handle = operations[operation];
      if (!handle)
        throw awsError('UnknownOperationException', `Step Functions ${operation} is not simulated`);
      return handle(input, caller);
    },
    needs(operation, input): Need[] {
      const named = text(input.executionArn) || unqualified(text(input.stateMachineArn));
      if (named || !input.taskToken) return [{ action: `states:${operation}`, resource: named || '*' }];
      // A token names no state machine if it is unknown. The permission is then checked for the first
      // machine, so that the caller gets TaskDoesNotExist and not AccessDeniedException.
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

function missing(arn: string): never {
  throw awsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
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

function summary(execution: Execution): Fields {
  const { arn, machine, qualified, name, status, startedAt, stoppedAt } = execution;
  const { machineArn: _, ...version } = qualified ?? { machineArn: machine.arn };
  const ended = stoppedAt === undefined ? {} : { stopDate: stoppedAt };
  return {
    executionArn: arn,
    stateMachineArn: machine.arn,
    ...version,
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

/** Ends an execution and its open tasks. The tasks' tokens become invalid and their timers stop. */
function end(execution: Execution, status: Execution['status']): void {
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

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
