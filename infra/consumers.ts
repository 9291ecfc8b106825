import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Edge } from './edge-settings.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';

/** The function that handles the messages of each queue. */
export const CONSUMERS = { ProcessCallback: 'callback', DeliverWebhook: 'webhook' } as const;

const BATCH_SIZE = 10;

/**
 * How much of the account's Lambda concurrency a queue may use, in percent. The rest is for requests, steps and
 * schedules. A delivery waits for a partner's endpoint, so deliveries get a larger share than callbacks.
 */
const SHARES = { callback: 5, webhook: 10 } as const;
/** AWS accepts only a concurrency of a queue between these two limits. */
const LEAST_AT_ONCE = 2;
const MOST_AT_ONCE = 1000;

/**
 * How many batches of a queue are handled at once. It is never more than the concurrency that is reserved for
 * the function.
 */
function atOnce(id: keyof typeof CONSUMERS, { accountConcurrency, reservedConcurrency }: Edge): number {
  const share = Math.floor((accountConcurrency * SHARES[CONSUMERS[id]]) / 100);
  const reserved = id === 'ProcessCallback' ? reservedConcurrency?.[id] : undefined;
  return Math.max(LEAST_AT_ONCE, Math.min(share, reserved ?? MOST_AT_ONCE));
}

/**
 * Connects each queue to its function. The function reports which messages of a batch have failed. SQS then
 * delivers only the failed messages again.
 */
export function addConsumers(functions: Functions, queues: Queues, edge: Edge): void {
  for (const id of Object.keys(CONSUMERS) as (keyof typeof CONSUMERS)[]) {
    const source = new SqsEventSource(queues[CONSUMERS[id]], {
      batchSize: BATCH_SIZE,
      reportBatchItemFailures: true,
      maxConcurrency: atOnce(id, edge),
    });
    functions.find(id).live.addEventSource(source);
  }
}
