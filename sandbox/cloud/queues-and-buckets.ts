import { buildApp } from 'fauxqs';
import type { Need } from './access.ts';
import { queueArn } from './arns.ts';
import { withConditions } from './conditional-writes.ts';
import { locksOf, versionsOf, withObjectLock } from './object-lock.ts';
import type { Storage } from './storage.ts';
import type { Template } from './template.ts';
import { ACCOUNT, awsError, type Fields, fields, list, REGION, text } from './wire.ts';

const QUEUE_ATTRIBUTES = [
  'VisibilityTimeout',
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'FifoQueue',
  'ContentBasedDeduplication',
  'RedrivePolicy',
  'RedriveAllowPolicy',
] as const;

export async function startStorage(template: Template, endpoint: string): Promise<Storage> {
  const app = buildApp({ logger: false, defaultRegion: REGION });
  await app.ready();
  const queueUrl = (name: string) => `${endpoint}/${ACCOUNT}/${name}`;

  const forward: Storage['forward'] = async ({ method, url, headers, body }) => {
    // The emulator would read a host with dots as a bucket's name. With the host `localhost` it reads the
    // bucket from the path.
    const plain = { ...headers, host: 'localhost' };
    const verb = method as 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
    const answer = await app.inject({ method: verb, url, headers: plain, payload: body });
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string | string[]>,
      body: answer.rawPayload,
    };
  };

  async function sqs(operation: string, input: Fields): Promise<Fields> {
    refuseLongDelays(input);
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `AmazonSQS.${operation}`,
    };
    const body = Buffer.from(JSON.stringify(input));
    const answer = await forward({ method: 'POST', url: '/', headers, body });
    const output = fields(JSON.parse(answer.body.toString() || '{}'));
    if (answer.status >= 300) {
      const name = text(output.__type).split('#').at(-1) ?? 'InternalError';
      throw awsError(name, text(output.message), answer.status, {
        'x-amzn-query-error': answer.headers['x-amzn-query-error'],
      });
    }
    return output.QueueUrl
      ? { ...output, QueueUrl: queueUrl(text(output.QueueUrl).split('/').at(-1) ?? '') }
      : output;
  }

  // A queue's redrive policy names its dead-letter queue, which SQS requires to exist. All queues are
  // therefore created before the policies are set.
  const queues = template.ofType('AWS::SQS::Queue');
  for (const { logicalId } of queues) {
    const name = template.ref(logicalId);
    template.learn(logicalId, { Ref: queueUrl(name), QueueName: name, QueueUrl: queueUrl(name) });
    const { FifoQueue } = template.properties(logicalId);
    await sqs('CreateQueue', { QueueName: name, Attributes: FifoQueue ? { FifoQueue: 'true' } : {} });
  }
  for (const { logicalId } of queues) {
    const Attributes = attributesOf(template.properties(logicalId));
    if (Object.keys(Attributes).length === 0) continue;
    await sqs('SetQueueAttributes', { QueueUrl: template.ref(logicalId), Attributes });
  }
  const locks = locksOf(template);
  const buckets = template.ofType('AWS::S3::Bucket').map(({ logicalId }) => template.ref(logicalId));
  for (const bucket of [...buckets, ...[...locks.keys()].map(versionsOf)])
    await forward({ method: 'PUT', url: `/${bucket}`, headers: {}, body: Buffer.alloc(0) });
  const locked = withObjectLock(forward, locks);
  return { sqs, forward: withConditions(locked), queueUrl, stop: () => app.close() };
}

/** Throws for a delay of more than 15 minutes, as SQS does. The emulator accepts any delay. */
function refuseLongDelays(input: Fields): void {
  const delays = [input, ...list(input.Entries).map(fields)].map(({ DelaySeconds }) =>
    Number(DelaySeconds ?? 0),
  );
  const wrong = delays.find((delay) => !(delay >= 0 && delay <= 900));
  if (wrong === undefined) return;
  const reason = 'DelaySeconds must be >= 0 and <= 900.';
  const message = `Value ${wrong} for parameter DelaySeconds is invalid. Reason: ${reason}`;
  throw awsError('InvalidParameterValue', message, 400, {
    'x-amzn-query-error': 'InvalidParameterValue;Sender',
  });
}

function attributesOf(properties: Fields): Record<string, string> {
  const set = QUEUE_ATTRIBUTES.filter((name) => properties[name] !== undefined && name !== 'FifoQueue');
  return Object.fromEntries(
    set.map((name) => {
      const value = properties[name];
      return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    }),
  );
}

export function sqsNeeds(operation: string, input: Fields): Need[] {
  const action = `sqs:${operation.replace(/Batch$/, '')}`;
  return [{ action, resource: input.QueueUrl ? queueArn(input.QueueUrl) : queueArn(input.QueueName) }];
}
