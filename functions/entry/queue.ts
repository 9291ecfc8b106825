import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { live } from '../adapters/live.ts';
import { Unavailable } from '../domain/errors.ts';
import { parsedJson } from '../domain/json.ts';
import type { Log, Need, Needs } from '../domain/ports.ts';

/**
 * The seconds after which a message comes again, after its first and its second failure. The silence of a provider is
 * often short, and clients wait. After later failures the queue's visibility time-out counts (`infra/queues.ts`).
 */
const SOON_SECONDS = [10, 30];

/** `tries` counts this try of the message, too. */
type Tried = { messageId: string; tries: number };

/**
 * Logs a failed message. The queue delivers it again after any error. `Unavailable` is logged as information only,
 * because a later try often succeeds. Another error raises a condition at the message's first try, so that a single
 * bad message raises it once. After six tries the message goes to the dead-letter queue, which raises an alarm.
 */
export function reportFailure(error: unknown, { messageId, tries }: Tried, log: Log): void {
  if (error instanceof Unavailable) log.info('message comes again', { messageId, why: error.message });
  else if (tries === 1) log.raise('MessageFailed', error, { messageId });
  else log.warn('message failed', error, { messageId });
}

type Consumer<List, Schema> = { needs: List; message: Schema; measuresLag?: boolean };

/**
 * Wraps the consumer of a queue. Messages are independent: SQS delivers only the failed messages of a batch
 * again. A message that does not fit the schema fails too, and ends in the dead-letter queue. With
 * `measuresLag`, the metric `CallbackLag` gets the time from the sending of each message to the end of its
 * handling.
 */
export function queueConsumer<const List extends readonly Need[], Schema extends z.core.$ZodType>(
  { needs, message, measuresLag = false }: Consumer<List, Schema>,
  operation: (message: z.output<Schema>, ports: Needs<List>) => Promise<void>,
) {
  return async (event: SQSEvent, context: Context) => {
    const ports = await live(needs);
    const { log, clock } = await live(['log', 'clock']);
    const handle = async (record: SQSRecord) => {
      try {
        await operation(requireMessage(message, record.body), ports);
        if (measuresLag)
          log.measure('CallbackLag', clock.now() - Number(record.attributes.SentTimestamp), {});
      } catch (error) {
        const tries = Number(record.attributes.ApproximateReceiveCount);
        reportFailure(error, { messageId: record.messageId, tries }, log);
        await retrySoon(record, tries, log);
        throw error;
      }
    };
    const processor = new BatchProcessor(EventType.SQS);
    return processPartialResponse(event, handle, processor, { context, throwOnFullBatchFailure: false });
  };
}

/** If SQS does not take the shorter time, the message comes after the queue's visibility time-out. */
async function retrySoon(record: SQSRecord, tries: number, log: Log): Promise<void> {
  const { messageId, receiptHandle, eventSourceARN } = record;
  const seconds = SOON_SECONDS[tries - 1];
  if (seconds === undefined) return;
  try {
    const { retries } = await live(['retries']);
    await retries.retryIn({ queueArn: eventSourceARN, handle: receiptHandle }, seconds);
  } catch (error) {
    log.warn('message comes again late', error, { messageId });
  }
}

/** The error names the places of wrong values, but not the values, because they may be personal data. */
function requireMessage<Schema extends z.core.$ZodType>(schema: Schema, body: string): z.output<Schema> {
  const { success, data, error } = z.safeParse(schema, parsedJson(body));
  if (success) return data;
  const issues = error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`);
  throw new Error(`the message has another form: ${issues.join(', ')}`);
}
