import { Transaction } from 'ethers';
import { Unavailable } from '../../domain/errors.ts';
import type { Owned } from '../../domain/treasury/settlement.ts';
import type { Chain } from './chain.ts';
import { encodeTransfer } from './erc20.ts';
import { quantity, type Rpc } from './rpc.ts';

/**
 * A fixed limit, so that no node's estimate changes the signed bytes. It is twice the gas of the most expensive
 * transfer through a proxy contract.
 */
export const GAS_LIMIT = 120_000n;

const FEE_CAP_GWEI = 500;
const WEI_PER_GWEI = 1e9;

export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; isOverCap: boolean };

type Payment = Pick<Owned, 'nonce' | 'asset' | 'to' | 'units'>;

/** Builds the transaction of the payment (docs/settlement.md, step 4). */
export function buildPayment(payment: Payment, chain: Chain, fees: Fees): Transaction {
  return Transaction.from({
    type: 2,
    chainId: chain.chainId,
    nonce: payment.nonce,
    to: chain.tokens[payment.asset].address,
    data: encodeTransfer(payment.to, payment.units),
    value: 0n,
    gasLimit: GAS_LIMIT,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  });
}

/**
 * Builds the transaction that cancels a payment (docs/settlement.md, step 8). The wallet sends a transaction
 * without value to itself, which uses up the nonce.
 */
export function buildCancel({ nonce, wallet }: Owned, chain: Chain, fees: Fees): Transaction {
  return Transaction.from({
    type: 2,
    chainId: chain.chainId,
    nonce,
    to: wallet,
    data: '0x',
    value: 0n,
    gasLimit: GAS_LIMIT,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  });
}

/**
 * Reads the fees for a new transaction, at most the cap. They allow the base fee to double, which takes six full
 * blocks.
 */
export async function readFees(rpc: Rpc, chain: Chain): Promise<Fees> {
  const [history, priority] = await Promise.all([
    rpc.call('eth_feeHistory', ['0x1', 'latest', []]),
    rpc.call('eth_maxPriorityFeePerGas', []),
  ]);
  const [base, tip] = [nextBaseFee(history), quantity(priority)];
  return capped({ maxFeePerGas: base * 2n + tip, maxPriorityFeePerGas: tip }, chain, base + tip);
}

/**
 * Computes the fees of a transaction that replaces the transaction `raw`. Nodes require both fees to rise by
 * 10 %; we raise them by 20 %. Undefined if the cap forbids that.
 */
export function bumpFees(raw: string, fresh: Fees, chain: Chain): Fees | undefined {
  const old = Transaction.from(raw);
  const raised = (value: bigint | null, floor: bigint) => larger(((value ?? 0n) * 12n + 9n) / 10n, floor);
  const maxFeePerGas = raised(old.maxFeePerGas, fresh.maxFeePerGas);
  const maxPriorityFeePerGas = raised(old.maxPriorityFeePerGas, fresh.maxPriorityFeePerGas);
  const fees = capped({ maxFeePerGas, maxPriorityFeePerGas }, chain, maxFeePerGas);
  return fees.isOverCap ? undefined : fees;
}

function capped(fees: Omit<Fees, 'isOverCap'>, chain: Chain, needed: bigint): Fees {
  const cap = BigInt(Math.round((chain.feeCapGwei ?? FEE_CAP_GWEI) * WEI_PER_GWEI));
  const smaller = (value: bigint) => (value < cap ? value : cap);
  return {
    maxFeePerGas: smaller(fees.maxFeePerGas),
    maxPriorityFeePerGas: smaller(fees.maxPriorityFeePerGas),
    isOverCap: needed > cap,
  };
}

function nextBaseFee(history: unknown): bigint {
  const fees = (history as { baseFeePerGas?: unknown[] } | null)?.baseFeePerGas;
  if (!Array.isArray(fees)) throw new Unavailable('chain RPC');
  return quantity(fees.at(-1));
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
