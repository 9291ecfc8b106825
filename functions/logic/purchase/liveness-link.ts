/**
 * The link that leads a client to our page before the liveness check: docs/decisions.md,
 * "The liveness check".
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Liveness } from '../../domain/kyc/identity.ts';
import type { Needs } from '../../domain/ports.ts';
import { isPastDeadline, type Transaction } from '../../domain/purchase/transaction.ts';

/** A purchase for which a link was made. */
export type Linked = Transaction & { liveness: Liveness };

const FORM = /^[0-9A-HJKMNP-TV-Z]{26} [\w-]{43}$/;

export const livenessUrlOf = (apiUrl: string, id: string, liveness: Liveness): string =>
  `${apiUrl}/liveness/${id}/${linkToken(id, liveness)}`;

/**
 * The secret part of our link, a hash of the provider's link, which nobody can guess. When the provider's link is
 * replaced, ours ends too. No row has to store it.
 */
const linkToken = (id: string, { url }: Liveness) =>
  createHash('sha256').update(`${id} ${url}`).digest('base64url');

/** Finds the purchase of a link. Undefined if the link is wrong, or if a newer link has replaced it. */
export async function findLinked(
  { id, token }: { id: string; token: string },
  { transactions }: Needs<readonly ['transactions:read']>,
): Promise<Linked | undefined> {
  if (!FORM.test(`${id} ${token}`)) return undefined;
  const transaction = await transactions.findTransaction(id);
  if (!isLinked(transaction)) return undefined;
  const right = linkToken(id, transaction.liveness);
  return timingSafeEqual(Buffer.from(token), Buffer.from(right)) ? transaction : undefined;
}

/** Whether the purchase has a link. After a failed check it has none until its status is read again. */
const isLinked = (transaction: Transaction | undefined): transaction is Linked =>
  transaction?.liveness !== undefined && transaction.liveness.url !== '';

/** Whether the client can still begin the check with this link. */
export const isLinkOpen = (transaction: Linked, now: number): boolean =>
  transaction.status === 'AWAITING_MFA' &&
  !isPastDeadline(transaction, now) &&
  now < transaction.liveness.urlExpiresAt;
