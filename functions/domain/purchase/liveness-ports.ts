import type { Liveness } from '../kyc/identity.ts';

export type LivenessAttempts = {
  /** Saves a new link or a new attempt. False if the row's attempt is no longer `was`, or if the challenge is over. */
  save(transactionId: string, liveness: Liveness, was: number): Promise<boolean>;
};
