import type { Liveness } from '../kyc/identity.ts';

export type LivenessAttempts = {
  /** Saves a new link or a new attempt. False if the attempt is no longer `was`, or the challenge is over. */
  save(transactionId: string, liveness: Liveness, was: number): Promise<boolean>;
};
