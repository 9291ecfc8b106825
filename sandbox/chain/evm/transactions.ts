import type { TypedTransaction } from '@ethereumjs/tx';
import { bytesToHex } from '@ethereumjs/util';
import type { RunTxResult } from '@ethereumjs/vm';
import type { Log, Receipt, Transaction } from './blocks.ts';
import type { Offer } from './pool.ts';
import { BASE_FEE } from './terms.ts';
import { toHex } from './wire.ts';

/** Where a transaction was mined. */
export type Spot = { blockHash: string; blockNumber: string; timestamp: string; index: number };

/** The data of a transaction by which the pool decides whether to accept it. */
export function offerOf(tx: TypedTransaction): Offer {
  return {
    hash: bytesToHex(tx.hash()),
    raw: bytesToHex(tx.serialize()),
    from: tx.getSenderAddress().toString(),
    nonce: Number(tx.nonce),
    ...feesOf(tx),
    chainId: tx.common.chainId(),
    gasLimit: tx.gasLimit,
    intrinsicGas: tx.getMinimumGasLimit(),
    value: tx.value,
  };
}

function feesOf(tx: TypedTransaction) {
  if ('maxFeePerGas' in tx) {
    const { maxFeePerGas, maxPriorityFeePerGas } = tx;
    return { maxFeePerGas: toHex(maxFeePerGas), maxPriorityFeePerGas: toHex(maxPriorityFeePerGas) };
  }
  return { maxFeePerGas: toHex(tx.gasPrice), maxPriorityFeePerGas: toHex(tx.gasPrice) };
}

function priceOf(tx: TypedTransaction): bigint {
  const { maxFeePerGas, maxPriorityFeePerGas } = feesOf(tx);
  const [most, wanted] = [BigInt(maxFeePerGas), BASE_FEE + BigInt(maxPriorityFeePerGas)];
  return most < wanted ? most : wanted;
}

/** The transaction as JSON-RPC shows it. `spot` is absent while the transaction waits for a block. */
export function showTransaction(tx: TypedTransaction, spot?: Spot): Transaction {
  const { data, gasLimit, ...fields } = tx.toJSON();
  return {
    ...fields,
    chainId: toHex(tx.common.chainId()),
    type: toHex(tx.type),
    gas: gasLimit,
    gasPrice: toHex(priceOf(tx)),
    to: tx.to?.toString() ?? null,
    input: data ?? '0x',
    from: tx.getSenderAddress().toString(),
    hash: bytesToHex(tx.hash()),
    v: fields.v ?? '0x0',
    yParity: fields.yParity ?? fields.v ?? '0x0',
    blockHash: spot?.blockHash ?? null,
    blockNumber: spot?.blockNumber ?? null,
    blockTimestamp: spot?.timestamp ?? null,
    transactionIndex: spot ? toHex(spot.index) : null,
  };
}

/**
 * Shows a receipt as JSON-RPC does. `firstLog` is how many logs the earlier transactions of the block have.
 */
export function showReceipt(
  tx: TypedTransaction,
  result: RunTxResult,
  { spot, firstLog }: { spot: Spot; firstLog: number },
): Receipt {
  const { receipt, totalGasSpent, createdAddress, bloom, execResult } = result;
  const hash = bytesToHex(tx.hash());
  return {
    type: toHex(tx.type),
    status: execResult.exceptionError ? '0x0' : '0x1',
    cumulativeGasUsed: toHex(receipt.cumulativeBlockGasUsed),
    logs: receipt.logs.map((log, index) => showLog(log, { hash, spot, index: firstLog + index })),
    logsBloom: bytesToHex(bloom.bitvector),
    transactionHash: hash,
    transactionIndex: toHex(spot.index),
    blockHash: spot.blockHash,
    blockNumber: spot.blockNumber,
    gasUsed: toHex(totalGasSpent),
    effectiveGasPrice: toHex(priceOf(tx)),
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString() ?? null,
    contractAddress: createdAddress?.toString() ?? null,
  };
}

function showLog(
  [address, topics, data]: RunTxResult['receipt']['logs'][number],
  { hash, spot, index }: { hash: string; spot: Spot; index: number },
): Log {
  return {
    address: bytesToHex(address),
    topics: topics.map((topic) => bytesToHex(topic)),
    data: bytesToHex(data),
    blockHash: spot.blockHash,
    blockNumber: spot.blockNumber,
    blockTimestamp: spot.timestamp,
    transactionHash: hash,
    transactionIndex: toHex(spot.index),
    logIndex: toHex(index),
    removed: false,
  };
}
