import { createHash } from 'node:crypto';
import type { Store } from '../../providers/store.ts';
import { BLOCKS_A_ROW, blockKey, filledKey, type Head, timestampOf } from './head.ts';
import { BASE_FEE, BLOCK_GAS } from './terms.ts';
import { toHex } from './wire.ts';

export type Log = {
  address: string;
  topics: string[];
  data: string;
  blockHash: string;
  blockNumber: string;
  blockTimestamp: string;
  transactionHash: string;
  transactionIndex: string;
  logIndex: string;
  removed: false;
};
/** A transaction as JSON-RPC shows it. `Receipt` is its receipt. */
export type Transaction = { hash: string; to: string | null; input: string } & Record<string, unknown>;
export type Receipt = { transactionHash: string; status: string; logs: Log[] } & Record<string, unknown>;

/** The stored row of a block that has transactions. Empty blocks have no row. */
export type Filled = { transactions: Transaction[]; receipts: Receipt[]; gasUsed: string; logsBloom: string };

const NO_BYTES = `0x${'0'.repeat(64)}`;
const EMPTY: Filled = { transactions: [], receipts: [], gasUsed: '0x0', logsBloom: `0x${'0'.repeat(512)}` };
/** The hash of an empty list of uncles. Every block since the merge has it. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

/**
 * Makes a block's hash from the chain's start, the block's number and its transactions. Unlike a real hash it
 * does not depend on the state.
 */
export function blockHash({ genesisAt }: Head, number: number, transactionHashes: readonly string[]): string {
  const text = [genesisAt, number, ...transactionHashes].join();
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}

export async function readFilled(store: Store, number: number): Promise<Filled> {
  return (await store.get<Filled>(blockKey(number)))?.value ?? EMPTY;
}

/** The numbers of the blocks that have transactions, from `first` to `last`, both included. */
export async function listFilled(store: Store, first: number, last: number): Promise<number[]> {
  const found: number[] = [];
  for (let row = Math.floor(first / BLOCKS_A_ROW); row <= Math.floor(last / BLOCKS_A_ROW); row++)
    found.push(...((await store.get<number[]>(filledKey(row)))?.value ?? []));
  return found.filter((number) => number >= first && number <= last);
}

/**
 * The block as JSON-RPC shows it. `isWhole` shows its transactions in full, not only their hashes. The roots
 * of Merkle trees are zero, because this chain builds no trees.
 */
export async function readBlock(store: Store, head: Head, number: number, isWhole: boolean): Promise<object> {
  const [{ transactions, gasUsed, logsBloom }, parent] = await Promise.all([
    readFilled(store, number),
    readFilled(store, number - 1),
  ]);
  const hashes = transactions.map(({ hash }) => hash);
  return {
    hash: blockHash(head, number, hashes),
    parentHash:
      number === 0
        ? NO_BYTES
        : blockHash(
            head,
            number - 1,
            parent.transactions.map(({ hash }) => hash),
          ),
    sha3Uncles: NO_UNCLES,
    miner: `0x${'0'.repeat(40)}`,
    stateRoot: NO_BYTES,
    transactionsRoot: NO_BYTES,
    receiptsRoot: NO_BYTES,
    logsBloom,
    difficulty: '0x0',
    number: toHex(number),
    gasLimit: toHex(BLOCK_GAS),
    gasUsed,
    timestamp: toHex(timestampOf(head, number)),
    extraData: '0x',
    mixHash: NO_BYTES,
    nonce: '0x0000000000000000',
    baseFeePerGas: toHex(BASE_FEE),
    withdrawalsRoot: NO_BYTES,
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: NO_BYTES,
    requestsHash: NO_BYTES,
    totalDifficulty: '0x0',
    size: '0x0',
    uncles: [],
    transactions: isWhole ? transactions : hashes,
    withdrawals: [],
  };
}
