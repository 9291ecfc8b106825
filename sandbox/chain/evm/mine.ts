import type { TypedTransaction } from '@ethereumjs/tx';
import { bytesToHex } from '@ethereumjs/util';
import { Bloom, type RunTxResult, type VM } from '@ethereumjs/vm';
import { DEPLOYER } from '../owner.ts';
import { releaseCall } from '../traps.ts';
import { blockHash, type Filled, type Receipt, type Transaction } from './blocks.ts';
import {
  BLOCKS_A_ROW,
  blockKey,
  type Chain,
  filledKey,
  type Head,
  type OpenTrap,
  type Pooled,
  sentKey,
  timestampOf,
} from './head.ts';
import { countTraps } from './open-traps.ts';
import { pendingNonce } from './pool.ts';
import { BlockState, type Row } from './state.ts';
import { offerOf, type Spot, showReceipt, showTransaction } from './transactions.ts';
import { openVm, parseTransaction, runIn, signAsOwner } from './vm.ts';
import { toHex } from './wire.ts';

/**
 * The head after the next block, and the other rows that must be written in the same DynamoDB transaction.
 */
export type Mined = { head: Head; rows: Row[] };

type Run = { tx: TypedTransaction; result: RunTxResult };

/**
 * DynamoDB writes at most 100 rows in one transaction. For a block these are the changed state, one row for
 * each of the block's transactions, and three other rows.
 */
const MOST_ROWS = 100;
const OTHER_ROWS = 3;

/**
 * Makes the next block. It takes the waiting transactions whose nonce is their sender's next one. If there
 * are none, the head keeps its number and no row is written.
 */
export async function mineNext({ store }: Chain, head: Head): Promise<Mined> {
  const number = head.number + 1;
  const state = new BlockState(store, head.number);
  const place = { number, timestamp: timestampOf(head, number) };
  const { runs, kept } = await runPool(state, place, head.pool);
  if (runs.length === 0) return { head: { ...head, pool: kept }, rows: [] };
  const block = showBlock(head, number, runs);
  const { open, ended } = countTraps(head.traps, block);
  const releases = await signReleases(state, kept, ended);
  return {
    head: { ...head, number, pool: [...kept, ...releases], traps: open },
    rows: [...(await state.changedRows(number)), ...(await rowsOf(store, number, block))],
  };
}

async function runPool(state: BlockState, place: { number: number; timestamp: number }, pool: Pooled[]) {
  const vm = await openVm(state);
  const runs: Run[] = [];
  const kept: Pooled[] = [];
  let isFull = false;
  for (const entry of pool) {
    const tx = parseTransaction(entry.raw);
    const nonce = (await state.getAccount(tx.getSenderAddress()))?.nonce ?? 0n;
    if (tx.nonce < nonce) continue;
    const run = isFull || tx.nonce > nonce ? 'KEPT' : await runOne(vm, state, { tx, place, runs });
    if (typeof run === 'object') runs.push(run);
    if (run !== 'KEPT') continue;
    kept.push(entry);
    isFull ||= tx.nonce === nonce;
  }
  return { runs, kept };
}

type Turn = { tx: TypedTransaction; place: { number: number; timestamp: number }; runs: readonly Run[] };

/**
 * Runs a waiting transaction. `DROPPED`: its sender can no longer pay for it, or it fits in no block. `KEPT`:
 * it waits for the next block.
 */
async function runOne(vm: VM, state: BlockState, turn: Turn): Promise<Run | 'KEPT' | 'DROPPED'> {
  const { tx, place, runs } = turn;
  await state.checkpoint();
  try {
    const before = runs.at(-1)?.result.receipt.cumulativeBlockGasUsed ?? 0n;
    const result = await runIn(vm, place, { tx, blockGasUsed: before });
    const isRoom = state.touched + runs.length + 1 + OTHER_ROWS <= MOST_ROWS;
    if (!isRoom) {
      await state.revert();
      return runs.length > 0 ? 'KEPT' : 'DROPPED';
    }
    await state.commit();
    return { tx, result };
  } catch (error) {
    await state.revert();
    console.warn('a transaction was dropped:', (error as Error).message.slice(0, 200));
    return 'DROPPED';
  }
}

function showBlock(head: Head, number: number, runs: readonly Run[]): Filled {
  const hashes = runs.map(({ tx }) => bytesToHex(tx.hash()));
  const place = {
    blockHash: blockHash(head, number, hashes),
    blockNumber: toHex(number),
    timestamp: toHex(timestampOf(head, number)),
  };
  const bloom = new Bloom();
  const transactions: Transaction[] = [];
  const receipts: Receipt[] = [];
  let firstLog = 0;
  for (const [index, { tx, result }] of runs.entries()) {
    const spot: Spot = { ...place, index };
    transactions.push(showTransaction(tx, spot));
    receipts.push(showReceipt(tx, result, { spot, firstLog }));
    firstLog += result.receipt.logs.length;
    bloom.or(result.bloom);
  }
  const gasUsed = toHex(runs.at(-1)?.result.receipt.cumulativeBlockGasUsed ?? 0n);
  return { transactions, receipts, gasUsed, logsBloom: bytesToHex(bloom.bitvector) };
}

async function rowsOf(store: Chain['store'], number: number, block: Filled): Promise<Row[]> {
  const key = filledKey(Math.floor(number / BLOCKS_A_ROW));
  const filled = (await store.get<number[]>(key))?.value ?? [];
  return [
    { key: blockKey(number), value: block },
    { key, value: [...filled, number] },
    ...block.transactions.map(({ hash }, index) => ({ key: sentKey(hash), value: { number, index } })),
  ];
}

/**
 * Signs a release of each trap that has made all its transfers revert, as the contracts' owner. The releases
 * go to the end of the pool, and so they are mined before any transfer that arrives later.
 */
async function signReleases(state: BlockState, pool: readonly Pooled[], ended: readonly OpenTrap[]) {
  if (ended.length === 0) return [];
  const first = pendingNonce(pool, DEPLOYER, await state.nonceOf(DEPLOYER));
  return ended.map((trap, index) => {
    const { hash, raw, from, nonce, maxFeePerGas, maxPriorityFeePerGas } = offerOf(
      signAsOwner(releaseCall({ ...trap, units: BigInt(trap.units) }), first + index),
    );
    return { hash, raw, from, nonce, maxFeePerGas, maxPriorityFeePerGas };
  });
}
