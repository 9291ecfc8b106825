import * as z from 'zod';
import { Instant } from '../../functions/entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../../functions/entry/endpoint.ts';
import { sandboxRouteOf } from '../routes.ts';
import { askSimulators } from '../simulators.ts';

const Answer = () =>
  z.object({
    webhooks: z.array(
      z.object({
        id: z.string(),
        receivedAt: Instant(),
        verified: z.boolean(),
        event: z.unknown(),
      }),
    ),
  });

export const needs = [...GET_NEEDS, 'simulators'] as const;

type Delivery = { id: string; receivedAt: string; verified: boolean; body: unknown };

/**
 * Lists the webhooks that the sandbox's receiver got for the partner. Each has the result of the check of its
 * signature.
 */
export async function listWebhooks(_: unknown, { partner }: Caller) {
  const { body } = await askSimulators(`/webhooks/${partner.id}`);
  const { deliveries } = body as { deliveries: Delivery[] };
  return {
    webhooks: deliveries.map(({ id, receivedAt, verified, body: event }) => ({
      id,
      receivedAt,
      verified,
      event,
    })),
  };
}

export const handler = endpoint(
  sandboxRouteOf('ListWebhooks'),
  { request: z.object({}), answer: Answer, errors: [], needs: GET_NEEDS },
  listWebhooks,
);
