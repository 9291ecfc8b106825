import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { pixReceived } from '../../functions/callbacks/pix-received.ts';
import { newEndToEndId, newId, openPorts } from '../support/ports.ts';

test('a callback of very many payments is queued in messages that one visit can read', async () => {
  const plain = openPorts();
  const hints = Array.from({ length: 45 }, () => ({ txid: newId(), endToEndId: newEndToEndId() }));
  const pixCallback = { isCallbackToken: async () => true, readCallback: async () => hints };

  await pixReceived({ body: '{}' } as APIGatewayProxyEvent, { ...plain, pixCallback });

  const sent = plain.callbackQueue.sent as { txids: string[] }[];
  expect(sent.map(({ txids }) => txids.length)).toEqual([20, 20, 5]);
  expect(sent.flatMap(({ txids }) => txids)).toEqual(hints.map(({ txid }) => txid));
});
