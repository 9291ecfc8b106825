import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Needs } from '../domain/ports.ts';
import { requireSmall, textOf } from '../entry/body.ts';
import { callback, requireProvider } from '../entry/callback.ts';

export const needs = ['pixCallback', 'callbacks', 'callbackQueue', 'clock', 'log'] as const;

/**
 * The payment provider reports a received Pix. The report is only a hint: the caller is verified, the ids are stored
 * and queued, and the charge is read at the provider later. A Pix without a txid is not queued, because reconciliation
 * finds it.
 */
export async function pixReceived(event: APIGatewayProxyEvent, ports: Needs<typeof needs>) {
  const { token = '' } = event.pathParameters ?? {};
  requireProvider(await ports.pixCallback.isCallbackToken(token));
  const body = textOf(event);
  requireSmall(body);
  const id = `PIX#${createHash('sha256').update(body).digest('hex')}`;
  // Only the ids are stored. The message may hold text of the payer, and nothing else in it is used.
  const hints = await ports.pixCallback.readCallback(body);
  const txids = [...new Set(hints.flatMap((hint) => hint.txid ?? []))];
  // If one of the two fails, the provider reports the Pix again.
  await Promise.all([
    ports.callbacks.store({ id, hints, at: ports.clock.now() }),
    ...shares(txids).map((some) => ports.callbackQueue.send({ txids: some })),
  ]);
  return {};
}

/** A callback may name hundreds of payments. The consumer must read all of a message within its time limit. */
const MOST_IN_A_MESSAGE = 20;

function shares(txids: string[]): string[][] {
  const count = Math.ceil(txids.length / MOST_IN_A_MESSAGE);
  return Array.from({ length: count }, (_, share) =>
    txids.slice(share * MOST_IN_A_MESSAGE, (share + 1) * MOST_IN_A_MESSAGE),
  );
}

export const handler = callback({ needs }, pixReceived);
