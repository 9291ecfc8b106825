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
  // Only the ids are kept: the message may hold the payer's own words, and nothing else in it is relied upon.
  const hints = await ports.pix.readCallback(body);
  await ports.callbacks.store({ id, hints, at: ports.clock.now() });
  const txids = [...new Set(hints.flatMap((hint) => hint.txid ?? []))];
  if (txids.length > 0) await ports.callbackQueue.send({ txids });
  return {};
}

export const handler = callback({ needs }, pixReceived);
