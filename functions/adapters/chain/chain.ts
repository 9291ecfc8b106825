import type { BlockList, PerAsset } from '../../domain/assets.ts';

/** The contract of an asset on the chain. */
export type ChainToken = {
  address: string;
  /**
   * The contract's function that tells whether the issuer blocks an address. The service must ask it, because USDT that
   * is sent to a blocked address arrives but stays frozen.
   */
  blockList: BlockList;
};

/** The chain on which we send the stablecoin, with its settings. */
export type Chain = {
  chainId: number;
  tokens: PerAsset<ChainToken>;
  /**
   * The contract of the sanctions oracle, which tells whether an address is sanctioned. Its address differs
   * between chains.
   */
  sanctionsOracle: string;
  /**
   * A transfer counts as completed after this many blocks. The block of the transfer is the first of them.
   */
  confirmations: number;
  /**
   * The time between two blocks. A value above the true time is safe: a visit then only waits longer, or ends
   * earlier.
   */
  blockSeconds: number;
  /**
   * When a block counts as irreversible: by the node's `finalized` tag, or after this many blocks. The block
   * itself is the first of them.
   */
  finality: 'finalized' | number;
  /**
   * The least number of nodes that must be configured, because several nodes must agree on a fact. The default is one.
   */
  minimumNodes?: number;
  /**
   * How many transfers of one wallet may wait for a block. The default is `MAX_IN_FLIGHT`. Set more only if the nodes
   * keep as many pending transactions of one sender.
   */
  maxInFlight?: number;
  /** The highest price for a unit of gas that any transaction offers. The default is 500. */
  feeCapGwei?: number;
};

/** The contracts that must never be a destination. */
export function reservedAddresses(chain: Chain): string[] {
  return [...Object.values(chain.tokens).map((token) => token.address), chain.sanctionsOracle];
}

/** Whether two addresses are the same. Upper and lower case do not count. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
