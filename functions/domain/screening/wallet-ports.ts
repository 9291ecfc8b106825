/** The ports for checks of a destination wallet. The rules of all ports are in `ports.ts`. */
import type { Asset } from '../assets.ts';
import type { ListedFinding, WalletCheck } from './wallet-risk.ts';

/**
 * The wallet addresses on OFAC's list. OFAC also names a coin for each address. The search ignores the coin,
 * because an address is the same on every EVM chain.
 */
export type ListedWallets = {
  /**
   * Finds the entry of the list that has the address, if there is one. The answer also names the index that
   * was searched.
   */
  findWallet(address: string): Promise<ListedFinding>;
};

/**
 * Checks a wallet with OFAC's list, the sanctions oracle on the chain, the issuer of `asset`, and the vendor
 * if there is one. If a source does not answer, it throws `Unavailable`, unless OFAC or the oracle lists the
 * address: docs/compliance.md, "Effect of a hit".
 */
export type WalletRisk = {
  check(address: string, asset?: Asset, head?: Promise<bigint>): Promise<WalletCheck>;
  /**
   * The number of the chain's last block. If `check` gets it as `head`, it reads the chain at that block, and
   * needs one call less.
   */
  findHead(): Promise<bigint>;
  /** Addresses that must never be a destination: the contracts of the tokens and of the sanctions oracle. */
  listReserved(): readonly string[];
};
