import { refuse } from '../errors.ts';
import type { Client } from '../kyc/client.ts';
import { higherTier, type RiskTier } from '../kyc/kyc.ts';

export const TOTP = { digits: 6, stepSeconds: 30, windowSteps: 1 } as const;
export const MFA_ATTEMPTS = 5;
export const CLIENT_WRONG_CODES = 10;
export const CLIENT_LOCK_MINUTES = 15;

export type Challenge = { type: 'MFA_TOTP' | 'LIVENESS' };

/**
 * How the client must authenticate. By the specification ("Initiate a transaction", rules), a STANDARD client answers
 * by a TOTP code. A HIGH or PEP client answers by a liveness check. A client whose TOTP secret was reset answers once
 * by liveness: docs/decisions.md, "Codes of a challenge". A person with an open MED case
 * answers by liveness, too.
 */
export function challengeFor(
  riskTier: RiskTier,
  client?: Pick<Client, 'mustProve'>,
  hasOpenMed = false,
): Challenge {
  const tier = hasOpenMed ? higherTier(riskTier, 'HIGH') : riskTier;
  return { type: tier === 'STANDARD' && !client?.mustProve ? 'MFA_TOTP' : 'LIVENESS' };
}

/** Refuses a TOTP code where liveness is due. */
export function requireByCode({ type }: Challenge): void {
  if (type !== 'MFA_TOTP') refuse('CHALLENGE_TYPE_MISMATCH');
}

/** The text that the partner shows to its user. Spec, "Auth challenge"; docs/decisions.md, "Fields of the answers". */
export const INSTRUCTIONS: Record<Challenge['type'], string> = {
  MFA_TOTP: 'Enter the 6-digit TOTP code of your authenticator app.',
  LIVENESS: 'Show your face to the camera, on the page that opens now.',
};
