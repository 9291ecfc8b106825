import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Needs } from '../domain/ports.ts';
import { bodyText, requireSmall } from '../entry/body.ts';
import { callback, requireProvider } from '../entry/callback.ts';

export const needs = ['identity', 'callbacks', 'callbackQueue', 'clock'] as const;

/**
 * Receives the identity provider's report that a liveness check or a client's documents were reviewed. The report is
 * only a hint. Its signature is verified, its ids are stored and queued, and later the result is read at the provider.
 */
async function livenessReviewed(event: APIGatewayProxyEvent, ports: Needs<typeof needs>) {
  const body = bodyText(event);
  requireProvider(await ports.identity.isSigned(body, lowerCased(event.headers)));
  requireSmall(body);
  const hint = ports.identity.readCallback(body);
  if (!hint) return {};
  const id = `IDENTITY#${createHash('sha256').update(body).digest('hex')}`;
  await ports.callbacks.store({ id, hints: [hint], at: ports.clock.now() });
  const { livenessId, clientId } = hint;
  if (livenessId) await ports.callbackQueue.send({ livenessIds: [livenessId] });
  else if (clientId) await ports.callbackQueue.send({ clientIds: [clientId] });
  return {};
}

function lowerCased(headers: APIGatewayProxyEvent['headers']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

export const handler = callback({ needs }, livenessReviewed);
