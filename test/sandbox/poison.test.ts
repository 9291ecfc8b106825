import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { eventRow } from '../../functions/adapters/dynamodb/records.ts';
import type { BootOptions } from '../../sandbox/cloud/boot.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import { POISON_EVENTS, POISON_OF_QUEUES, type Poison } from '../support/poison.ts';
import { newId } from '../support/ports.ts';
import { pspAt } from '../support/psp.ts';
import { newWallet, transfersTo } from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, randomCpf, totpCode } from '../support/sandbox.ts';

type Properties = Record<string, unknown>;
type Hook = NonNullable<NonNullable<BootOptions['faults']>['before']>;

/**
 * Six tries of a message thus take a minute and a half, because the first two failures have their own times. A healthy
 * message takes less than one try.
 */
const VISIBILITY_SECONDS = 10;
const BATCH = 10;
const REFUSED_EVENT = 'poison.refused-by-the-queue';

let sandbox: Sandbox;
let sqs: SQSClient;
let tables: DynamoDBDocumentClient;

/** The queue refuses this record of the stream each time, as it would refuse a body that it cannot hold. */
const before: Hook = async ({ service, operation, input }) =>
  service === 'sqs' && operation === 'SendMessage' && String(input.MessageBody).includes(REFUSED_EVENT)
    ? { error: { name: 'InvalidMessageContents', message: 'injected by the test', status: 400 } }
    : undefined;

beforeAll(async () => {
  // A purchase has five minutes for its challenge.
  sandbox = await startSandbox({ minuteSeconds: 20, faults: { before } });
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const options = { endpoint: sandbox.cloud.endpoint, region: sandbox.cloud.region, credentials };
  sqs = new SQSClient(options);
  tables = DynamoDBDocumentClient.from(new DynamoDBClient(options));
  for (const { queueUrl } of mappings()) await hasten(queueUrl);
});
afterAll(() => sandbox?.stop());

const ofType = (type: string) =>
  Object.entries(sandbox.cloud.resources)
    .filter(([, resource]) => resource.type === type)
    .map(([id, { ref, properties }]) => ({ id, ref, properties: properties as Properties }));

const nameOf = (arnOrUrl: unknown) => String(arnOrUrl).split(/[:/]/).at(-1)!;
const queues = () => ofType('AWS::SQS::Queue');
const queueOf = (arn: unknown) => queues().find(({ ref }) => nameOf(ref) === nameOf(arn))!;
const deadLettersOf = ({ properties }: { properties: Properties }) => {
  const { deadLetterTargetArn } = properties.RedrivePolicy as { deadLetterTargetArn: string };
  return queueOf(deadLetterTargetArn);
};

/** The functions that read a queue. */
const mappings = () =>
  ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => {
    const { ref, ...rest } = queueOf(properties.EventSourceArn);
    const reader = String(properties.FunctionName);
    const consumer = Object.keys(POISON_OF_QUEUES).find((name) => reader.includes(name));
    return { reader, consumer, queueUrl: ref, deadLetters: deadLettersOf(rest) };
  });

async function hasten(QueueUrl: string): Promise<void> {
  const Attributes = { VisibilityTimeout: String(VISIBILITY_SECONDS) };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
}

async function waitingIn(QueueUrl: string): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] });
  const { Attributes = {} } = await sqs.send(command);
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}

/** Takes all bodies out of a queue of dead letters. */
async function taken(QueueUrl: string, bodies: string[]): Promise<string[]> {
  const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 });
  const { Messages = [] } = await sqs.send(command);
  for (const { Body, ReceiptHandle } of Messages) {
    bodies.push(Body!);
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
  return bodies;
}

/** The alarm of a queue that rings at so many dead letters. */
function expectAlarm(queueUrl: string, letters: number): void {
  const alarm = ofType('AWS::CloudWatch::Alarm').find(({ properties }) =>
    JSON.stringify(properties).includes(`"${nameOf(queueUrl)}"`),
  );
  expect(alarm?.properties).toMatchObject({ ComparisonOperator: 'GreaterThanOrEqualToThreshold' });
  expect(Number(alarm!.properties.Threshold)).toBeLessThanOrEqual(letters);
}

/** Sends the poison in batches, each with the healthy message in it. */
async function poisoned(QueueUrl: string, poison: readonly Poison[], healthy: string): Promise<void> {
  const step = BATCH - 1;
  for (let from = 0; from < poison.length; from += step) {
    const some: Pick<Poison, 'body' | 'attributes'>[] = poison.slice(from, from + step);
    const Entries = some.toSpliced(from % step, 0, { body: healthy }).map(({ body, attributes }, at) => ({
      Id: String(at),
      MessageBody: body,
      MessageAttributes: attributes,
    }));
    await sendAll(QueueUrl, Entries);
  }
}

/** A batch may have 256 kB, and each huge message goes alone. */
async function sendAll(QueueUrl: string, Entries: { Id: string; MessageBody: string }[]): Promise<void> {
  const isHuge = ({ MessageBody }: { MessageBody: string }) => MessageBody.length > 100_000;
  const parts = [...Entries.filter(isHuge).map((each) => [each]), Entries.filter((each) => !isHuge(each))];
  for (const part of parts) {
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: part }));
    expect(Failed).toEqual([]);
  }
}

async function expectDeadLetters(consumer: string): Promise<void> {
  const { queueUrl, deadLetters } = mappings().find((each) => each.consumer === consumer)!;
  const expected = POISON_OF_QUEUES[consumer]!.filter(({ ends }) => ends === 'DEAD_LETTER');
  const letters: string[] = [];
  await eventually(
    () => taken(deadLetters.ref, letters),
    ({ length }) => length >= expected.length,
  );
  expectAlarm(deadLetters.ref, letters.length);
  await eventually(
    () => waitingIn(queueUrl),
    (count) => count === 0,
  );
  await taken(deadLetters.ref, letters);
  expect(letters.toSorted()).toEqual(expected.map(({ body }) => body).toSorted());
}

function client() {
  const { apiKey, url: baseUrl } = sandbox;
  return createOnrampClient({ apiKey, baseUrl, timeoutMs: 120_000, maxRetries: 10 });
}

/** A purchase whose client has paid, and whose callback was lost. */
async function paid() {
  const walletAddress = newWallet();
  const { token: kycToken } = await client().submitKyc({ cpf: randomCpf(), biometricHash: BIOMETRIC_HASH });
  const order = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
  const { transactionId, authChallenge } = await client().initiateTransaction(order);
  const { otpauthUri } = (authChallenge as { enrollment: { otpauthUri: string } }).enrollment;
  await client().confirmMfa({ transactionId, totpCode: totpCode(otpauthUri) });
  const simulatorsUrl = sandbox.cloud.apis['onramp-simulators']!;
  const psp = pspAt({ simulatorsUrl, controlKey: controlKeyOf(sandbox.cloud) });
  expect(await psp.pay(transactionId, { callback: false })).toBe(200);
  return { transactionId, walletAddress, charge: () => psp.charge(transactionId) };
}

const receivedOf = async (eventIds: readonly string[]) => {
  const { webhooks } = await client().sandbox.webhooks();
  return webhooks.map(({ id }) => id).filter((id) => eventIds.includes(id));
};

describe('each queue and stream of the templates', () => {
  test('has its poison here', () => {
    const read = mappings().map(({ reader, consumer }) => consumer ?? reader);
    expect(read.toSorted()).toEqual(Object.keys(POISON_OF_QUEUES).toSorted());
    const streams = ofType('AWS::DynamoDB::Table').filter(
      ({ properties }) => properties.StreamSpecification !== undefined,
    );
    expect(streams.map(({ id }) => id)).toEqual([expect.stringMatching(/^TablesEvents/)]);
    expect(ofType('AWS::Pipes::Pipe').map(({ id }) => id)).toEqual([expect.stringMatching(/^OutboxPipe/)]);
  });

  test('that nobody reads holds dead letters, and has an alarm', () => {
    const read = mappings().map(({ queueUrl }) => queueUrl);
    const unread = queues().filter(({ ref }) => !read.includes(ref));
    expect(unread.length).toBeGreaterThanOrEqual(4);
    for (const { ref } of unread) expectAlarm(ref, 1);
  });
});

describe('poison', () => {
  test('in the queue of callbacks ends as dead letters, and a neighbour’s payment is sent once', async () => {
    const { queueUrl } = mappings().find(({ consumer }) => consumer === 'ProcessCallback')!;
    const { transactionId, walletAddress, charge } = await paid();

    await poisoned(queueUrl, POISON_OF_QUEUES.ProcessCallback!, JSON.stringify({ txids: [transactionId] }));

    await client().waitForStatus(transactionId, ['COMPLETED'], { timeoutMs: 240_000 });
    await expectDeadLetters('ProcessCallback');
    expect(await transfersTo(sandbox.rpcUrl, walletAddress)).toHaveLength(1);
    expect((await charge())!.pix!.flatMap(({ devolucoes = [] }) => devolucoes)).toEqual([]);
  });

  test('in the queue of webhooks ends as dead letters, and a neighbour is delivered once', async () => {
    const { queueUrl } = mappings().find(({ consumer }) => consumer === 'DeliverWebhook')!;
    const [event] = healthyEvents(1);
    await tables.send(new PutCommand({ TableName: eventsTable(), Item: event }));
    const delivered = () => receivedOf([event!.id]);
    await eventually(delivered, ({ length }) => length > 0);

    await poisoned(queueUrl, POISON_OF_QUEUES.DeliverWebhook!, JSON.stringify({ eventId: event!.id }));

    await expectDeadLetters('DeliverWebhook');
    expect(await delivered()).toEqual([event!.id]);
  });

  test('in the stream of events ends as dead letters of the pipe and of its target', async () => {
    const { deadLetters } = mappings().find(({ consumer }) => consumer === 'DeliverWebhook')!;
    const [pipe] = ofType('AWS::Pipes::Pipe');
    const outbox = queueOf(deadLetterArnOf(pipe!.properties));
    const events = healthyEvents(4);

    await writeTogether([...events.slice(0, 2), ...POISON_EVENTS.slice(0, 3)]);
    await writeTogether([{ id: REFUSED_EVENT }, ...events.slice(2), ...POISON_EVENTS.slice(3)]);

    const ids = events.map(({ id }) => id);
    const received = await eventually(
      () => receivedOf(ids),
      (all) => new Set(all).size === ids.length,
    );
    expect(new Set(received)).toEqual(new Set(ids));
    const letters: string[] = [];
    await eventually(
      () => taken(outbox.ref, letters),
      ({ length }) => length > 0,
    );
    expectAlarm(outbox.ref, letters.length);
    expect(letters.map((letter) => JSON.parse(letter).DDBStreamBatchInfo.batchSize)).toEqual([1]);
    const dead: string[] = [];
    await eventually(
      () => taken(deadLetters.ref, dead),
      ({ length }) => length >= POISON_EVENTS.length,
    );
    expect(new Set(dead.map((letter) => JSON.parse(letter).eventId))).toEqual(
      new Set(POISON_EVENTS.map(({ id }) => id)),
    );
  });
});

const eventsTable = () => ofType('AWS::DynamoDB::Table').find(({ id }) => id.startsWith('TablesEvents'))!.ref;

function deadLetterArnOf({ SourceParameters }: Properties): string {
  const { DynamoDBStreamParameters } = SourceParameters as {
    DynamoDBStreamParameters: { DeadLetterConfig: { Arn: string } };
  };
  return DynamoDBStreamParameters.DeadLetterConfig.Arn;
}

/** Events of the demo partner, as the service writes them. */
function healthyEvents(count: number) {
  return Array.from({ length: count }, () => {
    const transactionId = newId();
    const data = { transactionId, status: 'EXPIRED', sequence: 1 };
    const type = 'transaction.expired' as const;
    const id = `${transactionId}.1`;
    const row = eventRow({ id, partnerId: 'demo', type, sequence: 1, at: Date.now(), data });
    return JSON.parse(JSON.stringify(row)) as typeof row;
  });
}

async function writeTogether(rows: readonly Record<string, unknown>[]): Promise<void> {
  const RequestItems = { [eventsTable()]: rows.map((Item) => ({ PutRequest: { Item } })) };
  await tables.send(new BatchWriteCommand({ RequestItems }));
}
