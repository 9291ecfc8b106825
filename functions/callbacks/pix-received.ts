import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { batchesOf } from '../domain/batches.ts';
import type { Needs } from '../domain/ports.ts';
import { bodyText, requireSmall } from '../entry/body.ts';
import { callback, requireProvider } from '../entry/callback.ts';

export const needs = ['pixCallback', 'callbacks', 'callbackQueue', 'clock', 'log'] as const;

/** Some providers report hundreds of payments at once. If these were refused, all would wait for the reconciliation. */
const MOST_PIX_BYTES = 256_000;

/**
 * Receives the payment provider's report of a Pix. The report is only a hint. The caller is verified, the ids are
 * stored and queued, and later the charge is read at the provider. A Pix without a txid is not queued, because
 * reconciliation finds it.
 */
export async function pixReceived(event: APIGatewayProxyEvent, ports: Needs<typeof needs>) {
  const { token = '' } = event.pathParameters ?? {};
  requireProvider(await ports.pixCallback.isCallbackToken(token));
  const body = bodyText(event);
  requireSmall(body, MOST_PIX_BYTES);
  const id = `PIX#${createHash('sha256').update(body).digest('hex')}`;
  // Only the ids are stored. The message may contain text that the payer wrote, and nothing else of it is needed.
  const hints = await ports.pixCallback.readCallback(body);
  const txids = [...new Set(hints.flatMap((hint) => hint.txid ?? []))];
  // If the write or one of the messages fails, the provider gets an error and reports the Pix again.
  await Promise.all([
    ports.callbacks.store({ id, hints, at: ports.clock.now() }),
    ...batchesOf(txids, MOST_IN_A_MESSAGE).map((some) => ports.callbackQueue.send({ txids: some })),
  ]);
  return {};
}

/**
 * The most ids in one message, because a callback may name hundreds of payments. The consumer must be able to handle a
 * whole message within its time-out, even if the provider takes its longest for each payment.
 */
const MOST_IN_A_MESSAGE = 5;

export const handler = callback({ needs }, pixReceived);
