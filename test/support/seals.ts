import type { KMSClient } from '@aws-sdk/client-kms';
import { envelope } from '../../functions/adapters/aws/vault.ts';
import { destinationSealer, payoutSeals, unitsSealer } from '../../functions/adapters/chain/payout-seals.ts';
import type { ChargedUnits, Destination } from '../../functions/domain/purchase/sealed-terms.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { type Payout, payoutOf } from '../../functions/domain/treasury/settlement.ts';
import type { fakeDataKeys } from './fake-data-keys.ts';
import { chain, random } from './settlement-world.ts';

type Kms = KMSClient | ReturnType<typeof fakeDataKeys>;
type Changes = { destination?: Partial<Destination>; units?: Partial<ChargedUnits> };

/** The parts that seal payouts and check the seals, and forgers of seals. */
export function openSeals(kms: Kms, { chainId = chain.chainId, dataKeyId = 'alias/data' } = {}) {
  const cipherFor = (purpose: 'destination' | 'units') =>
    envelope({
      load: async () => kms as KMSClient,
      dataKeyId,
      purpose: { purpose },
      random,
      clock: { now: () => 0, minuteMs: 60_000 },
    });
  const [destination, units] = [cipherFor('destination'), cipherFor('units')];
  const sealers = { destination: destinationSealer(destination, chain), units: unitsSealer(units) };

  /** Seals the payout as initiate and the charge do. With `changes`, the seals have other terms than the payout. */
  async function seal(payout: Payout, changes: Changes = {}): Promise<Payout> {
    const { transactionId: id, asset, units, to: walletAddress } = payout;
    const order = { id, asset, amountCentavos: 250_00 };
    const [sealedDestination, sealedUnits] = await Promise.all([
      sealers.destination.seal({ ...order, walletAddress, ...changes.destination }),
      sealers.units.seal({ ...order, units, isLocked: false, ...changes.units }),
    ]);
    return { ...payout, sealedDestination, sealedUnits };
  }

  return {
    seals: payoutSeals({ destinationOpener: destination, unitsOpener: units, chain: { chainId } }),
    /** Sealers with the key of the wrong purpose. They stand for a function that may make only the other seal. */
    forgers: { destination: destinationSealer(units, chain), units: unitsSealer(destination) },
    seal,
    async sealPurchase(purchase: Transaction): Promise<Transaction> {
      const { sealedDestination, sealedUnits } = await seal(payoutOf(purchase));
      return { ...purchase, sealedDestination, sealedUnits };
    },
  };
}
