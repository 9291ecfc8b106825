import { Unavailable } from '../../domain/errors.ts';
import type { Receipt, Settlement } from '../../domain/settlement.ts';
import { type Chain, isSameAddress } from './chain.ts';
import { isTransfer, type Log } from './erc20.ts';
import { quantity, type Rpc, toHex } from './rpc.ts';

type Mined = { hash: string; isSuccess: boolean; blockNumber: bigint; blockHash: string; logs: Log[] };

/** Receipts of all signed transactions of the nonce that are in the canonical chain (docs/settlement.md, step 6). */
export async function readReceipts(rpc: Rpc, chain: Chain, settlement: Settlement): Promise<Receipt[]> {
  // The head first: confirmations are counted too low rather than too high.
  const head = quantity(await rpc.call('eth_blockNumber', []));
  const found = await Promise.all(settlement.attempts.map(({ hash }) => readMined(rpc, hash)));
  const mined = found.filter((each) => each !== undefined);
  return Promise.all(mined.map((each) => toReceipt(rpc, chain, settlement, each, head))).then(canonical);
}

function canonical(receipts: (Receipt | undefined)[]): Receipt[] {
  return receipts.filter((each) => each !== undefined);
}

async function toReceipt(
  rpc: Rpc,
  chain: Chain,
  settlement: Settlement,
  mined: Mined,
  head: bigint,
): Promise<Receipt | undefined> {
  const block = await rpc.call('eth_getBlockByNumber', [toHex(mined.blockNumber), false]);
  // A block of that height with another hash has taken its place.
  if (!isRecord(block) || !isSameAddress(String(block.hash), mined.blockHash)) return undefined;
  return {
    hash: mined.hash,
    succeeded: mined.isSuccess,
    transferred: hasTransfer(chain, settlement, mined.logs),
    blockNumber: Number(mined.blockNumber),
    confirmations: Number(head - mined.blockNumber) + 1,
    isFinal: await isFinal(rpc, chain, mined.blockNumber, head),
  };
}

/** Success is the token's own word that the right amount went to the right place: USDT answers nothing else. */
function hasTransfer(chain: Chain, settlement: Settlement, logs: Log[]): boolean {
  const wanted = {
    token: chain.tokens[settlement.asset].address,
    from: settlement.wallet ?? '',
    to: settlement.to,
    units: settlement.units,
  };
  return logs.some((log) => isTransfer(log, wanted));
}

async function isFinal(rpc: Rpc, chain: Chain, blockNumber: bigint, head: bigint): Promise<boolean> {
  if (typeof chain.finality === 'number') return head - blockNumber + 1n >= BigInt(chain.finality);
  const block = await rpc.call('eth_getBlockByNumber', ['finalized', false]);
  return isRecord(block) && quantity(block.number) >= blockNumber;
}

/** A node that lags answers null for what is mined, so null is asked again at the next. */
async function readMined(rpc: Rpc, hash: string): Promise<Mined | undefined> {
  const found = await rpc.call('eth_getTransactionReceipt', [hash], (result) => result !== null);
  if (found === null || (isRecord(found) && found.blockHash === null)) return undefined;
  if (!isRecord(found) || !isSameAddress(String(found.transactionHash), hash))
    throw new Unavailable('chain RPC');
  return {
    hash,
    isSuccess: isSuccess(found.status),
    blockNumber: quantity(found.blockNumber),
    blockHash: String(found.blockHash),
    logs: requireLogs(found.logs),
  };
}

function isSuccess(status: unknown): boolean {
  const value = quantity(status);
  if (value > 1n) throw new Unavailable('chain RPC');
  return value === 1n;
}

function requireLogs(logs: unknown): Log[] {
  if (!Array.isArray(logs) || !logs.every(isRecord)) throw new Unavailable('chain RPC');
  return logs as Log[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
