import type { Principal } from './access.ts';
import { passesFilters } from './event-pattern.ts';
import type { EventWork, Start } from './event-work.ts';
import type { FunctionConfig } from './function-config.ts';
import { type Fields, fields, list, parsed, REGION, sleep, text } from './wire.ts';

/**
 * The length of a long poll of a queue, in seconds. It is short, because the emulator does not end a long
 * poll when a hidden message becomes visible again.
 */
const LONG_POLL_SECONDS = 1;
/**
 * The default number of batches of a queue that are processed at once. Lambda also starts with five pollers
 * for a queue.
 */
const BATCHES_AT_ONCE = 5;

type QueueSource = { source: string; principal: Principal; functionArn: string; properties: Fields };

/** A mapping that calls a function for the messages of a queue. */
export function queueMapping(work: EventWork, config: FunctionConfig, queue: QueueSource): Start {
  requireRights(work, config, queue);
  requireVisibility(work, config, queue.source);
  return () => pollQueue(work, queue);
}

/** Throws if the function's role may not read the queue. Lambda refuses such a mapping. */
function requireRights({ iam }: EventWork, { logicalId }: FunctionConfig, queue: QueueSource): void {
  const { source, principal } = queue;
  for (const action of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']) {
    if (iam.isAllowed(principal, { action: `sqs:${action}`, resource: source })) continue;
    const why = `does not have permissions to call ${action} on SQS`;
    throw new Error(`${logicalId}: the provided execution role ${why} (${source})`);
  }
}

/**
 * Throws if the visibility time-out of the queue is shorter than the function's time-out. Lambda refuses such
 * a mapping.
 */
function requireVisibility({ template }: EventWork, config: FunctionConfig, source: string): void {
  const queue = template
    .ofType('AWS::SQS::Queue')
    .find(({ logicalId }) => template.attribute(logicalId, 'Arn') === source);
  const visible = Number(queue ? (template.properties(queue.logicalId).VisibilityTimeout ?? 30) : Infinity);
  if (visible >= config.timeoutSeconds) return;
  const limit = `Function timeout: ${config.timeoutSeconds} seconds`;
  throw new Error(`${config.logicalId}: queue visibility timeout: ${visible} seconds is less than ${limit}`);
}

async function pollQueue(work: EventWork, queue: QueueSource): Promise<void> {
  const { signal, queueUrl, report } = work;
  const QueueUrl = queueUrl(queue.source.split(':').at(-1) ?? '');
  const mostAtOnce = Number(fields(queue.properties.ScalingConfig).MaximumConcurrency ?? BATCHES_AT_ONCE);
  const busy = new Set<Promise<void>>();
  while (!signal.aborted) {
    if (busy.size >= mostAtOnce) {
      await Promise.race(busy);
      continue;
    }
    try {
      const messages = await gather(work, queue, QueueUrl);
      if (messages.length === 0) continue;
      const batch = processBatch(work, queue, QueueUrl, messages)
        .catch((error: Error) => report(`${queue.source}: ${error.message}`))
        .finally(() => busy.delete(batch));
      busy.add(batch);
    } catch (error) {
      if (signal.aborted) return;
      report(`${queue.source}: ${(error as Error).message}`);
      await sleep(1000, signal);
    }
  }
}

/**
 * Waits for a first message. Then collects more until the batch is full or its batching window
 * (`MaximumBatchingWindowInSeconds`) ends.
 */
async function gather(
  { gate, signal }: EventWork,
  { principal, properties }: QueueSource,
  QueueUrl: string,
): Promise<Fields[]> {
  const receive = async (most: number, waitSeconds: number) => {
    const output = await gate.perform(principal, 'sqs', 'ReceiveMessage', {
      QueueUrl,
      MaxNumberOfMessages: Math.min(most, 10),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    return list(output.Messages).map(fields);
  };
  const size = Number(properties.BatchSize ?? 10);
  const windowMs = Number(properties.MaximumBatchingWindowInSeconds ?? 0) * 1000;
  const messages = await receive(size, LONG_POLL_SECONDS);
  const until = Date.now() + windowMs;
  while (messages.length > 0 && messages.length < size && Date.now() < until && !signal.aborted) {
    const waitSeconds = Math.max(1, Math.floor((until - Date.now()) / 1000));
    messages.push(...(await receive(size - messages.length, waitSeconds)));
  }
  return messages;
}

async function processBatch(
  { gate, lambdas }: EventWork,
  { source, principal, functionArn, properties }: QueueSource,
  QueueUrl: string,
  messages: Fields[],
): Promise<void> {
  const records = messages.map((message) => sqsRecord(message, source));
  const wanted = records.filter((record) =>
    passesFilters(properties, { ...record, body: parsed(record.body) }),
  );
  const failed =
    wanted.length === 0
      ? new Set<string>()
      : failedItems(await lambdas.invoke(functionArn, { Records: wanted }), wanted, properties);
  const done = records.filter(({ messageId }) => !failed.has(text(messageId)));
  for (let from = 0; from < done.length; from += 10) {
    const Entries = done
      .slice(from, from + 10)
      .map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
    await gate.perform(principal, 'sqs', 'DeleteMessageBatch', { QueueUrl, Entries });
  }
}

/**
 * The ids of the messages that failed. They are not deleted from the queue. After their visibility time-out
 * SQS delivers them again, or moves them to the dead-letter queue if they failed too often.
 */
function failedItems(
  { functionError, payload }: { functionError?: string; payload: string },
  records: Fields[],
  properties: Fields,
): Set<string> {
  const everyone = new Set(records.map(({ messageId }) => text(messageId)));
  if (functionError) return everyone;
  if (!list(properties.FunctionResponseTypes).includes('ReportBatchItemFailures')) return new Set();
  const reported = fields(JSON.parse(payload)).batchItemFailures;
  const ids = list(reported).map((item) => text(fields(item).itemIdentifier));
  // An empty or unknown identifier means that the whole batch failed. This is Lambda's rule.
  return ids.every((id) => everyone.has(id)) ? new Set(ids) : everyone;
}

function sqsRecord(message: Fields, source: string): Fields {
  const attributes = Object.entries(fields(message.MessageAttributes)).map(([name, value]) => {
    const { StringValue, BinaryValue, DataType } = fields(value);
    return [name, { stringValue: StringValue, binaryValue: BinaryValue, dataType: DataType }];
  });
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: fields(message.Attributes),
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: source,
    awsRegion: REGION,
  };
}
