import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { live } from '../adapters/live.ts';
import { Unavailable } from '../domain/errors.ts';
import type { Log, Need, Needs } from '../domain/ports.ts';

/**
 * Logs a failed message. A provider that does not answer is no error, because it is asked again when the message
 * returns. After five tries a dead letter raises the alarm.
 */
export function reportFailure(error: unknown, messageId: string, log: Log): void {
  if (error instanceof Unavailable) log.info('message comes again', { messageId, why: error.message });
  else log.warn('message failed', error, { messageId });
}

/**
 * Wraps a queue's consumer. Messages are independent, and only those that failed return. `measuresLag`: the metric
 * `CallbackLag` gets the time from the sending of each message to the end of its handling.
 */
export function queueConsumer<const List extends readonly Need[], Message>(
  { needs, measuresLag = false }: { needs: List; measuresLag?: boolean },
  operation: (message: Message, ports: Needs<List>) => Promise<void>,
) {
  return async (event: SQSEvent, context: Context) => {
    const ports = await live(needs);
    const { log, clock } = await live(['log', 'clock']);
    const handle = async (record: SQSRecord) => {
      try {
        await operation(JSON.parse(record.body) as Message, ports);
        if (measuresLag)
          log.measure('CallbackLag', clock.now() - Number(record.attributes.SentTimestamp), {});
      } catch (error) {
        reportFailure(error, record.messageId, log);
        throw error;
      }
    };
    const processor = new BatchProcessor(EventType.SQS);
    return processPartialResponse(event, handle, processor, { context, throwOnFullBatchFailure: false });
  };
}
