/** The ports about a destination wallet. The rules of all ports are in `ports.ts`. */
import type { Asset } from '../assets.ts';
import type { ListedFinding, WalletCheck } from './wallet-risk.ts';

/**
 * The addresses that OFAC lists. The coin beside an address is ignored, because an address is the same on every EVM
 * chain.
 */
export type ListedWallets = {
  /** The id of the listed entry, if there is one, and the publication that lists it. */
  findWallet(address: string): Promise<ListedFinding>;
};

/**
 * Asks OFAC's list, the chain's oracle, the vendor if there is one, and the issuer of `asset`. If neither OFAC nor
 * the oracle lists the address and a source does not answer, it throws `Unavailable`: docs/decisions.md, "Wallet
 * risk".
 */
export type WalletRisk = {
  check(address: string, asset?: Asset): Promise<WalletCheck>;
  /** Addresses that must never be a destination, such as the tokens' contracts and the oracle. */
  listReserved(): readonly string[];
};
