/** What is asked about a destination; the rules are those of `ports.ts`. */
import type { Asset } from '../assets.ts';
import type { ListedFinding, WalletCheck } from './wallet-risk.ts';

/** The addresses that OFAC lists, whatever coin it names beside them: one address is the same on every EVM chain. */
export type ListedWallets = {
  /** The listed entry's id, where there is one, and the publication that says so. */
  findWallet(address: string): Promise<ListedFinding>;
};

/**
 * What OFAC's list, the chain's oracle and, where there is one, a vendor say of an address, and the issuer of the `asset` that
 * is to be sent there. Where none lists it and one does not answer, it is `Unavailable`, never a pass: docs/decisions.md,
 * "Wallet risk".
 */
export type WalletRisk = {
  check(address: string, asset?: Asset): Promise<WalletCheck>;
  /** Addresses that must never be a destination: the tokens' contracts and the oracle. */
  listReserved(): readonly string[];
};
