import type { Asset } from '../assets.ts';
import type { Posting, TokenCurrency } from '../ledger.ts';
import type { Settlement } from './settlement.ts';

/** A transfer of an asset out of one of our wallets, as the chain shows it. */
export type TransferOut = {
  txHash: string;
  logIndex: number;
  wallet: string;
  /** The wallet's nonce. Absent if another account sent the transaction that moved the wallet's tokens. */
  nonce?: number;
  asset: Asset;
  units: bigint;
  to: string;
  blockNumber: number;
  /** How many of the `asked` nodes show this transfer. */
  nodes: number;
  asked: number;
};

/** One coin of a hot wallet at a final block, as every node shows it: the chain's own coin, or a token. */
export type WalletCoins = {
  chainId: number;
  wallet: string;
  block: number;
  coin: TokenCurrency;
  /** The instant of the block. */
  at: number;
  /** In wei, or in base units of the token. */
  amount: bigint;
  /** The number of the wallet's transactions up to the block. */
  nonce: number;
};

/**
 * Transfers out of our hot wallets, as the chain and the settlements table show them. Calls fail as all ports
 * do: functions/domain/ports.ts.
 */
export type Outflows = {
  /**
   * Lists every transfer of more than zero units in final blocks between two instants. One node that shows a
   * transfer is enough, so that no single node can hide a transfer. `upTo` is the instant of the latest final
   * block. Later transfers may be missing. `Unavailable` unless every node and every wallet's KMS key
   * answers.
   */
  listTransfers(from: number, to: number): Promise<{ transfers: TransferOut[]; upTo: number }>;
  /**
   * Finds the transfers of one transaction, final or not. Like `listTransfers`, throws `Unavailable` unless
   * every node and every wallet's KMS key answers.
   */
  findTransfers(txHash: string): Promise<TransferOut[]>;
  /**
   * Finds the settlement to which this nonce of the wallet was last assigned, even if the settlement has
   * given up the nonce since.
   */
  findOwner(wallet: string, nonce: number): Promise<Settlement | undefined>;
  /** The posting of the gas that the nonce has cost, as its slot asks for. Undefined as long as that is unknown. */
  findGasPosting(wallet: string, nonce: number): Promise<Posting | undefined>;
  /**
   * Lists each coin of each wallet at the latest block that is final for every node. `Unavailable` unless every
   * node answers the same, and every wallet's KMS key answers.
   */
  listCoins(): Promise<WalletCoins[]>;
};
