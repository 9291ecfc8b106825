/** The generated section about the statuses of a purchase, in the guide for partners. */
import type { EventType } from '../functions/domain/partners/events.ts';
import {
  hasEndedUnpaid,
  isBeingSettled,
  isOpen,
  STATUS_NAMES,
  STATUSES,
  type Status,
} from '../functions/domain/purchase/status.ts';
import { tableOf } from './markdown.ts';

/** `after` is the only way to the status that has the event. */
type Note = { means: string; event?: EventType; after?: string };

const NOTES: Record<Status, Note> = {
  CREATED: { means: 'It is opened, and its challenge is being made.' },
  AWAITING_MFA: { means: 'Your client must answer the challenge within 15 minutes.' },
  AWAITING_PIX: {
    means: 'Your client must pay within 30 minutes.',
    event: 'transaction.pix_ready',
    after: 'liveness',
  },
  PROCESSING: { means: 'The Pix was received. Checks and transfer follow.', event: 'transaction.processing' },
  COMPLETED: { means: 'The transfer is confirmed.', event: 'transaction.completed' },
  FAILED: { means: 'It was paid, and no transfer follows.', event: 'transaction.failed' },
  EXPIRED: { means: 'No answer or no Pix came in time.', event: 'transaction.expired' },
  CANCELED: { means: 'You have canceled it before a Pix.', event: 'transaction.canceled' },
};

/** Makes the table of the statuses. */
export function statusesSection(): string[] {
  const head = ['Status', 'Meaning', 'Money', 'Event'];
  const rows = STATUS_NAMES.map((status) => [
    `\`${status}\``,
    NOTES[status].means,
    moneyAt(status),
    eventOf(NOTES[status]),
  ]);
  return tableOf([head, ...rows]);
}

const eventOf = ({ event, after }: Note) =>
  event === undefined ? '' : `\`${event}\`${after === undefined ? '' : `, after ${after}`}`;

function moneyAt(status: Status): string {
  if (isOpen(status)) return 'not paid';
  if (hasEndedUnpaid(status)) return 'a late Pix goes back';
  if (STATUSES[status].tokens === 'DELIVERED') return 'delivered';
  return isBeingSettled(status) ? 'paid' : 'goes back';
}
