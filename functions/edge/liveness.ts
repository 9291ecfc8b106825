import { LIVENESS_LINK_MINUTES, type Liveness, livenessIdOf } from '../domain/identity.ts';
import type { Needs } from '../domain/ports.ts';
import { isOver, type Transaction } from '../domain/transaction.ts';
import { CHARGE_NEEDS, issueCharge } from './issue-charge.ts';

export const LINK_NEEDS = ['identity', 'clock'] as const;
type Attempt = { transactionId: string; attempt: number; clientId: string };

/** Opens the attempt at the provider, or finds it, with a new link to its page: spec, "Auth challenge". */
export async function linkLiveness(
  { transactionId, attempt, clientId }: Attempt,
  { identity, clock }: Needs<typeof LINK_NEEDS>,
): Promise<Liveness> {
  const ttlSeconds = Math.round((LIVENESS_LINK_MINUTES * clock.minuteMs) / 1000);
  const urlExpiresAt = clock.now() + ttlSeconds * 1000;
  const livenessId = livenessIdOf(transactionId, attempt);
  return { attempt, url: await identity.livenessLink({ clientId, livenessId, ttlSeconds }), urlExpiresAt };
}

export const REVIEW_NEEDS = [
  ...CHARGE_NEEDS,
  'identity',
  'livenessAttempts',
  'clients',
  'partners:read',
] as const;

/**
 * Reads the purchase's check at the provider and does what it says: passed in time, the charge is issued; failed, the
 * next attempt is free. Repeats do nothing. Answers whether the check was passed in time.
 */
export async function reviewLiveness(
  transaction: Transaction,
  ports: Needs<typeof REVIEW_NEEDS>,
): Promise<boolean> {
  const { id, status, clientId, liveness } = transaction;
  if (status !== 'AWAITING_MFA' || !liveness) return false;
  const { attempt } = liveness;
  const check = await ports.identity.findLiveness({ clientId, livenessId: livenessIdOf(id, attempt) });
  if (check?.status === 'FAILED') {
    await ports.livenessAttempts.save(id, { attempt: attempt + 1, url: '', urlExpiresAt: 0 }, attempt);
  }
  // What counts is when the client was done with it, not when we heard of it.
  const isInTime = check?.status === 'PASSED' && !isOver(transaction, check.reviewedAt ?? ports.clock.now());
  if (isInTime) await clear(transaction, ports);
  return isInTime;
}

async function clear(transaction: Transaction, ports: Needs<typeof REVIEW_NEEDS>): Promise<void> {
  const { clientId, partnerId } = transaction;
  const client = (await ports.clients.findClient(clientId))!;
  const { spreadBasisPoints } = (await ports.partners.findPartner(partnerId))!;
  await issueCharge(transaction, { trigger: 'liveness completed', client, spreadBasisPoints }, ports);
  if (client.mustProve) await ports.clients.markProven(clientId);
}
