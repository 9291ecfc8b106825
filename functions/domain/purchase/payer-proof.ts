import type { PayerMatch, PixRefund } from './pix.ts';

/** How the provider met a payment by somebody else than the debtor. `REFUSED`: it did not take the payment. */
export type PayerProofFacts = { payer: PayerMatch | 'REFUSED'; refund?: PixRefund['status'] };
export type PayerProofDecision = { outcome: 'PROVEN' | 'NOT_PROVEN' };

/** A provider that says `MATCH` for a stranger would sell to any payer. One that cannot tell proves nothing. */
export function decidePayerProof({ payer }: PayerProofFacts): PayerProofDecision {
  return { outcome: payer === 'MISMATCH' || payer === 'REFUSED' ? 'PROVEN' : 'NOT_PROVEN' };
}
