/** The ports for checks of a destination wallet. The rules of all ports are in `ports.ts`. */
import type { Asset } from '../assets.ts';
import type { ListedFinding, WalletCheck } from './wallet-risk.ts';

/**
 * The addresses that OFAC lists. The coin named next to an address is ignored, because an address is the same on every
 * EVM chain.
 */
export type ListedWallets = {
  /** Finds the entry that lists the address, if there is one. Also tells which publication was searched. */
  findWallet(address: string): Promise<ListedFinding>;
};

/**
 * Checks a wallet with OFAC's list, the chain's oracle, the issuer of `asset`, and the vendor if there is one. If a
 * source does not answer, it throws `Unavailable`, unless OFAC or the oracle lists the address: docs/decisions.md,
 * "Wallet risk".
 */
export type WalletRisk = {
  check(address: string, asset?: Asset, head?: Promise<bigint>): Promise<WalletCheck>;
  /** The chain's last block. A check that gets it asks the chain at that block, and waits for one call less. */
  findHead(): Promise<bigint>;
  /** Addresses that must never be a destination, such as the tokens' contracts and the oracle. */
  listReserved(): readonly string[];
};
