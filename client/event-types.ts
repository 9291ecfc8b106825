/** The resources and bodies of `/v1/laas/events`, where you read events again. */
import type { WebhookEvent } from './webhook.ts';

/** An event with the `id` that each delivery has as `webhook-id`. */
export type Event = WebhookEvent & { id: string };

export type EventFilter = {
  type?: string;
  transactionId?: string;
  /** 1 to 100; 20 when absent. */
  limit?: number;
  /** The `nextCursor` of the page before. */
  cursor?: string;
};

/** The newest first. The last page has no `nextCursor`. */
export type EventPage = { events: readonly Event[]; nextCursor?: string };
