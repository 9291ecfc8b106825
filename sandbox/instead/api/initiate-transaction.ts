import type * as z from 'zod';
import {
  type Early,
  initiateTransaction,
  needs as ports,
  handler as product,
  read,
} from '../../../functions/api/initiate-transaction.ts';
import { perAsset } from '../../../functions/domain/assets.ts';
import { begun } from '../../../functions/domain/begun.ts';
import type { Needs } from '../../../functions/domain/ports.ts';
import { type Caller, endpoint } from '../../../functions/entry/endpoint.ts';
import { routeOf } from '../../../functions/routes.ts';
import type { TriggerName } from '../../providers/triggers.ts';
import { screeningOf, takeEvent } from '../outages.ts';

export const needs = [...ports, 'simulators'] as const;

type Ports = Needs<typeof ports>;
type Request = z.output<typeof product.request>;

/**
 * Runs the product's endpoint. If the partner requested an event, the product gets changed inputs, and then
 * itself refuses the purchase. Such inputs are a treasury without free tokens, no offers at the exchanges, or
 * an expired quote. Others are a used-up limit, or a screening that does not answer.
 */
async function initiateScenario(request: Request, caller: Caller<Early>, ports: Ports) {
  const early = caller.early ?? read(request, caller, ports);
  const begunAt = ports.clock.now();
  const events = begun(early.then(takeEvents));
  const { prices, walletRisk, usages } = ports;
  // The product begins before the events are known, as in production. It waits for `events` only where an
  // event changes something.
  return initiateTransaction(
    request,
    { ...caller, early: begun(changedBy(events, early, begunAt)) },
    {
      ...ports,
      prices: {
        findBooks: async () => ((await events).isPaused ? perAsset(() => ({})) : prices.findBooks()),
      },
      walletRisk: screeningOf(walletRisk, begun(events.then(({ isDown }) => isDown))),
      usages: fullIf(events, usages),
    },
  );
}

async function takeEvents(early: Early) {
  const [isLow, isPaused, isOver, isDown, isFull] = await Promise.all([
    isTakenFor(early, 'LOW_LIQUIDITY'),
    isTakenFor(early, 'PRICE_PAUSE'),
    early.found !== undefined && isTakenFor(early, 'QUOTE_EXPIRES'),
    isTakenFor(early, 'SCREENING_OUTAGE'),
    isTakenFor(early, 'LIMIT_REACHED'),
  ]);
  return { isLow, isPaused, isOver, isDown, isFull };
}
type Events = ReturnType<typeof takeEvents>;

async function changedBy(events: Events, early: Promise<Early>, begunAt: number): Promise<Early> {
  const [{ isLow, isOver }, { float, found, ...rest }] = await Promise.all([events, early]);
  return {
    ...rest,
    float: float && isLow ? { ...float, room: 0n } : float,
    found: found && isOver ? { ...found, expiresAt: begunAt } : found,
  };
}

/** A day in which no cap has room. */
const fullIf = (events: Events, usages: Ports['usages']): Ports['usages'] => ({
  ...usages,
  async findUsage(owner, day) {
    const usage = await usages.findUsage(owner, day);
    return (await events).isFull ? { ...usage, day: Number.MAX_SAFE_INTEGER } : usage;
  },
});

const isTakenFor = async ({ client }: Early, event: TriggerName) =>
  client !== undefined && takeEvent(event, client.id);

export const handler = endpoint(routeOf('InitiateTransaction'), product, initiateScenario);
