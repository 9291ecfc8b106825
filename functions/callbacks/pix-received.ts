import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { refuse } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';
import { callback } from '../edge/callback.ts';

export const needs = ['pix', 'callbacks', 'callbackQueue', 'clock', 'log'] as const;

const MAX_BODY_BYTES = 64 * 1024;

/**
 * The payment provider says that a Pix came in. It is a hint, never proof: the caller is verified, the message is
 * stored and queued, and the charge is read again at the provider later.
 */
export async function pixReceived(event: APIGatewayProxyEvent, ports: Needs<typeof needs>) {
  const { token = '' } = event.pathParameters ?? {};
  // An unknown token looks like an unknown address: nothing tells a stranger that this is one.
  if (!(await ports.pix.isCallbackToken(token))) refuse('NOT_FOUND');
  const body = event.body ?? '';
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) refuse('REQUEST_TOO_LARGE');
  const id = `PIX#${createHash('sha256').update(body).digest('hex')}`;
  await ports.callbacks.store({ id, body, at: ports.clock.now() });
  await ports.callbackQueue.send({ provider: 'pix', id, body });
  return {};
}

export const handler = callback({ needs }, pixReceived);
