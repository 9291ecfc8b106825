import type { Liveness } from '../kyc/identity.ts';

export type LivenessAttempts = {
  /**
   * Saves the liveness check of a purchase with a new link or a new attempt. False if the stored attempt is no longer
   * `was`, or if the purchase no longer waits for the client's confirmation. With `was.urlExpiresAt` it is also false
   * if the stored attempt has another link.
   */
  save(
    transactionId: string,
    liveness: Liveness,
    was: Pick<Liveness, 'attempt'> & Partial<Pick<Liveness, 'urlExpiresAt'>>,
  ): Promise<boolean>;
};
