import { Unavailable } from '../../domain/errors.ts';
import { getFirst } from '../../domain/get.ts';
import type { Owned } from '../../domain/treasury/settlement.ts';
import type { ChainReceipt } from '../../domain/treasury/verdict.ts';
import { type Chain, isSameAddress } from './chain.ts';
import { type ChainLog, isTransfer } from './erc20.ts';
import { asSilence, isQuantity, type Node, quantity, type Rpc, toHex } from './rpc.ts';

type ReceiptMined = {
  hash: string;
  isSuccess: boolean;
  blockNumber: bigint;
  blockHash: string;
  logs: ChainLog[];
  gasWei?: bigint;
};

/** One of our transactions, as one node shows it in its present chain. */
type ShownReceipt = Omit<ChainReceipt, 'nodes' | 'asked'> & { blockHash: string };

/**
 * Reads the receipts of all signed transactions of the nonce (docs/settlement.md, step 6). All facts of one receipt
 * come from the same node, so that no verdict mixes two forks. Nodes that agree give one receipt. Nodes that differ
 * give several, which counts as a doubt. `Unavailable`: no node answers.
 */
export async function readReceipts(rpc: Rpc, chain: Chain, settlement: Owned): Promise<ChainReceipt[]> {
  const nodes = await rpc.nodes();
  const views = await Promise.all(nodes.map((node) => readView(node, chain, settlement).catch(asSilence)));
  const heard = views.filter((view) => view !== undefined);
  if (heard.length === 0) throw new Unavailable('chain RPC');
  const versions = Map.groupBy(heard.flat(), (each) =>
    [each.hash, each.blockHash, each.succeeded, each.transferred].join(),
  );
  return [...versions.values()].map((shown) => asOne(shown, nodes.length));
}

/**
 * Merges equal receipts of several nodes into one. It has the lowest depth of all, and is final only if it is final at
 * each node.
 */
function asOne(shown: ShownReceipt[], asked: number): ChainReceipt {
  const { hash, succeeded, transferred, blockNumber, gasWei } = getFirst(shown);
  return {
    hash,
    succeeded,
    transferred,
    blockNumber,
    confirmations: Math.min(...shown.map((each) => each.confirmations)),
    isFinal: shown.every((each) => each.isFinal),
    gasWei: new Set(shown.map((each) => each.gasWei)).size === 1 ? gasWei : undefined,
    nodes: shown.length,
    asked,
  };
}

async function readView(node: Node, chain: Chain, settlement: Owned): Promise<ShownReceipt[]> {
  // The node's head is read first, and `toShown` reads the receipt's block later. If that block is still in
  // the chain then, the computed number of confirmations is not too high.
  const [head, ...found] = await Promise.all([
    node.call('eth_blockNumber', []).then(quantity),
    ...settlement.attempts.map(({ hash }) => readMined(node, hash)),
  ]);
  const mined = found.filter((each) => each !== undefined);
  const shown = await Promise.all(mined.map((each) => toShown(node, { chain, settlement, head }, each)));
  return shown.filter((each) => each !== undefined);
}

type SeenPayment = { chain: Chain; settlement: Owned; head: bigint };

async function toShown(
  node: Node,
  { chain, settlement, head }: SeenPayment,
  mined: ReceiptMined,
): Promise<ShownReceipt | undefined> {
  const [block, isBeyondReturn] = await Promise.all([
    node.call('eth_getBlockByNumber', [toHex(mined.blockNumber), false]),
    isFinal(node, chain, mined.blockNumber, head),
  ]);
  // A reorganisation has replaced the receipt's block by another one.
  if (!isRecord(block) || !isSameAddress(String(block.hash), mined.blockHash)) return undefined;
  return {
    hash: mined.hash,
    blockHash: mined.blockHash.toLowerCase(),
    succeeded: mined.isSuccess,
    transferred: hasTransfer(chain, settlement, mined.logs),
    blockNumber: Number(mined.blockNumber),
    confirmations: Number(head - mined.blockNumber) + 1,
    isFinal: isBeyondReturn,
    gasWei: mined.gasWei,
  };
}

/** Whether the token logged exactly this transfer. A receipt has no return value, so only the log proves it. */
function hasTransfer(chain: Chain, settlement: Owned, logs: ChainLog[]): boolean {
  const wanted = {
    token: chain.tokens[settlement.asset].address,
    from: settlement.wallet,
    to: settlement.to,
    units: settlement.units,
  };
  return logs.some((log) => isTransfer(log, wanted));
}

async function isFinal(node: Node, chain: Chain, blockNumber: bigint, head: bigint): Promise<boolean> {
  if (typeof chain.finality === 'number') return head - blockNumber + 1n >= BigInt(chain.finality);
  const block = await node.call('eth_getBlockByNumber', ['finalized', false]);
  return isRecord(block) && quantity(block.number) >= blockNumber;
}

async function readMined(node: Node, hash: string): Promise<ReceiptMined | undefined> {
  const found = await node.call('eth_getTransactionReceipt', [hash]);
  if (found === null || (isRecord(found) && found.blockHash === null)) return undefined;
  if (!isRecord(found) || !isSameAddress(String(found.transactionHash), hash))
    throw new Unavailable('chain RPC');
  return {
    hash,
    isSuccess: isSuccess(found.status),
    blockNumber: quantity(found.blockNumber),
    blockHash: String(found.blockHash),
    logs: requireLogs(found.logs),
    gasWei: gasWeiOf(found),
  };
}

/** The cost of the transaction. Undefined if the node does not tell it, because no payment may wait for the books. */
function gasWeiOf({ gasUsed, effectiveGasPrice }: Record<string, unknown>): bigint | undefined {
  return isQuantity(gasUsed) && isQuantity(effectiveGasPrice)
    ? BigInt(gasUsed) * BigInt(effectiveGasPrice)
    : undefined;
}

function isSuccess(status: unknown): boolean {
  const value = quantity(status);
  if (value > 1n) throw new Unavailable('chain RPC');
  return value === 1n;
}

function requireLogs(logs: unknown): ChainLog[] {
  if (!Array.isArray(logs) || !logs.every(isRecord)) throw new Unavailable('chain RPC');
  return logs as ChainLog[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
