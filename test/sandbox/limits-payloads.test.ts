import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cloud } from '../../sandbox/cloud/boot.ts';
import {
  bootLimits,
  clientsOf,
  type Fields,
  KB,
  limitsAssembly,
  refusalOf,
} from '../support/limits-cloud.ts';

let cloud: Cloud;
beforeAll(async () => {
  cloud = await bootLimits();
});
afterAll(() => cloud?.stop());

describe('SQS', () => {
  const send = (MessageBody: string) =>
    clientsOf(cloud).sqs.send(new SendMessageCommand({ QueueUrl: cloud.physical('Work'), MessageBody }));

  test('refuses a message above 1 MB', async () => {
    expect(await refusalOf(send('x'.repeat(KB * KB)))).toBeUndefined();
    expect(await refusalOf(send('x'.repeat(KB * KB + 1)))).toMatchObject({
      name: expect.stringMatching(/InvalidParameterValue$/),
      status: 400,
      message: expect.stringMatching(/must be shorter than 1048576 bytes/),
    });
  });

  test.each([
    ['above 1 MB', 4, 300 * KB, 'BatchRequestTooLong'],
    ['of eleven messages', 11, 1, 'TooManyEntriesInBatchRequest'],
  ])('refuses a batch %s', async (_, count, bytes, name) => {
    const Entries = Array.from({ length: count }, (__, Id) => ({
      Id: `${Id}`,
      MessageBody: 'x'.repeat(bytes),
    }));
    const command = new SendMessageBatchCommand({ QueueUrl: cloud.physical('Work'), Entries });

    expect(await refusalOf(clientsOf(cloud).sqs.send(command))).toMatchObject({ name, status: 400 });
  });
});

describe('Lambda', () => {
  test.each([
    ['a call above 6 MB', 'RequestResponse', 6 * KB * KB, /6291456 bytes/],
    ['an event above 1 MB', 'Event', KB * KB, /Event invocation type \(limit 1048576 bytes\)/],
  ])('refuses %s', async (_, type, bytes, message) => {
    const answer = await fetch(
      `${cloud.endpoint}/2015-03-31/functions/${cloud.physical('Caller')}/invocations`,
      {
        method: 'POST',
        headers: {
          authorization: 'AWS4-HMAC-SHA256 Credential=operator/20260101/us-east-1/lambda/aws4_request',
          'x-amz-invocation-type': type,
        },
        body: JSON.stringify('x'.repeat(bytes)),
      },
    );

    expect(answer.status).toBe(413);
    expect(answer.headers.get('x-amzn-errortype')).toBe('RequestTooLargeException');
    expect(((await answer.json()) as { message: string }).message).toMatch(message);
  });

  test('refuses a function with more than 4 kB of variables', async () => {
    const assembly = limitsAssembly(({ Resources }) => {
      const { Properties } = Resources.Caller as { Properties: Fields };
      Properties.Environment = { Variables: { LIST: 'x'.repeat(4 * KB) } };
    });

    await expect(bootLimits(assembly)).rejects.toThrow(/Caller has \d+ bytes of variables/);
  });
});
