import type { Store } from '../../providers/store.ts';

/** A simulated chain's surroundings. All instances of the simulators share the chain of one store. */
export type Chain = {
  store: Store;
  now: () => number;
  /** The time between two blocks. The chain keeps the value of its first request. */
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

/** A trap that still has transfers to revert. `input` is the transfer's call data. */
export type OpenTrap = { token: string; to: string; units: string; input: string; left: number };

/**
 * The one row that every change of the chain replaces under its version. A block up to `number` may have been shown
 * to somebody, so a new transaction always gets a later one.
 */
export type Head = {
  genesisAt: number;
  blockMs: number;
  number: number;
  /** In the order of arrival. */
  pool: Pooled[];
  traps: OpenTrap[];
};

export const HEAD = 'chain/head';
export const blockKey = (number: number) => `chain/block/${number}`;
export const sentKey = (hash: string) => `chain/sent/${hash}`;
export const accountKey = (address: string) => `chain/account/${address}`;
export const slotKey = (address: string, slot: string) => `chain/slot/${address}/${slot}`;
export const codeKey = (hash: string) => `chain/code/${hash}`;

/** One row lists the blocks with transactions among so many blocks. */
export const BLOCKS_A_ROW = 1000;
export const filledKey = (row: number) => `chain/filled/${row}`;

const MS_PER_SECOND = 1000;

/** The seconds of a block. Blocks without transactions have no row: everything about them follows from the number. */
export function timestampOf({ genesisAt, blockMs }: Head, number: number): number {
  return Math.floor((genesisAt + number * blockMs) / MS_PER_SECOND);
}

/** The newest block that is due at this time. */
export function dueNumber({ genesisAt, blockMs }: Head, now: number): number {
  return Math.floor((now - genesisAt) / blockMs);
}
