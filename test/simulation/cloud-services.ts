import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  type SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Call, Fault } from './call.ts';
import { type AwsService, failed, silent, throttled } from './cloud/aws-errors.ts';
import type { Kernel } from './kernel.ts';
import type { Ended } from './tasks.ts';

type Command = { constructor: { name: string }; input: Record<string, unknown> };

/** The error that the SDK finally throws when a service is down, too busy, or does not answer. */
export function awsFailure(service: AwsService) {
  return (fault: Fault, pick: number): Error => {
    if (fault === 'FAIL') return failed(service, pick);
    return fault === 'THROTTLE' ? throttled(service, pick) : silent(pick);
  };
}

type Client = {
  about: (input: Command['input']) => string;
  perform: (command: Command) => unknown;
  /** The answer that the service would have given some time ago. */
  before?: (command: Command) => unknown;
};

/** A client of an AWS service. Each command is one effect, and `perform` does it. */
export function awsClient<Sdk>(
  kernel: Kernel,
  service: AwsService,
  { about, perform, before }: Client,
): () => Promise<Sdk> {
  const send = (command: Command) => {
    const name = command.constructor.name.replace(/Command$/, '');
    const isRead = /^(Describe|Get|Decrypt|Sign|Generate)/.test(name);
    const call: Call = {
      service,
      name,
      about: about(command.input),
      isRead,
      failure: awsFailure(service),
      ...(isRead && before && { stale: () => before(command) }),
    };
    return kernel.effect(call, () => perform(command));
  };
  return async () => ({ send }) as Sdk;
}

const VISIBILITY_MS = 360_000;
const MOST_RECEIVES = 5;
type Consumer = (message: unknown) => Promise<Ended<void>>;

/** Queues that deliver at least once and in no order. After five failed deliveries a message is a dead letter. */
export function openQueues(
  kernel: Kernel,
  {
    consumers,
    happens,
    laterBy,
  }: {
    consumers: Record<'webhook' | 'callback', Consumer>;
    happens: (share: number, ...words: string[]) => boolean;
    laterBy: (word: string) => number;
  },
) {
  const counts = { waiting: 0, deadLetters: 0, repeated: 0 };
  let sent = 0;

  async function deliver(name: 'webhook' | 'callback', message: unknown): Promise<void> {
    for (let received = 0; received < MOST_RECEIVES; received++) {
      const ended = await consumers[name](message);
      if (ended.end === 'DONE') return;
      await kernel.wait(VISIBILITY_MS);
    }
    counts.deadLetters++;
  }

  function put(name: 'webhook' | 'callback', body: string): void {
    const id = `${name}-${++sent}`;
    const isTwice = happens(0.03, id, 'twice');
    if (isTwice) counts.repeated++;
    for (const copy of isTwice ? [1, 2] : [1]) {
      counts.waiting++;
      kernel.act(`queue ${name}`, id, async () => {
        await kernel.wait(laterBy(`${id}.${copy}`));
        await deliver(name, JSON.parse(body));
        counts.waiting--;
      });
    }
  }

  const client = awsClient<SQSClient>(kernel, 'sqs', {
    about: ({ QueueUrl, MessageBody }) => `${QueueUrl} ${MessageBody}`,
    perform: ({ input }) => {
      put(input.QueueUrl as 'webhook' | 'callback', input.MessageBody as string);
      return {};
    },
  });
  return { client, put, counts };
}

type Execution = { status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED'; input: string; changedAt: number };
type Waiting = { resolve: (output: unknown) => void };
const $metadata = {};
/** "The results are best effort and may not reflect very recent updates" (API reference, DescribeExecution). */
const DESCRIBED_WITHIN_MS = 30_000;

/** Step Functions' part of executions and task tokens. `begin` runs one execution to its end. */
export function openMachine(kernel: Kernel, begin: (name: string, input: object) => Promise<string>) {
  const executions = new Map<string, Execution>();
  const tokens = new Map<string, Waiting>();
  const given = new Set<string>();

  function start(name: string, input: string): object {
    const known = executions.get(name);
    // A second start with the same input answers the same while the execution runs (API reference, StartExecution).
    if (known?.status === 'RUNNING' && known.input === input) return {};
    if (known) throw new ExecutionAlreadyExists({ message: name, $metadata });
    const execution: Execution = { status: 'RUNNING', input, changedAt: kernel.now() };
    executions.set(name, execution);
    kernel.act(`execution ${name}`, `x${name}`, async () => {
      execution.status = (await begin(name, JSON.parse(input) as object)) as Execution['status'];
      execution.changedAt = kernel.now();
      kernel.note(`execution ${name} ${execution.status}`);
    });
    return {};
  }

  const named = ({ input }: Command) => executions.get(String(input.executionArn).split(':').at(-1)!);

  function describe(command: Command): object {
    const found = named(command);
    if (!found) throw new ExecutionDoesNotExist({ message: 'no such execution', $metadata });
    return { status: found.status };
  }

  function describedBefore(command: Command): object | undefined {
    const found = named(command);
    if (!found || kernel.now() - found.changedAt > DESCRIBED_WITHIN_MS) return undefined;
    if (found.status !== 'RUNNING') return { status: 'RUNNING' };
    return new ExecutionDoesNotExist({ message: 'no such execution', $metadata });
  }

  function giveBack(token: string, output: string): object {
    if (given.has(token)) throw new TaskTimedOut({ message: 'the task was closed', $metadata });
    const waiting = tokens.get(token);
    if (!waiting) throw new TaskDoesNotExist({ message: 'no such task', $metadata });
    tokens.delete(token);
    given.add(token);
    waiting.resolve(JSON.parse(output));
    return {};
  }

  function perform(command: Command): unknown {
    const { input } = command;
    const { name } = command.constructor;
    if (name === 'StartExecutionCommand') return start(input.name as string, input.input as string);
    if (name === 'DescribeExecutionCommand') return describe(command);
    if (name !== 'SendTaskSuccessCommand') throw new Error(`${name} of Step Functions is not simulated`);
    return giveBack(input.taskToken as string, input.output as string);
  }

  const client = awsClient<SFNClient>(kernel, 'sfn', {
    about: ({ name, executionArn, taskToken, output }) =>
      String(name ?? (executionArn as string)?.split(':').at(-1) ?? `${taskToken} ${output}`),
    perform,
    before: describedBefore,
  });
  return {
    client,
    executions,
    /** Resolves with the output that was sent with the token, or rejects after the time-out. */
    awaitToken(token: string, timeoutMs: number, timedOut: () => Error): Promise<unknown> {
      return new Promise((resolve, reject) => {
        const timer = kernel.plan(timeoutMs, () => {
          tokens.delete(token);
          reject(timedOut());
        });
        tokens.set(token, {
          resolve: (output) => {
            timer.isCancelled = true;
            resolve(output);
          },
        });
      });
    },
    forget: (token: string) => void tokens.delete(token),
  };
}
