import type * as z from 'zod';
import {
  type Early,
  initiateTransaction,
  needs as ports,
  handler as product,
  read,
  replay,
} from '../../../functions/api/initiate-transaction.ts';
import type { Needs } from '../../../functions/domain/ports.ts';
import { type Caller, endpoint } from '../../../functions/entry/endpoint.ts';
import { routeOf } from '../../../functions/routes.ts';
import { askSimulators } from '../../simulators.ts';

export const needs = [...ports, 'simulators'] as const;

type Ports = Needs<typeof ports>;
type Request = z.output<typeof product.request>;

/**
 * Runs the product's endpoint. If the partner has asked for low liquidity, the product reads a float without room, and
 * refuses by itself.
 */
async function initiateScenario(request: Request, caller: Caller<Early>, ports: Ports) {
  const early = await (caller.early ?? read(request, caller, ports));
  const known = (await isLowFor(early))
    ? { ...early, float: early.float && { ...early.float, room: 0n } }
    : early;
  return initiateTransaction(request, { ...caller, early: Promise.resolve(known) }, ports);
}

async function isLowFor({ client }: Early): Promise<boolean> {
  if (!client) return false;
  const { body } = await askSimulators('/triggers/LOW_LIQUIDITY/take', { subject: client.id });
  return (body as { isTaken: boolean }).isTaken;
}

export const handler = endpoint(
  routeOf('InitiateTransaction'),
  {
    request: product.request,
    answer: product.answer,
    errors: product.errors,
    needs: ports,
    read,
    replay,
  },
  initiateScenario,
);
