import { decideKyc, type Facts } from '../kyc/kyc-decision.ts';
import type { Evidence } from '../screening/screening.ts';
import { decideWallet, type WalletFacts } from '../screening/wallet-risk.ts';
import { decideHolder, type HolderFacts } from './liveness-decision.ts';
import { decidePayment, type PaymentFacts } from './pix.ts';

/**
 * What the rules of this code decide upon what a record holds: the same as its `decision`, unless the rules have
 * changed since. Undefined where no rule decided: an operator's command, or a refresh of the lists.
 */
export function decideAgain({ kind, findings }: Evidence): Record<string, unknown> | undefined {
  switch (kind) {
    case 'kyc':
      return { ...decideKyc(findings as Facts) };
    case 'wallet':
      return { ...decideWallet(findings as WalletFacts) };
    case 'payment':
      return { ...decidePayment(findings as PaymentFacts) };
    case 'liveness':
      return { ...decideHolder(findings as HolderFacts) };
    default:
      return undefined;
  }
}
