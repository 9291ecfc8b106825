/** Seals the terms of a payout with KMS, and compares a payout with its seals: docs/decisions.md, "A sealed payout". */
import { Unavailable } from '../../domain/errors.ts';
import type { Opener, Sealer } from '../../domain/ports.ts';
import {
  areAsSealed,
  type DestinationSealer,
  type SealedTerms,
  type UnitsSealer,
} from '../../domain/purchase/sealed-terms.ts';
import type { Payout } from '../../domain/treasury/settlement.ts';
import type { Chain } from './chain.ts';

type OnChain = Pick<Chain, 'chainId'>;

export function destinationSealer(sealer: Sealer, { chainId }: OnChain): DestinationSealer {
  return {
    seal({ id, asset, amountCentavos, walletAddress: to, lockedUnits }) {
      const locked = lockedUnits !== undefined && { lockedUnits: String(lockedUnits) };
      const sealed: SealedTerms['destination'] = { chainId, asset, amountCentavos, to, ...locked };
      return sealer.encrypt(JSON.stringify(sealed), id);
    },
  };
}

export function unitsSealer(sealer: Sealer): UnitsSealer {
  return {
    seal({ id, asset, amountCentavos, units, isLocked }) {
      const sealed: SealedTerms['units'] = { asset, amountCentavos, units: String(units), isLocked };
      return sealer.encrypt(JSON.stringify(sealed), id);
    },
  };
}

export type PayoutSeals = {
  /**
   * False if a seal is missing, cannot be opened, or has other terms than the payout. Throws `Unavailable` if KMS does
   * not answer.
   */
  isAsSealed(payout: Payout): Promise<boolean>;
};

type Openers = { destinationOpener: Opener; unitsOpener: Opener; chain: OnChain };

export function payoutSeals({ destinationOpener, unitsOpener, chain }: Openers): PayoutSeals {
  return {
    async isAsSealed({ transactionId: id, sealedDestination, sealedUnits, ...terms }) {
      const [destination, units] = await Promise.all([
        findUnsealed<SealedTerms['destination']>(destinationOpener, sealedDestination, id),
        findUnsealed<SealedTerms['units']>(unitsOpener, sealedUnits, id),
      ]);
      if (!destination || !units) return false;
      return areAsSealed({ ...terms, chainId: chain.chainId }, { destination, units });
    },
  };
}

/**
 * Opens a seal. Undefined if it is missing or cannot be opened for this purchase. Throws only for an outage,
 * because a later try may then succeed.
 */
async function findUnsealed<Contents>(opener: Opener, sealed: string | undefined, id: string) {
  if (sealed === undefined) return undefined;
  try {
    return JSON.parse(await opener.decrypt(sealed, id)) as Contents;
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    return undefined;
  }
}
