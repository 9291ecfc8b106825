import { randomUUID } from 'node:crypto';
import type { Need, Principal } from './access.ts';
import { data, page, withoutData } from './execution-history.ts';
import { refuseLong } from './execution-sizes.ts';
import {
  type Executions,
  end,
  isJson,
  requiredExecution,
  requiredMachine,
  requiredTask,
  shown,
  startOnce,
} from './executions.ts';
import type { Service } from './gate.ts';
import { readQualified, unqualified } from './machine-versions.ts';
import { executionRates } from './request-rates.ts';
import { readMachine } from './state-machine.ts';
import { close, type Execution, taskError } from './task-run.ts';
import type { Template } from './template.ts';
import { awsError, type Fields, text } from './wire.ts';

/** The state machines behind the API of AWS Step Functions. The library aws-local-stepfunctions runs them. */
export type StepFunctions = Service & { stop(): Promise<void> };

type Options = Pick<Executions, 'gate' | 'describeLagMs'> & { template: Template; patience: number };

export function startStepFunctions({ template, gate, patience, describeLagMs }: Options): StepFunctions {
  const read = template
    .ofType('AWS::StepFunctions::StateMachine')
    .map((resource) => readMachine(template, resource, patience));
  const world: Executions = {
    machines: new Map(read.map((machine) => [machine.arn, machine])),
    qualified: readQualified(template),
    executions: new Map(),
    tokens: new Map(),
    gate,
    describeLagMs,
  };
  const operations = { ...executionOperations(world), ...taskOperations(world), ...machineOperations(world) };

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
      const owner =
        world.tokens.get(text(input.taskToken))?.execution.machine ?? [...world.machines.values()][0];
      const resource = owner?.arn ?? '*';
      return [{ action: `states:${operation}`, resource }];
    },
    async stop() {
      for (const execution of world.executions.values()) {
        if (execution.status !== 'RUNNING') continue;
        end(execution, 'ABORTED');
        execution.abort();
      }
    },
  };
}

type Operations = Record<string, (input: Fields, caller?: Principal) => Fields>;

function executionOperations(world: Executions): Operations {
  return {
    StartExecution(input) {
      const machine = requiredMachine(world, input.stateMachineArn);
      const execution = startOnce(world, {
        machine,
        name: text(input.name) || randomUUID(),
        input: text(input.input) || '{}',
      });
      execution.qualified ??= world.qualified.get(text(input.stateMachineArn));
      return { executionArn: execution.arn, startDate: execution.startedAt };
    },
    DescribeExecution: (input, caller) =>
      described(shown(world, requiredExecution(world, input.executionArn), caller)),
    ListExecutions(input) {
      const machine = requiredMachine(world, input.stateMachineArn);
      const found = [...world.executions.values()]
        .filter(
          (one) => one.machine === machine && (!input.statusFilter || one.status === input.statusFilter),
        )
        .reverse();
      const { items, ...more } = page(found, input);
      return { executions: items.map(summary), ...more };
    },
    StopExecution(input) {
      const execution = requiredExecution(world, input.executionArn);
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
      const { events } = requiredExecution(world, input.executionArn).history;
      const { items, ...more } = page(input.reverseOrder ? [...events].reverse() : events, input);
      return { events: input.includeExecutionData === false ? items.map(withoutData) : items, ...more };
    },
  };
}

function taskOperations(world: Executions): Operations {
  return {
    SendTaskSuccess(input) {
      const task = requiredTask(world, input.taskToken);
      refuseLong('output', text(input.output));
      if (!isJson(text(input.output))) throw awsError('InvalidOutput', 'Invalid Output');
      const output = JSON.parse(text(input.output)) as unknown;
      task.execution.history.add('TaskSucceeded', { ...waiting, ...data('output', output) });
      close(task);
      task.settle.resolve(output);
      return {};
    },
    SendTaskFailure(input) {
      const task = requiredTask(world, input.taskToken);
      const [error, cause] = [text(input.error), text(input.cause)];
      task.execution.history.add('TaskFailed', { ...waiting, error, cause });
      close(task);
      task.settle.reject(taskError(error, cause));
      return {};
    },
    SendTaskHeartbeat(input) {
      requiredTask(world, input.taskToken);
      return {};
    },
  };
}

function machineOperations(world: Executions): Operations {
  return {
    DescribeStateMachine(input) {
      const { arn, name, roleArn, source } = requiredMachine(world, input.stateMachineArn);
      return { stateMachineArn: arn, name, roleArn, definition: source, status: 'ACTIVE', type: 'STANDARD' };
    },
    ListStateMachines: () => ({
      stateMachines: [...world.machines.values()].map(({ arn, name }) => ({
        stateMachineArn: arn,
        name,
        type: 'STANDARD',
      })),
    }),
  };
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
