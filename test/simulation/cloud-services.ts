import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  type SFNClient,
  TaskDoesNotExist,
} from '@aws-sdk/client-sfn';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Call } from './effects.ts';
import type { Fault } from './faults.ts';
import type { Kernel } from './kernel.ts';
import type { Ended } from './tasks.ts';

type Command = { constructor: { name: string }; input: Record<string, unknown> };

/** An AWS service that is down, too busy, or whose answer is lost. */
export function awsFailure(fault: Fault): Error {
  const $metadata = { attempts: 3, totalRetryDelay: 300 };
  if (fault === 'FAIL')
    return Object.assign(new Error('internal'), { name: 'InternalServerError', $fault: 'server', $metadata });
  if (fault === 'THROTTLE')
    return Object.assign(new Error('slow down'), {
      name: 'ThrottlingException',
      $fault: 'client',
      $metadata,
    });
  return Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET', $metadata });
}

/** A client of an AWS service whose every command is one effect, done by `perform`. */
export function awsClient<Client>(
  kernel: Kernel,
  service: Call['service'],
  { about, perform }: { about: (input: Command['input']) => string; perform: (command: Command) => unknown },
): () => Promise<Client> {
  const send = (command: Command) => {
    const name = command.constructor.name.replace(/Command$/, '');
    const isRead = /^(Describe|Get|Decrypt|Sign|Generate)/.test(name);
    const call = { service, name, about: about(command.input), isRead, failure: awsFailure };
    return kernel.effect(call, () => perform(command));
  };
  return async () => ({ send }) as Client;
}

const VISIBILITY_MS = 360_000;
const MOST_RECEIVES = 5;
type Consumer = (message: unknown) => Promise<Ended<void>>;

/** Queues that deliver at least once, in no order, and give up after five times. */
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

type Execution = { status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED' };
type Waiting = { resolve: (output: unknown) => void };
const $metadata = {};

/** Step Functions' side of executions and task tokens; `begin` runs one to its end. */
export function openMachine(kernel: Kernel, begin: (name: string, input: object) => Promise<string>) {
  const executions = new Map<string, Execution>();
  const tokens = new Map<string, Waiting>();

  function start(name: string, input: string): object {
    // The service takes a repetition while it runs; both are the same to us.
    if (executions.has(name)) throw new ExecutionAlreadyExists({ message: name, $metadata });
    const execution: Execution = { status: 'RUNNING' };
    executions.set(name, execution);
    kernel.act(`execution ${name}`, `x${name}`, async () => {
      execution.status = (await begin(name, JSON.parse(input) as object)) as Execution['status'];
      kernel.note(`execution ${name} ${execution.status}`);
    });
    return {};
  }

  function perform(command: Command): unknown {
    const { input } = command;
    const { name } = command.constructor;
    if (name === 'StartExecutionCommand') return start(input.name as string, input.input as string);
    if (name === 'DescribeExecutionCommand') {
      const found = executions.get(String(input.executionArn).split(':').at(-1)!);
      if (!found) throw new ExecutionDoesNotExist({ message: 'no such execution', $metadata });
      return { status: found.status };
    }
    const waiting = tokens.get(input.taskToken as string);
    if (!waiting) throw new TaskDoesNotExist({ message: 'no such task', $metadata });
    tokens.delete(input.taskToken as string);
    waiting.resolve(JSON.parse(input.output as string));
    return {};
  }

  const client = awsClient<SFNClient>(kernel, 'sfn', {
    about: ({ name, executionArn, taskToken, output }) =>
      String(name ?? (executionArn as string)?.split(':').at(-1) ?? `${taskToken} ${output}`),
    perform,
  });
  return {
    client,
    executions,
    /** Settles with what the token is given back with, or fails as timed out. */
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
