import type { Liveness } from '../kyc/identity.ts';

export type LivenessAttempts = {
  /** A new link, or a new attempt: false where the attempt is no longer `was` or nobody is waited for any more. */
  save(transactionId: string, liveness: Liveness, was: number): Promise<boolean>;
};
