/** Events about the partner's account. They follow from no purchase and no KYC record, so each begins at 1. */
import type { DomainEvent } from './events.ts';

/** An event that one endpoint gets, whatever its status and its filter. `request` makes the id. */
export function testEvent(
  { id, partnerId }: { id: string; partnerId: string },
  { request, now }: { request: string; now: number },
): DomainEvent {
  return {
    id: `${request}.1`,
    partnerId,
    type: 'webhook_endpoint.test',
    sequence: 1,
    at: now,
    data: { endpointId: id, sequence: 1 },
    endpointIds: [id],
  };
}
