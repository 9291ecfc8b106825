/** The client's link to the page before the check: docs/decisions.md, "The page before the liveness check". */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Liveness } from '../../domain/kyc/identity.ts';
import type { Needs } from '../../domain/ports.ts';
import { isOver, type Transaction } from '../../domain/purchase/transaction.ts';

/** A purchase whose client was given a link. */
export type Linked = Transaction & { liveness: Liveness };

const FORM = /^[0-9A-HJKMNP-TV-Z]{26} [\w-]{43}$/;

export const livenessUrlOf = (apiUrl: string, id: string, liveness: Liveness): string =>
  `${apiUrl}/liveness/${id}/${tokenOf(id, liveness)}`;

/**
 * The secret of the link follows from the provider's link, which nobody can guess. It therefore ends with that link,
 * and no row has to keep it.
 */
const tokenOf = (id: string, { url }: Liveness) =>
  createHash('sha256').update(`${id} ${url}`).digest('base64url');

/** Finds the purchase of a link. Undefined for a link that is wrong, or that a newer one has replaced. */
export async function findLinked(
  { id, token }: { id: string; token: string },
  { transactions }: Needs<readonly ['transactions:read']>,
): Promise<Linked | undefined> {
  if (!FORM.test(`${id} ${token}`)) return undefined;
  const transaction = await transactions.findTransaction(id);
  if (!isLinked(transaction)) return undefined;
  const right = tokenOf(id, transaction.liveness);
  return timingSafeEqual(Buffer.from(token), Buffer.from(right)) ? transaction : undefined;
}

/** After a failed check the purchase has no link until the next read of its status. */
const isLinked = (transaction: Transaction | undefined): transaction is Linked =>
  transaction?.liveness !== undefined && transaction.liveness.url !== '';

/** Whether the client can still begin the check by this link. */
export const isLinkOpen = (transaction: Linked, now: number): boolean =>
  transaction.status === 'AWAITING_MFA' &&
  !isOver(transaction, now) &&
  now < transaction.liveness.urlExpiresAt;
