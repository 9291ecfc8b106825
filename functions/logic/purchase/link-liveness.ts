import { LIVENESS_LINK_MINUTES, type Liveness, livenessIdOf } from '../../domain/kyc/identity.ts';
import type { Needs } from '../../domain/ports.ts';
import { returnAddress } from '../../domain/purchase/return-url.ts';

export const LINK_NEEDS = ['identity', 'clock'] as const;
type LivenessAttempt = { transactionId: string; attempt: number; clientId: string; returnUrl?: string };

/**
 * Opens the attempt at the identity provider, unless it exists, and answers a new link to the provider's page: spec,
 * "Auth challenge".
 */
export async function linkLiveness(
  { transactionId, attempt, clientId, returnUrl }: LivenessAttempt,
  { identity, clock }: Needs<typeof LINK_NEEDS>,
): Promise<Liveness> {
  const ttlSeconds = Math.round((LIVENESS_LINK_MINUTES * clock.minuteMs) / 1000);
  const urlExpiresAt = clock.now() + ttlSeconds * 1000;
  const livenessId = livenessIdOf(transactionId, attempt);
  const back = returnUrl === undefined ? {} : { returnAddress: returnAddress(returnUrl, transactionId) };
  const link = await identity.livenessLink({ clientId, livenessId, ttlSeconds, ...back });
  return { attempt, ...link, urlExpiresAt };
}
