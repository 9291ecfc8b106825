import { Agent, request } from 'node:http';
import type { Need } from './access.ts';
import { startDynoxide } from './dynoxide.ts';
import type { Template } from './template.ts';
import { ACCOUNT, awsError, type Fields, fields, list, PARTITION, REGION, text } from './wire.ts';

type WireAnswer = { status: number; body: Buffer };

export type DynamoDb = {
  /**
   * Passes the bytes of a request to the emulator unchanged, so that numbers and binary values are not
   * encoded again.
   */
  forward(target: string, body: Buffer): Promise<WireAnswer>;
  call(target: string, input: Fields): Promise<Fields>;
  /** Maps the ARN of a stream, as functions and policies know it, to the ARN that the emulator uses. */
  streamArns: Map<string, string>;
  /**
   * Calls the listener after each write. `streams.ts` then reads the streams at once and need not poll all
   * the time.
   */
  onWrite(listener: () => void): void;
  stop(): Promise<void>;
};

const TABLES = 'DynamoDB_20120810';
const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems', 'DescribeTable']);

export async function startDynamoDb(template: Template): Promise<DynamoDb> {
  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const child = given ? undefined : await startDynoxide();
  const endpoint = new URL(given ?? child?.url ?? '');
  const agent = new Agent({ keepAlive: true });
  const listeners: (() => void)[] = [];

  async function forward(target: string, body: Buffer): Promise<WireAnswer> {
    const answer = await post(endpoint, agent, target, body);
    const [service, operation = ''] = target.split('.');
    if (service === TABLES && !READS.has(operation)) for (const listener of listeners) listener();
    return answer;
  }

  async function call(target: string, input: Fields): Promise<Fields> {
    const { status, body } = await forward(target, Buffer.from(JSON.stringify(input)));
    const output = fields(JSON.parse(body.toString() || '{}'));
    if (status < 300) return output;
    throw awsError(
      text(output.__type).split('#').at(-1) ?? 'InternalServerError',
      text(output.message),
      status,
    );
  }

  const dynamodb: DynamoDb = {
    forward,
    call,
    streamArns: new Map(),
    onWrite: (listener) => listeners.push(listener),
    async stop() {
      if (given) await dropTables(template, call);
      agent.destroy();
      await child?.stop();
    },
  };
  try {
    await Promise.all(
      template
        .ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')
        .map(({ logicalId }) => createTable(template, logicalId, dynamodb, given !== undefined)),
    );
  } catch (error) {
    await dynamodb.stop();
    throw error;
  }
  return dynamodb;
}

function post(endpoint: URL, agent: Agent, target: string, body: Buffer): Promise<WireAnswer> {
  // Each call uses one and the same access key, because some emulators keep a separate database for each key.
  const scope = `Credential=operator/20260101/${REGION}/dynamodb/aws4_request`;
  return new Promise((resolve, reject) => {
    const outgoing = request(endpoint, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': body.length,
        'x-amz-target': target,
        'x-amz-date': '20260101T000000Z',
        authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0`,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', async (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 500, body: Buffer.concat(chunks) }));
    });
    outgoing.end(body);
  });
}

async function createTable(
  template: Template,
  logicalId: string,
  { call, streamArns }: Pick<DynamoDb, 'call' | 'streamArns'>,
  mayExist: boolean,
): Promise<void> {
  const properties = template.properties(logicalId);
  const TableName = template.ref(logicalId);
  const stream = fields(properties.StreamSpecification);
  if (mayExist) await call(`${TABLES}.DeleteTable`, { TableName }).catch(() => undefined);
  const created = await call(`${TABLES}.CreateTable`, {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: properties.AttributeDefinitions,
    KeySchema: properties.KeySchema,
    ...indexes('GlobalSecondaryIndexes', properties),
    ...indexes('LocalSecondaryIndexes', properties),
    ...(stream.StreamViewType
      ? { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.StreamViewType } }
      : {}),
  });
  const { LatestStreamArn } = fields(created.TableDescription);
  if (LatestStreamArn) {
    // The emulator writes a name of its own in a stream's ARN, in place of the region. The template's
    // policies name the region, and so functions get an ARN with the region.
    const label = text(LatestStreamArn).split('/stream/')[1];
    const own = `${template.attribute(logicalId, 'Arn')}/stream/${label}`;
    streamArns.set(own, text(LatestStreamArn));
    template.learn(logicalId, { StreamArn: own });
  }
  const ttl = fields(properties.TimeToLiveSpecification);
  if (ttl.AttributeName && ttl.Enabled !== false) {
    const TimeToLiveSpecification = { AttributeName: ttl.AttributeName, Enabled: true };
    await call(`${TABLES}.UpdateTimeToLive`, { TableName, TimeToLiveSpecification });
  }
}

function indexes(kind: 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes', properties: Fields): Fields {
  const declared = list(properties[kind])
    .map(fields)
    .map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }));
  return declared.length > 0 ? { [kind]: declared } : {};
}

async function dropTables(template: Template, call: DynamoDb['call']): Promise<void> {
  for (const { logicalId } of template.ofType('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')) {
    await call(`${TABLES}.DeleteTable`, { TableName: template.ref(logicalId) }).catch(() => undefined);
  }
}

/**
 * The permissions that a request needs, one for each action on a table or an index. A batch or a transaction
 * needs those of all its parts.
 */
export function dynamodbNeeds(operation: string, input: Fields): Need[] {
  const on = (action: string, { TableName, IndexName, ...request }: Fields): Need => ({
    action: `dynamodb:${action}`,
    resource: tableArn(text(TableName)) + (IndexName ? `/index/${text(IndexName)}` : ''),
    context: { 'dynamodb:Attributes': attributesOf(request), ...leadingKeysOf(request) },
  });
  switch (operation) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(fields(input.RequestItems)).map((TableName) => on(operation, { TableName }));
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return list(input.TransactItems).flatMap((item) =>
        Object.entries(fields(item)).map(([kind, operand]) => on(`${kind}Item`, fields(operand))),
      );
    case 'ListTables':
      return [{ action: 'dynamodb:ListTables', resource: '*' }];
    default:
      return [on(operation, input)];
  }
}

const EXPRESSIONS = ['UpdateExpression', 'ConditionExpression', 'ProjectionExpression', 'FilterExpression'];
/**
 * Matches an attribute name at the start of a document path in an expression. It does not match a value
 * (after `:`), a nested name (after `.`), or a function (before `(`).
 */
const NAME = /(?<![\w.:#])#?[A-Za-z_]\w*(?!\w*\s*\()/g;
const KEYWORDS = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/**
 * The value of the condition key `dynamodb:Attributes`: every attribute that the request names. A request
 * names attributes in its expressions, its key, its item, and the older `AttributeUpdates` and `Expected`.
 */
function attributesOf(input: Fields): string[] {
  const names = fields(input.ExpressionAttributeNames);
  const named = EXPRESSIONS.flatMap((each) => [...String(input[each] ?? '').matchAll(NAME)])
    .map(([name]) => name)
    .filter((name) => !KEYWORDS.has(name.toUpperCase()))
    .map((name) => (name.startsWith('#') ? text(names[name]) : name));
  const before = Object.keys({ ...fields(input.AttributeUpdates), ...fields(input.Expected) });
  return [...Object.keys({ ...fields(input.Key), ...fields(input.Item) }), ...named, ...before];
}

/** The condition key `dynamodb:LeadingKeys` of a request for one row: the value of the row's partition key `id`. */
function leadingKeysOf({ Key, Item }: Fields): Need['context'] {
  const { S } = fields(fields(Key ?? Item).id);
  return S === undefined ? {} : { 'dynamodb:LeadingKeys': [text(S)] };
}

function tableArn(nameOrArn: string): string {
  if (nameOrArn.startsWith('arn:')) return nameOrArn;
  return `arn:${PARTITION}:dynamodb:${REGION}:${ACCOUNT}:table/${nameOrArn}`;
}
