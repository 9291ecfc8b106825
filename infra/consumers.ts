import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Functions } from './functions.ts';
import type { Queues } from './queues.ts';

/** The function that handles the messages of each queue. */
export const CONSUMERS = { ProcessCallback: 'callback', DeliverWebhook: 'webhook' } as const;

const BATCH_SIZE = 10;

/**
 * Connects each queue to its function. A function can report the failed messages of a batch, so that only those are
 * handled again.
 */
export function addConsumers(functions: Functions, queues: Queues): void {
  for (const [id, queue] of Object.entries(CONSUMERS)) {
    const source = new SqsEventSource(queues[queue], {
      batchSize: BATCH_SIZE,
      reportBatchItemFailures: true,
    });
    functions.find(id).addEventSource(source);
  }
}
