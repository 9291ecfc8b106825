import type { DynamoDb } from './dynamodb.ts';
import { type Fields, fields, list, REGION, sleep, text } from './wire.ts';

type StreamReader = {
  streamArn: string;
  startingPosition: string;
  batchSize: number;
  /** The most retries of a failed batch. -1 means no limit, which is the default of a pipe. */
  mostRetries: number;
  /** True if a failed batch is split into halves again and again, until the record that fails is alone. */
  bisects: boolean;
  read(operation: string, input: Fields): Promise<Fields>;
  onWrite: DynamoDb['onWrite'];
  deliver(records: Fields[]): Promise<void>;
  giveUp(info: Fields): Promise<void>;
  signal: AbortSignal;
  report(line: string): void;
};

/**
 * A write through the local cloud wakes the reader at once. Any other write to the emulator is found after at
 * most this time, in milliseconds.
 */
const IDLE_POLL_MS = 1000;
const LONGEST_BACK_OFF_MS = 5000;

/**
 * Reads a DynamoDB stream, one shard after another and in order. Delivers a batch again until it succeeds or
 * has no retries left.
 */
export async function followStream(reader: StreamReader): Promise<void> {
  const { signal, report, streamArn } = reader;
  const bell = openBell(signal);
  reader.onWrite(bell.ring);
  const shards = new Map<string, string>();
  while (!signal.aborted) {
    const rung = bell.next(IDLE_POLL_MS);
    try {
      await findShards(reader, shards);
      let found = 0;
      for (const shard of shards.keys()) found += await readShard(reader, shards, shard);
      if (found > 0) continue;
    } catch (error) {
      if (signal.aborted) return;
      report(`${streamArn}: ${(error as Error).message}`);
      await sleep(IDLE_POLL_MS, signal);
    }
    await rung;
  }
}

async function findShards({ read, streamArn, startingPosition }: StreamReader, shards: Map<string, string>) {
  if (shards.size > 0) return;
  const { StreamDescription } = await read('DescribeStream', { StreamArn: streamArn });
  for (const shard of list(fields(StreamDescription).Shards).map(fields)) {
    const ShardId = text(shard.ShardId);
    const input = { StreamArn: streamArn, ShardId, ShardIteratorType: startingPosition };
    const { ShardIterator } = await read('GetShardIterator', input);
    shards.set(ShardId, text(ShardIterator));
  }
}

async function readShard(reader: StreamReader, shards: Map<string, string>, shard: string): Promise<number> {
  const output = await reader.read('GetRecords', {
    ShardIterator: shards.get(shard),
    Limit: reader.batchSize,
  });
  const records = list(output.Records).map(
    (record): Fields => ({
      ...fields(record),
      eventSourceARN: reader.streamArn,
      eventSource: 'aws:dynamodb',
      awsRegion: REGION,
    }),
  );
  if (records.length > 0) await deliverOrGiveUp(reader, shard, records);
  if (reader.signal.aborted) return 0;
  if (output.NextShardIterator) shards.set(shard, text(output.NextShardIterator));
  else shards.delete(shard);
  return records.length;
}

async function deliverOrGiveUp(reader: StreamReader, shard: string, records: Fields[]): Promise<void> {
  const { signal, mostRetries, report, streamArn } = reader;
  for (let retry = 0; !signal.aborted; retry++) {
    try {
      return await reader.deliver(records);
    } catch (error) {
      report(`${streamArn}: ${(error as Error).message}`);
      if (reader.bisects && records.length > 1) return deliverHalves(reader, shard, records);
      if (mostRetries >= 0 && retry >= mostRetries)
        return reader.giveUp(batchInfo(streamArn, shard, records));
      await sleep(Math.min(LONGEST_BACK_OFF_MS, 200 * 2 ** retry), signal);
    }
  }
}

async function deliverHalves(reader: StreamReader, shard: string, records: Fields[]): Promise<void> {
  const middle = Math.ceil(records.length / 2);
  await deliverOrGiveUp(reader, shard, records.slice(0, middle));
  await deliverOrGiveUp(reader, shard, records.slice(middle));
}

/**
 * The message for a dead-letter queue. As on AWS, it holds the position of the failed records in the stream,
 * but not the records.
 */
function batchInfo(streamArn: string, shardId: string, records: Fields[]): Fields {
  const sequence = (record: Fields | undefined) => fields(record?.dynamodb).SequenceNumber;
  return {
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      streamArn,
      shardId,
      startSequenceNumber: sequence(records[0]),
      endSequenceNumber: sequence(records.at(-1)),
      batchSize: records.length,
    },
  };
}

/**
 * A bell that ends the reader's wait after a write. The reader calls `next` before it reads the stream. A
 * write during the reading therefore ends the wait that follows it.
 */
function openBell(signal: AbortSignal) {
  let wake: (() => void) | undefined;
  return {
    ring: () => wake?.(),
    next(longestMs: number): Promise<void> {
      const rung = new AbortController();
      wake = () => rung.abort();
      return sleep(longestMs, AbortSignal.any([rung.signal, signal]));
    },
  };
}
