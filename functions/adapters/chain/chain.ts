import type { BlockList, PerAsset } from '../../domain/assets.ts';

/** The contract of an asset on the chain. */
export type Token = {
  address: string;
  /** Checked for every destination: USDT pays a blocked client, and the issuer then freezes the tokens. */
  blockList: BlockList;
};

/** The chain that we settle on. */
export type Chain = {
  chainId: number;
  tokens: PerAsset<Token>;
  /** The sanctions oracle's contract; its address differs between chains. */
  sanctionsOracle: string;
  /** Blocks, the transfer's own included, after which a transfer is reported as completed. */
  confirmations: number;
  /** From when on a block counts as irreversible: the node's `finalized` tag, or a number of blocks. */
  finality: 'finalized' | number;
  /** As many nodes must be configured: facts rest on their agreement. One where it is left out. */
  minimumNodes?: number;
  /** No transaction offers more than this per unit of gas. */
  feeCapGwei?: number;
};

/** Addresses that must never be a destination. */
export function reservedAddresses(chain: Chain): string[] {
  return [...Object.values(chain.tokens).map((token) => token.address), chain.sanctionsOracle];
}

/** Whether two addresses are the same, whatever their letters' case. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
