/** Spec, "Events", and docs/decisions.md, "Events beyond the specification". */
export const EVENT_TYPES = [
  'transaction.mfa_cleared',
  'transaction.pix_ready',
  'transaction.processing',
  'transaction.completed',
  'transaction.failed',
  'transaction.expired',
  'transaction.canceled',
  'transaction.refunded',
  'transaction.pix_returned',
  'kyc.approved',
  'kyc.rejected',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** One announcement, immutable. `id` is the webhook's id and never changes, so a receiver can drop repetitions. */
export type DomainEvent = {
  id: string;
  partnerId: string;
  type: EventType;
  /**
   * Counts the events of one transaction, or of one KYC record. Receivers order events by it, because delivery is
   * unordered.
   */
  sequence: number;
  at: number;
  data: Record<string, unknown>;
  /**
   * The partner's endpoints when the event was first taken up for delivery. An endpoint that is added after that does
   * not get this event.
   */
  endpointIds?: string[];
};

/** The body of Standard Webhooks: docs/decisions.md, "Form of a webhook". */
export function webhookBody(event: DomainEvent): string {
  return JSON.stringify({ type: event.type, timestamp: new Date(event.at).toISOString(), data: event.data });
}
