import type * as z from 'zod';
import {
  confirmMfa,
  type MfaParties,
  needs as ports,
  handler as product,
} from '../../../functions/api/confirm-mfa.ts';
import type { Needs } from '../../../functions/domain/ports.ts';
import { refusePromise } from '../../../functions/domain/purchase/open-promise.ts';
import type { Charges } from '../../../functions/domain/treasury/charge-ports.ts';
import { type Caller, endpoint } from '../../../functions/entry/endpoint.ts';
import { routeOf } from '../../../functions/routes.ts';
import { lyingTo } from '../false-book.ts';
import { takeEvent } from '../outages.ts';

export const needs = [...ports, 'simulators'] as const;

type Ports = Needs<typeof ports>;
type Request = z.output<typeof product.request>;

/**
 * Runs the product's endpoint with changed ports. If the partner requested the event `VENUE_LIES`, one
 * exchange gives false prices. If the partner requested `PROMISES_EXHAUSTED`, the service refuses the charge
 * with this code.
 */
function confirmScenario(request: Request, caller: Caller<MfaParties>, ports: Ports) {
  const prices = lyingTo(request.id, ports.prices);
  const charges = exhaustedFor(request.id, ports.charges);
  return confirmMfa(request, caller, { ...ports, prices, charges });
}

const exhaustedFor = (transactionId: string, charges: Charges): Charges => ({
  async take(...charge) {
    if (await takeEvent('PROMISES_EXHAUSTED', transactionId)) refusePromise('client');
    return charges.take(...charge);
  },
});

export const handler = endpoint(routeOf('ConfirmMfa'), product, confirmScenario);
