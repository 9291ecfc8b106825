import type { RiskTier } from './kyc.ts';

export const TOTP = { digits: 6, stepSeconds: 30, windowSteps: 1 } as const;
export const MFA_ATTEMPTS = 5;
export const CLIENT_WRONG_CODES = 10;
export const CLIENT_LOCK_MINUTES = 15;

export type Challenge = { type: 'MFA_TOTP' | 'LIVENESS' };

/** Spec, "Initiate a transaction", rules: STANDARD answers a TOTP code, HIGH and PEP a liveness check. */
export function challengeFor(riskTier: RiskTier): Challenge {
  return { type: riskTier === 'STANDARD' ? 'MFA_TOTP' : 'LIVENESS' };
}

export const INSTRUCTIONS: Record<Challenge['type'], string> = {
  MFA_TOTP: 'Ask the user for the 6-digit TOTP code of their authenticator app.',
  LIVENESS: 'Redirect the user to livenessUrl to complete the liveness check.',
};

/** A partner's client. The secret and the CPF are ciphertext of the vault; `id` is a keyed hash. */
export type Client = {
  id: string;
  partnerId: string;
  cpfCipher: string;
  totpCipher: string;
  /** Set by the first accepted code; from then on the secret is never shown again. */
  enrolledAt?: number;
  /** The last accepted time step and the transaction that it cleared: a code is good once. */
  lastStep?: number;
  lastTransactionId?: string;
  wrongCodes: number;
  lockedUntil?: number;
};

/** A code of the time step `step` may clear `transactionId`: a newer step, or the same code for the same purchase. */
export function isReplay(client: Client, step: number, transactionId: string): boolean {
  if (client.lastStep === undefined || step > client.lastStep) return false;
  return !(step === client.lastStep && client.lastTransactionId === transactionId);
}

export function isLocked(client: Client, now: number): boolean {
  return client.lockedUntil !== undefined && now < client.lockedUntil;
}
