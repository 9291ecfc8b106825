import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { live } from '../adapters/live.ts';
import type { Need, Needs } from '../domain/ports.ts';

/** Wraps a queue's consumer: each message stands alone, and only those that failed come again. */
export function queueConsumer<const List extends readonly Need[], Message>(
  { needs }: { needs: List },
  operation: (message: Message, ports: Needs<List>) => Promise<void>,
) {
  return async (event: SQSEvent, context: Context) => {
    const ports = await live(needs);
    const { log } = await live(['log']);
    const handle = async (record: SQSRecord) => {
      try {
        await operation(JSON.parse(record.body) as Message, ports);
      } catch (error) {
        log.error('message failed', error, { messageId: record.messageId });
        throw error;
      }
    };
    const processor = new BatchProcessor(EventType.SQS);
    return processPartialResponse(event, handle, processor, { context, throwOnFullBatchFailure: false });
  };
}
