import type { PayerMatch, PixRefund } from './pix.ts';

/**
 * How the provider handled a trial payment by somebody other than the charge's payer. `REFUSED`: it did not accept the
 * payment.
 */
export type PayerProofFacts = { payer: PayerMatch | 'REFUSED'; refund?: PixRefund['status'] };
export type PayerProofDecision = { outcome: 'PROVEN' | 'NOT_PROVEN' };

/**
 * Whether the provider finds out that a stranger pays. If it answers `MATCH` for a stranger, anybody could pay for a
 * client. If it cannot tell, nothing is proven.
 */
export function decidePayerProof({ payer }: PayerProofFacts): PayerProofDecision {
  return { outcome: payer === 'MISMATCH' || payer === 'REFUSED' ? 'PROVEN' : 'NOT_PROVEN' };
}
