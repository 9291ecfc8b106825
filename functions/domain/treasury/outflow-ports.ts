import type { Asset } from '../assets.ts';
import type { Settlement } from './settlement.ts';

/** A transfer of our tokens out of a wallet of ours, as the chain tells it. */
export type TransferOut = {
  txHash: string;
  logIndex: number;
  wallet: string;
  /** Of the wallet; absent where somebody else sent the transaction that moved its tokens. */
  nonce?: number;
  asset: Asset;
  units: bigint;
  to: string;
  blockNumber: number;
  /** How many of the nodes that were `asked` show it. */
  nodes: number;
  asked: number;
};

/** What left the treasury, by the chain and by the treasury's own books. Failures as in `ports.ts`. */
export type Outflows = {
  /**
   * Every transfer in final blocks between two instants that any node shows: one that hides some must not decide. Later
   * ones than `upTo`, the latest final block's instant, may be missing. `Unavailable` unless every node answers.
   */
  listTransfers(from: number, to: number): Promise<{ transfers: TransferOut[]; upTo: number }>;
  /** Those of one transaction, final or not, as `listTransfers`. */
  findTransfers(txHash: string): Promise<TransferOut[]>;
  /** The settlement that a wallet's nonce was given to. */
  findOwner(wallet: string, nonce: number): Promise<Settlement | undefined>;
};
