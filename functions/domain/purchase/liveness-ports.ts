import type { Liveness } from '../kyc/identity.ts';

export type LivenessAttempts = {
  /**
   * Saves a new link or a new attempt. False if the purchase's attempt is no longer `was`, or if the purchase no longer
   * waits for a challenge.
   */
  save(transactionId: string, liveness: Liveness, was: number): Promise<boolean>;
};
