import type { Asset } from '../assets.ts';
import type { Settlement } from './settlement.ts';

/** A transfer of an asset out of one of our wallets, as the chain shows it. */
export type TransferOut = {
  txHash: string;
  logIndex: number;
  wallet: string;
  /** The nonce of the wallet. It is absent if somebody else sent the transaction that moved the tokens. */
  nonce?: number;
  asset: Asset;
  units: bigint;
  to: string;
  blockNumber: number;
  /** How many of the nodes that were `asked` show it. */
  nodes: number;
  asked: number;
};

/**
 * Transfers out of the treasury, as the chain and the settlements table show them. It fails like every port:
 * `ports.ts`.
 */
export type Outflows = {
  /**
   * Every transfer of more than zero units in final blocks between two instants. One node that shows it is enough,
   * because a node that hides a transfer must not decide. `upTo` is the instant of the latest final block: later
   * transfers may be missing. `Unavailable` unless every node and every key answers.
   */
  listTransfers(from: number, to: number): Promise<{ transfers: TransferOut[]; upTo: number }>;
  /** The transfers of one transaction, final or not. Otherwise as `listTransfers`. */
  findTransfers(txHash: string): Promise<TransferOut[]>;
  /** The settlement that owns or owned a nonce of a wallet. */
  findOwner(wallet: string, nonce: number): Promise<Settlement | undefined>;
};
