import type { Principal } from './access.ts';
import { passesFilters } from './event-pattern.ts';
import { type EventWork, sendTo } from './event-work.ts';
import { followStream } from './streams.ts';
import { type Fields, fields, text } from './wire.ts';

/** Delivers the records of a DynamoDB stream, for a mapping or a pipe. */
export function follow(
  work: EventWork,
  streamArn: string,
  principal: Principal,
  properties: Fields,
  deliver: (records: Fields[]) => Promise<void>,
): Promise<void> {
  const { gate, dynamodb, signal, report } = work;
  const deadLetters =
    text(fields(properties.DeadLetterConfig).Arn) ||
    text(fields(fields(properties.DestinationConfig).OnFailure).Destination);
  return followStream({
    streamArn,
    startingPosition: text(properties.StartingPosition) || 'LATEST',
    batchSize: Number(properties.BatchSize ?? 100),
    mostRetries: Number(properties.MaximumRetryAttempts ?? -1),
    bisects: isBisected(properties),
    read: (operation, input) => gate.perform(principal, 'streams', operation, input),
    onWrite: dynamodb.onWrite,
    deliver: async (records) => {
      const wanted = records.filter((record) => passesFilters(properties, record));
      if (wanted.length > 0) await deliver(wanted);
    },
    giveUp: async (info) => {
      if (deadLetters) await sendTo(work, principal, deadLetters, JSON.stringify(info));
    },
    signal,
    report,
  });
}

/**
 * True if a failed batch is split into halves, which are tried separately. The setting has one name for pipes
 * and another for mappings.
 */
const isBisected = ({ OnPartialBatchItemFailure, BisectBatchOnFunctionError }: Fields): boolean =>
  OnPartialBatchItemFailure === 'AUTOMATIC_BISECT' || BisectBatchOnFunctionError === true;
