import { Unavailable } from '../../domain/errors.ts';
import { endpointPausedEvent } from '../../domain/partners/account-events.ts';
import { type FailingPeriod, failingAfter, isPauseDue } from '../../domain/partners/failing.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import { requireEndpoint, withPaused } from '../../domain/partners/webhook-endpoint.ts';
import type { EndpointAddress, EndpointPause } from '../../domain/partners/webhook-ports.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';

export const FAILING_NEEDS = ['failingEndpoints', 'partners:read', 'clock'] as const;
type Ports = Needs<typeof FAILING_NEEDS>;

/** The most tries to write the partner's row while other requests change it. */
const ROUNDS = 5;

/** Records a success, which ends the endpoint's period of failures. */
export async function noteSuccess(of: EndpointAddress, { failingEndpoints }: Ports): Promise<void> {
  if (await failingEndpoints.findPeriod(of)) await failingEndpoints.endPeriod(of);
}

/** Records a failure. If the endpoint has failed for days, it is paused. */
export async function noteFailure(of: EndpointAddress, ports: Ports): Promise<void> {
  const { failingEndpoints, clock } = ports;
  const was = await failingEndpoints.findPeriod(of);
  const next = failingAfter(was, instantOf(clock));
  if (isPauseDue(next, instantOf(clock))) await pauseEndpoint(of, next, ports);
  else if (next !== was) await failingEndpoints.savePeriod(of, { was, next });
}

/**
 * Pauses an endpoint. If several deliveries try this at once, one succeeds. The others find the endpoint stopped, or
 * its period of failures ended.
 */
async function pauseEndpoint(of: EndpointAddress, period: FailingPeriod, ports: Ports): Promise<void> {
  const { failingEndpoints, partners, clock } = ports;
  for (let round = 0; round < ROUNDS; round++) {
    const partner = await partners.findPartner(of.partnerId);
    if (!partner || !isInUse(partner, of)) return;
    if (await failingEndpoints.pause(partner, pauseOf(partner, { of, period, now: clock.now() }))) return;
    if ((await failingEndpoints.findPeriod(of))?.since !== period.since) return;
  }
  throw new Unavailable('the partner’s row');
}

/**
 * Whether deliveries still use this endpoint with this URL. False if the endpoint was stopped or removed,
 * or has got another URL.
 */
const isInUse = ({ webhookEndpoints }: Partner, { endpointId, url }: EndpointAddress) =>
  webhookEndpoints.some((each) => each.id === endpointId && each.url === url && !each.stopped);

type DueEndpoint = { of: EndpointAddress; period: FailingPeriod; now: number };

function pauseOf(
  { id: partnerId, webhookEndpoints: all }: Partner,
  { of, period, now }: DueEndpoint,
): EndpointPause {
  const failingSince = period.since;
  const webhookEndpoints = withPaused(all, of.endpointId, { now, failingSince });
  const paused = requireEndpoint(webhookEndpoints, of.endpointId);
  return {
    of,
    period,
    webhookEndpoints,
    event: endpointPausedEvent(paused, { partnerId, failingSince, now }),
  };
}
