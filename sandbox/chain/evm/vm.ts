import { type Block, createBlock } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createFeeMarket1559Tx, createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { bytesToHex, createAddressFromString, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { createVM, type RunTxResult, runTx, type VM } from '@ethereumjs/vm';
import { CHAIN_ID, DEPLOYER_KEY, OWNER_GAS } from '../owner.ts';
import type { BlockState } from './state.ts';
import { BASE_FEE, BLOCK_GAS, TIP } from './terms.ts';
import { NodeError } from './wire.ts';

/**
 * The gas limit of a trial call (`eth_call`). A transfer needs a fiftieth of it, and the deployment of a test
 * contract a quarter.
 */
const CALL_GAS = 5_000_000n;

const common = createCustomCommon({ chainId: CHAIN_ID }, Mainnet, { hardfork: Hardfork.Prague });

export type Call = { from?: string; to?: string; data: string; value?: string };
/**
 * The number and timestamp of the block in which a transaction or a trial call runs. The timestamp is in
 * seconds.
 */
export type Place = { number: number; timestamp: number };

/** Decodes a signed transaction. Throws a `NodeError` for bytes that are not a transaction. */
export function parseTransaction(raw: string): TypedTransaction {
  try {
    return createTxFromRLP(hexToBytes(raw as PrefixedHexString), { common });
  } catch (error) {
    throw new NodeError(`rlp: ${(error as Error).message.slice(0, 120)}`);
  }
}

/** A call that the contracts' owner signs. */
export type Act = { to?: string; data?: string; value?: string };

export function signAsOwner({ to, data, value }: Act, nonce: number): TypedTransaction {
  const fees = { maxFeePerGas: BASE_FEE * 2n + TIP, maxPriorityFeePerGas: TIP };
  const fields = { nonce, gasLimit: OWNER_GAS, ...fees, value: BigInt(value ?? 0) };
  const unsigned = createFeeMarket1559Tx(
    { ...fields, to: to as PrefixedHexString, data: (data ?? '0x') as PrefixedHexString },
    { common },
  );
  return unsigned.sign(hexToBytes(DEPLOYER_KEY));
}

export const openVm = (state: BlockState): Promise<VM> => createVM({ common, stateManager: state });

/** A transaction, and the gas used by the earlier transactions of its block. */
type Run = { tx: TypedTransaction; blockGasUsed: bigint };

/**
 * Runs a transaction and keeps its effects in the state. Throws for a transaction that no node would mine,
 * for example one with a wrong nonce.
 */
export function runIn(vm: VM, place: Place, { tx, blockGasUsed }: Run): Promise<RunTxResult> {
  return runTx(vm, { tx, block: blockAt(place), blockGasUsed, skipHardForkValidation: true });
}

/**
 * Makes a trial call (`eth_call`) without a gas price. Throws a `NodeError` with the contract's reason if the
 * call fails.
 */
export async function tryCall(state: BlockState, place: Place, call: Call): Promise<string> {
  const { returnValue, exceptionError } = await execute(state, place, call);
  if (exceptionError) throw refusalOf(exceptionError.error, bytesToHex(returnValue));
  return bytesToHex(returnValue);
}

/**
 * Finds the least gas with which the call succeeds, by bisection. Throws if the call fails even with
 * `CALL_GAS`.
 */
export async function estimateGas(state: BlockState, place: Place, call: Call): Promise<bigint> {
  const { intrinsic, used } = await measure(state, place, call);
  let [low, high] = [used - 1n, CALL_GAS];
  while (low + 1n < high) {
    const middle = (low + high) / 2n;
    const { exceptionError } = await execute(state, place, call, middle);
    if (exceptionError) low = middle;
    else high = middle;
  }
  return intrinsic + high;
}

async function measure(state: BlockState, place: Place, call: Call) {
  const { returnValue, exceptionError, executionGasUsed } = await execute(state, place, call);
  if (exceptionError) throw refusalOf(exceptionError.error, bytesToHex(returnValue));
  const bytes = dataOf(call);
  const words = call.to === undefined ? BigInt(Math.ceil(bytes.length / 32)) * 2n + 32_000n : 0n;
  const ofData = bytes.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 0n);
  return { intrinsic: 21_000n + ofData + words, used: executionGasUsed };
}

/** Runs a call, and then undoes its effects. */
async function execute(state: BlockState, place: Place, call: Call, gasLimit = CALL_GAS) {
  const vm = await openVm(state);
  const caller = createAddressFromString(call.from ?? `0x${'0'.repeat(40)}`);
  await state.checkpoint();
  const { execResult } = await vm.evm.runCall({
    caller,
    origin: caller,
    to: call.to === undefined ? undefined : createAddressFromString(call.to),
    data: dataOf(call),
    value: BigInt(call.value ?? 0),
    block: blockAt(place),
    gasLimit,
  });
  await state.revert();
  return execResult;
}

const dataOf = ({ data }: Call) => hexToBytes(data as PrefixedHexString);

function blockAt({ number, timestamp }: Place): Block {
  const header = { number, timestamp, gasLimit: BLOCK_GAS, baseFeePerGas: BASE_FEE };
  return createBlock({ header }, { common, skipConsensusFormatValidation: true });
}

/** The selector of `Error(string)`, with which Solidity's `require` reports its reason. */
const ERROR_SELECTOR = '0x08c379a0';

function refusalOf(error: string, data: string): NodeError {
  if (error !== 'revert') return new NodeError(error);
  const reason = data.startsWith(ERROR_SELECTOR) ? reasonOf(data) : undefined;
  return new NodeError(['execution reverted', reason].filter(Boolean).join(': '), 3, data);
}

/** Decodes the reason of a revert. Its text follows the selector, the offset and the length. */
function reasonOf(data: string): string {
  const words = data.slice(ERROR_SELECTOR.length);
  const length = Number(`0x${words.slice(64, 128)}`);
  return Buffer.from(words.slice(128, 128 + length * 2), 'hex').toString();
}
