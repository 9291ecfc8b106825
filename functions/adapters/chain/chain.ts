import type { BlockList, PerAsset } from '../../domain/assets.ts';

/** The contract of an asset on the chain. */
export type Token = {
  address: string;
  /**
   * How the token shows that its issuer blocks an address. USDT can still be sent to a blocked address, and the
   * issuer then freezes it.
   */
  blockList: BlockList;
};

/** The chain that we settle on. */
export type Chain = {
  chainId: number;
  tokens: PerAsset<Token>;
  /** The contract of the sanctions oracle. Its address differs between chains. */
  sanctionsOracle: string;
  /** A transfer is reported as completed after so many blocks, its own included. */
  confirmations: number;
  /** The time from one block to the next, rather too long than too short. */
  blockSeconds: number;
  /** When a block counts as irreversible: by the node's `finalized` tag, or after a number of blocks. */
  finality: 'finalized' | number;
  /** The number of nodes that must be configured, because they must agree on a fact. The default is one. */
  minimumNodes?: number;
  /**
   * How many transfers of one wallet may wait for a block, at least one. The default is `MAX_IN_FLIGHT`. More needs
   * nodes that are known to keep so many.
   */
  maxInFlight?: number;
  /** No transaction offers more than this per unit of gas. */
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
