/**
 * The terms of a payout, encrypted by functions that may seal. A thief who can only write rows can therefore neither
 * redirect nor enlarge the payout: docs/decisions.md, "A sealed payout". Each seal is bound to the id of its purchase.
 */
import type { Asset } from '../assets.ts';
import type { Transaction } from './transaction.ts';

type SealedOrder = Pick<Transaction, 'id' | 'asset' | 'amountCentavos'>;

/** The terms that are sealed when the purchase is opened. `lockedUnits` is present if a quote has locked the price. */
export type Destination = SealedOrder & { walletAddress: string; lockedUnits?: bigint };
/** The terms that are sealed when the charge is made. */
export type ChargedUnits = SealedOrder & { units: bigint; isLocked: boolean };

export type DestinationSealer = { seal(destination: Destination): Promise<string> };
export type UnitsSealer = { seal(charged: ChargedUnits): Promise<string> };

type Sealed = { asset: Asset; amountCentavos: number };
/** The contents of the two seals. Units are decimal strings, because a JSON number cannot hold them exactly. */
export type SealedTerms = {
  destination: Sealed & { chainId: number; to: string; lockedUnits?: string };
  units: Sealed & { units: string; isLocked: boolean };
};

type Terms = { chainId: number; asset: Asset; to: string; units: bigint };

/**
 * True if the terms match both seals. The amounts of the two seals must be equal, because the sealed units
 * were computed from this amount. If the price was locked, the units must be those that were locked when
 * the purchase was opened.
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
