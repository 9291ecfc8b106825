/**
 * The terms of a payout, under seal. A writer of rows who may not seal can neither redirect nor enlarge it:
 * docs/decisions.md, "A sealed payout". Each seal is bound to the purchase's id.
 */
import type { Asset } from '../assets.ts';
import type { Transaction } from './transaction.ts';

type Order = Pick<Transaction, 'id' | 'asset' | 'amountCentavos'>;

/** Sealed when the purchase is opened. `lockedUnits` are there if a quote has locked the price. */
export type Destination = Order & { walletAddress: string; lockedUnits?: bigint };
/** Sealed when the charge is made. */
export type ChargedUnits = Order & { units: bigint; isLocked: boolean };

export type DestinationSealer = { seal(destination: Destination): Promise<string> };
export type UnitsSealer = { seal(charged: ChargedUnits): Promise<string> };

type Sealed = { asset: Asset; amountCentavos: number };
/** The contents of both seals. Units are decimal strings, because JSON has no integers of their size. */
export type SealedTerms = {
  destination: Sealed & { chainId: number; to: string; lockedUnits?: string };
  units: Sealed & { units: string; isLocked: boolean };
};

type Terms = { chainId: number; asset: Asset; to: string; units: bigint };

/**
 * Whether both seals name these terms. Their amounts must agree: a locked price is for one amount, and the charge was
 * made for the amount under its own seal. Units at a locked price must be those that were locked at the opening.
 */
export function areAsSealed(terms: Terms, { destination, units: charged }: SealedTerms): boolean {
  return (
    destination.chainId === terms.chainId &&
    destination.to.toLowerCase() === terms.to.toLowerCase() &&
    destination.asset === terms.asset &&
    charged.asset === terms.asset &&
    charged.units === String(terms.units) &&
    charged.amountCentavos === destination.amountCentavos &&
    destination.lockedUnits === (charged.isLocked ? charged.units : undefined)
  );
}
