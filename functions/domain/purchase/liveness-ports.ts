import type { Liveness } from '../kyc/identity.ts';

export type LivenessAttempts = {
  /**
   * Saves the liveness check of a purchase with a new link or a new attempt. False if the stored attempt's
   * number is no longer `was`, or if the purchase no longer waits for the client's confirmation.
   */
  save(transactionId: string, liveness: Liveness, was: number): Promise<boolean>;
};
