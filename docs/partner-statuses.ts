/** The generated section about the statuses of a purchase, in the guide for partners. */
import {
  hasEndedUnpaid,
  isBeingSettled,
  isOpen,
  STATUS_NAMES,
  STATUSES,
  type Status,
} from '../functions/domain/purchase/status.ts';
import { tableOf } from './markdown.ts';

const MEANINGS: Record<Status, string> = {
  CREATED: 'It is opened, and its challenge is being made.',
  AWAITING_MFA: 'Your client must answer the challenge within 15 minutes.',
  AWAITING_PIX: 'Your client must pay within 30 minutes.',
  PROCESSING: 'The Pix was received. Checks and transfer follow.',
  COMPLETED: 'The transfer is confirmed.',
  FAILED: 'It was paid, and no transfer follows.',
  EXPIRED: 'No answer or no Pix came in time.',
  CANCELED: 'You have canceled it before a Pix.',
};

/** Makes the table of the statuses. */
export function statusesSection(): string[] {
  const rows = STATUS_NAMES.map((status) => [`\`${status}\``, MEANINGS[status], moneyAt(status)]);
  return tableOf([['Status', 'Meaning', 'Money'], ...rows]);
}

function moneyAt(status: Status): string {
  if (isOpen(status)) return 'not paid';
  if (hasEndedUnpaid(status)) return 'a late Pix goes back';
  if (STATUSES[status].tokens === 'DELIVERED') return 'delivered';
  return isBeingSettled(status) ? 'paid' : 'goes back';
}
