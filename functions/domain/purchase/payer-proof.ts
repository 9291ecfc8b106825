import type { PayerMatch, PixRefund } from './pix.ts';

/**
 * The provider's reaction to a trial payment. Another person than the charge's payer makes this payment.
 * `REFUSED`: the provider did not accept it. The command `operations/psp.ts` runs the trial.
 */
export type PayerProofFacts = { payer: PayerMatch | 'REFUSED'; refund?: PixRefund['status'] };
export type PayerProofDecision = { outcome: 'PROVEN' | 'NOT_PROVEN' };

/**
 * Decides whether the provider notices that another person than the charge's payer has paid. If it answers
 * `MATCH`, anybody could pay for a client. `UNKNOWN` proves nothing.
 */
export function decidePayerProof({ payer }: PayerProofFacts): PayerProofDecision {
  return { outcome: payer === 'MISMATCH' || payer === 'REFUSED' ? 'PROVEN' : 'NOT_PROVEN' };
}
