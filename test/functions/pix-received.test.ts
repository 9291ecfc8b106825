import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { lambda } from '../../functions/adapters/live/environment.ts';
import { pixCallback } from '../../functions/adapters/pix/callback.ts';
import { pixReceived } from '../../functions/callbacks/pix-received.ts';
import { CONSUMER_TIMEOUT } from '../../infra/queues.ts';
import { newEndToEndId, newId, openPorts } from '../support/ports.ts';

test('a callback of five hundred payments is taken, with all fields that API Pix defines', async () => {
  const plain = openPorts();
  const pix = Array.from({ length: 500 }, () => ({
    endToEndId: newEndToEndId(),
    txid: newId(),
    valor: '50000.00',
    chave: '40a0932d-1918-4eee-845d-35a2da1690dc',
    horario: '2026-09-09T20:15:00.358Z',
    infoPagador: 'x'.repeat(140),
    componentesValor: { original: { valor: '50000.00' } },
  }));
  const body = JSON.stringify({ pix });
  expect(body.length).toBeGreaterThan(64 * 1024);
  const read = pixCallback(async () => ({ callbackToken: 'token', key: pix[0]!.chave }));
  const event = { body, pathParameters: { token: 'token' } } as unknown as APIGatewayProxyEvent;

  await pixReceived(event, { ...plain, pixCallback: read });

  const sent = plain.callbackQueue.sent as { txids: string[] }[];
  expect(sent.flatMap(({ txids }) => txids)).toEqual(pix.map(({ txid }) => txid));
});

test('a callback of very many payments is queued in messages that one visit can read', async () => {
  const plain = openPorts();
  const hints = Array.from({ length: 45 }, () => ({ txid: newId(), endToEndId: newEndToEndId() }));
  const pixCallback = { isCallbackToken: async () => true, readCallback: async () => hints };

  await pixReceived({ body: '{}' } as APIGatewayProxyEvent, { ...plain, pixCallback });

  const sent = plain.callbackQueue.sent as { txids: string[] }[];
  const sizes = sent.map(({ txids }) => txids.length);
  expect(sizes).toEqual(Array(9).fill(5));
  // The consumer reads the payments of a message one after the other. Half of its time is left for the provider's
  // token and for payments without a purchase.
  const longestMs = Math.max(...sizes) * lambda.callLimit.timeoutMs;
  expect(longestMs).toBeLessThan(CONSUMER_TIMEOUT.toMilliseconds() * 0.5);
  expect(sent.flatMap(({ txids }) => txids)).toEqual(hints.map(({ txid }) => txid));
});
