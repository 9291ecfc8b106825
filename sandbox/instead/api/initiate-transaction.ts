import type * as z from 'zod';
import {
  initiateTransaction,
  type PurchaseBasis,
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
import { screeningOf, takeEvents } from '../outages.ts';

export const needs = [...ports, 'simulators'] as const;

type Ports = Needs<typeof ports>;
type Request = z.output<typeof product.request>;

/**
 * Runs the product's endpoint. If the partner requested an event, the product gets changed inputs, and then
 * itself refuses the purchase. Such inputs are a treasury without free tokens, no offers at the exchanges, or
 * an expired quote. Others are a used-up limit, or a screening that does not answer.
 */
async function initiateScenario(request: Request, caller: Caller<PurchaseBasis>, ports: Ports) {
  const early = caller.early ?? read(request, caller, ports);
  const begunAt = ports.clock.now();
  const events = begun(early.then(takeClientEvents));
  const { prices, walletRisk, usages } = ports;
  // The product begins before the events are known, as in production. It waits for `events` only where an
  // event changes something.
  return initiateTransaction(
    request,
    { ...caller, early: begun(changedBy(events, early, begunAt)) },
    {
      ...ports,
      prices: {
        findBooks: async () =>
          (await events).has('PRICE_PAUSE') ? perAsset(() => ({})) : prices.findBooks(),
      },
      walletRisk: screeningOf(walletRisk, begun(events.then((taken) => taken.has('SCREENING_OUTAGE')))),
      usages: fullIf(events, usages),
    },
  );
}

const WITHOUT_QUOTE = ['LOW_LIQUIDITY', 'PRICE_PAUSE', 'SCREENING_OUTAGE', 'LIMIT_REACHED'] as const;

async function takeClientEvents({ client, found }: PurchaseBasis) {
  const events = [...WITHOUT_QUOTE, ...(found ? (['QUOTE_EXPIRES'] as const) : [])];
  return client ? takeEvents(events, client.id) : new Set<TriggerName>();
}
type Events = ReturnType<typeof takeClientEvents>;

async function changedBy(
  events: Events,
  early: Promise<PurchaseBasis>,
  begunAt: number,
): Promise<PurchaseBasis> {
  const [taken, { float, found, ...rest }] = await Promise.all([events, early]);
  return {
    ...rest,
    float: float && taken.has('LOW_LIQUIDITY') ? { ...float, room: 0n } : float,
    found: found && taken.has('QUOTE_EXPIRES') ? { ...found, expiresAt: begunAt } : found,
  };
}

/** A day in which no cap has room. */
const fullIf = (events: Events, usages: Ports['usages']): Ports['usages'] => ({
  ...usages,
  async findUsage(owner, day) {
    const usage = await usages.findUsage(owner, day);
    return (await events).has('LIMIT_REACHED') ? { ...usage, day: Number.MAX_SAFE_INTEGER } : usage;
  },
});

export const handler = endpoint(routeOf('InitiateTransaction'), product, initiateScenario);
