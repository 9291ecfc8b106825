import type * as z from 'zod';
import {
  type Early,
  initiateTransaction,
  needs as ports,
  handler as product,
  read,
} from '../../../functions/api/initiate-transaction.ts';
import { perAsset } from '../../../functions/domain/assets.ts';
import type { Needs } from '../../../functions/domain/ports.ts';
import { type Caller, endpoint } from '../../../functions/entry/endpoint.ts';
import { routeOf } from '../../../functions/routes.ts';
import type { TriggerName } from '../../providers/triggers.ts';
import { screeningOf, takeEvent } from '../outages.ts';

export const needs = [...ports, 'simulators'] as const;

type Ports = Needs<typeof ports>;
type Request = z.output<typeof product.request>;

/**
 * Runs the product's endpoint. For an event that the partner caused, the product gets changed inputs: a float without
 * room, a market without offers, or an expired quote. Or the screening of wallets does not answer. The product itself
 * then refuses the purchase.
 */
async function initiateScenario(request: Request, caller: Caller<Early>, ports: Ports) {
  const early = await (caller.early ?? read(request, caller, ports));
  const { float, found } = early;
  const [isLow, isPaused, isOver, isDown, isFull] = await Promise.all([
    isTakenFor(early, 'LOW_LIQUIDITY'),
    isTakenFor(early, 'PRICE_PAUSE'),
    found !== undefined && isTakenFor(early, 'QUOTE_EXPIRES'),
    isTakenFor(early, 'SCREENING_OUTAGE'),
    isTakenFor(early, 'LIMIT_REACHED'),
  ]);
  const known = {
    ...early,
    float: float && isLow ? { ...float, room: 0n } : float,
    found: found && isOver ? { ...found, expiresAt: ports.clock.now() } : found,
  };
  const prices = isPaused ? { findBooks: async () => perAsset(() => ({})) } : ports.prices;
  const walletRisk = screeningOf(ports.walletRisk, isDown);
  const asked = { ...caller, early: Promise.resolve(known) };
  return initiateTransaction(request, asked, {
    ...ports,
    prices,
    walletRisk,
    usages: isFull ? fullOf(ports.usages) : ports.usages,
  });
}

/** A day in which no cap has room. */
const fullOf = (usages: Ports['usages']): Ports['usages'] => ({
  ...usages,
  findUsage: async (owner, day) => ({
    ...(await usages.findUsage(owner, day)),
    day: Number.MAX_SAFE_INTEGER,
  }),
});

const isTakenFor = async ({ client }: Early, event: TriggerName) =>
  client !== undefined && takeEvent(event, client.id);

export const handler = endpoint(routeOf('InitiateTransaction'), product, initiateScenario);
