import * as z from 'zod';
import { type Caller, endpoint, POST_NEEDS } from '../../functions/entry/endpoint.ts';
import { sandboxRouteOf } from '../routes.ts';
import { askSimulators } from '../simulators.ts';

const Answer = () => z.object({ cleared: z.number().int() });

export const needs = [...POST_NEEDS, 'simulators'] as const;

/**
 * Removes the partner's requested events that have not happened yet. An event that has happened keeps its
 * effect.
 */
export async function resetSandbox(_: unknown, { partner }: Caller) {
  const { body } = await askSimulators('/triggers/clear', { partnerId: partner.id });
  return { cleared: (body as { cleared: number }).cleared };
}

export const handler = endpoint(
  sandboxRouteOf('ResetSandbox'),
  { request: z.object({}), answer: Answer, errors: [], needs: POST_NEEDS },
  resetSandbox,
);
