/** The generated section about the statuses of a purchase, in the guide for partners. */
import { STATUS_NAMES, type Status } from '../functions/domain/purchase/status.ts';
import { tableOf } from './markdown.ts';

const MEANINGS: Record<Status, string> = {
  CREATED: 'It is opened, and its challenge is being made.',
  AWAITING_MFA: 'Your client must answer the challenge within 15 minutes.',
  AWAITING_PIX: 'Your client must pay within 30 minutes.',
  PROCESSING: 'The Pix was received. Checks and transfer follow.',
  COMPLETED: 'The transfer is confirmed.',
  FAILED: 'It was paid, and no transfer follows. The money goes back.',
  EXPIRED: 'No answer or no Pix came in time. A late Pix goes back.',
  CANCELED: 'You have canceled it before a Pix. A late Pix goes back.',
};

/** Makes the table of the statuses. */
export function statusesSection(): string[] {
  const rows = STATUS_NAMES.map((status) => [`\`${status}\``, MEANINGS[status]]);
  return tableOf([['Status', 'Meaning'], ...rows]);
}
