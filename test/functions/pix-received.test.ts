import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { lambda } from '../../functions/adapters/live/environment.ts';
import { pixReceived } from '../../functions/callbacks/pix-received.ts';
import { CONSUMER_TIMEOUT } from '../../infra/queues.ts';
import { newEndToEndId, newId, openPorts } from '../support/ports.ts';

test('a callback of very many payments is queued in messages that one visit can read', async () => {
  const plain = openPorts();
  const hints = Array.from({ length: 45 }, () => ({ txid: newId(), endToEndId: newEndToEndId() }));
  const pixCallback = { isCallbackToken: async () => true, readCallback: async () => hints };

  await pixReceived({ body: '{}' } as APIGatewayProxyEvent, { ...plain, pixCallback });

  const sent = plain.callbackQueue.sent as { txids: string[] }[];
  const sizes = sent.map(({ txids }) => txids.length);
  expect(sizes).toEqual([10, 10, 10, 10, 5]);
  // The consumer reads the payments of a message one after the other.
  const longestMs = Math.max(...sizes) * lambda.callLimit.timeoutMs;
  expect(longestMs).toBeLessThan(CONSUMER_TIMEOUT.toMilliseconds() * 0.75);
  expect(sent.flatMap(({ txids }) => txids)).toEqual(hints.map(({ txid }) => txid));
});
