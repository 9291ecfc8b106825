import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Edge } from './edge-settings.ts';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';

/** The function that handles the messages of each queue. */
export const CONSUMERS = { ProcessCallback: 'callback', DeliverWebhook: 'webhook' } as const;

const BATCH_SIZE = 10;

/**
 * The percentage of the account's concurrency that a queue may use. The rest is for requests, steps and schedules. A
 * webhook waits for the endpoint of a partner, so deliveries need more at once than callbacks.
 */
const SHARES = { callback: 5, webhook: 10 } as const;
/** The limits that AWS sets. */
const LEAST_AT_ONCE = 2;
const MOST_AT_ONCE = 1000;

/** How many batches of a queue are handled at once: never more than its function has reserved. */
function atOnce(id: keyof typeof CONSUMERS, { accountConcurrency, reservedConcurrency }: Edge): number {
  const share = Math.floor((accountConcurrency * SHARES[CONSUMERS[id]]) / 100);
  const reserved = id === 'ProcessCallback' ? reservedConcurrency?.[id] : undefined;
  return Math.max(LEAST_AT_ONCE, Math.min(share, reserved ?? MOST_AT_ONCE));
}

/**
 * Connects each queue to its function. A function can report the failed messages of a batch, so that only those are
 * handled again.
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
