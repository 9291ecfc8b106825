import type { Delivery } from './ports.ts';
import type { Instant } from './transaction.ts';

/**
 * Minutes between the attempts of one delivery, over three days; afterwards it is parked until somebody asks for
 * it again: docs/decisions.md, "Form of a webhook".
 */
export const BACKOFF_MINUTES = [0.1, 1, 5, 30, 120, 300, 600, 840, 1200, 1440] as const;

/** One event on its way to one endpoint: `<eventId>#<endpointId>`. */
export const deliveryId = (eventId: string, endpointId: string) => `${eventId}#${endpointId}`;

export function openDelivery(eventId: string, endpointId: string): Delivery {
  return { id: deliveryId(eventId, endpointId), eventId, endpointId, status: 'PENDING', attempts: 0 };
}

/** A delivery after an attempt that ended with an HTTP status, or with no answer at all. */
export function afterAttempt(delivery: Delivery, statusCode: number | undefined, at: Instant): Delivery {
  const attempts = delivery.attempts + 1;
  const tried = { ...delivery, attempts, lastStatusCode: statusCode, nextAttemptAt: undefined };
  if (statusCode !== undefined && statusCode >= 200 && statusCode < 300)
    return { ...tried, status: 'DELIVERED' };
  const minutes = BACKOFF_MINUTES[attempts - 1];
  if (minutes === undefined) return { ...tried, status: 'PARKED' };
  return { ...tried, nextAttemptAt: at.now + minutes * at.minuteMs };
}

/** Whether an attempt is due: a message may come twice, or before its time. */
export function isDue(delivery: Delivery, now: number): boolean {
  return (
    delivery.status === 'PENDING' && (delivery.nextAttemptAt === undefined || delivery.nextAttemptAt <= now)
  );
}
