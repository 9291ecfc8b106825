import type { Store } from '../../providers/store.ts';

/**
 * The surroundings of a simulated chain: its store, its clock and its pace. All instances of the simulators
 * share the chain in one store.
 */
export type Chain = {
  store: Store;
  now: () => number;
  /** The milliseconds between two blocks. The chain keeps the value that its first request found. */
  blockMs: number;
};

/** A signed transaction that waits for a block. Fees are in wei, in hex. */
export type Pooled = {
  hash: string;
  raw: string;
  from: string;
  nonce: number;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
};

/**
 * A trap that has not yet made all its transfers revert: see `Trap` in `../traps.ts`. `left` is the number of
 * reverts that remain, and `input` the call data of the transfer.
 */
export type OpenTrap = { token: string; to: string; units: string; input: string; left: number };

/**
 * The number of the newest block, the waiting transactions and the open traps, in one row. A change of the
 * chain replaces the row, and fails if another change was written meanwhile. A caller may have seen any block
 * up to `number`, so a new transaction always gets a later block.
 */
export type Head = {
  genesisAt: number;
  blockMs: number;
  number: number;
  /** Transactions in the order of arrival. */
  pool: Pooled[];
  traps: OpenTrap[];
};

export const HEAD = 'chain/head';
export const blockKey = (number: number) => `chain/block/${number}`;
export const sentKey = (hash: string) => `chain/sent/${hash}`;
export const accountKey = (address: string) => `chain/account/${address}`;
export const slotKey = (address: string, slot: string) => `chain/slot/${address}/${slot}`;
export const codeKey = (hash: string) => `chain/code/${hash}`;

/** An index row lists the blocks with transactions among this many block numbers. */
export const BLOCKS_A_ROW = 1000;
export const filledKey = (row: number) => `chain/filled/${row}`;

const MS_PER_SECOND = 1000;

/**
 * The block's timestamp in seconds. It follows from the block's number, because a block without transactions
 * has no row to store it.
 */
export function timestampOf({ genesisAt, blockMs }: Head, number: number): number {
  return Math.floor((genesisAt + number * blockMs) / MS_PER_SECOND);
}

/** The newest block that is due at this time. */
export function dueNumber({ genesisAt, blockMs }: Head, now: number): number {
  return Math.floor((now - genesisAt) / blockMs);
}
