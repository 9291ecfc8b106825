import { CHAIN_ID, DEPLOYER } from '../owner.ts';
import { accountAt } from './accounts.ts';
import { readBlock, readFilled } from './blocks.ts';
import { advance } from './clock.ts';
import { type Chain, codeKey, type Head, sentKey, timestampOf } from './head.ts';
import { type LogFilter, readLogs } from './logs.ts';
import { pendingNonce } from './pool.ts';
import { BASE_FEE, TIP } from './terms.ts';
import { STATES_KEPT } from './versions.ts';
import type { Act, Call } from './vm.ts';
import { isSame, NodeError, toHex } from './wire.ts';

/** A chain, and its head after all due blocks were made. */
type At = { chain: Chain; head: Head };
/**
 * One JSON-RPC method. Its parameters come from the caller unchecked, and it throws for those that it cannot
 * use.
 */
type Method = (at: At, params: unknown[]) => Promise<unknown>;

/**
 * By block tag: how far the tag's block is behind the newest block. The numbers are those of the local anvil.
 */
const DEPTHS = new Map([
  ['latest', 0],
  ['pending', 0],
  ['safe', 1],
  ['finalized', 2],
]);

function numberOf({ number }: Head, tag: unknown = 'latest'): number {
  if (tag === 'earliest') return 0;
  const depth = DEPTHS.get(String(tag));
  if (depth !== undefined) return Math.max(0, number - depth);
  if (typeof tag === 'string' && /^0x[0-9a-f]+$/i.test(tag)) return Number(tag);
  throw new NodeError(`invalid argument: ${String(tag).slice(0, 40)} is no block`, -32602);
}

/**
 * Returns the number of the block that the tag names. Throws if the chain no longer keeps the block's state,
 * or if the block does not exist yet.
 */
function stateNumber(head: Head, tag: unknown): number {
  const number = numberOf(head, tag);
  if (number > head.number) throw new NodeError('header not found');
  if (number <= head.number - STATES_KEPT) throw new NodeError('missing trie node: state was pruned');
  return number;
}

function addressIn(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)) return value;
  throw new NodeError('invalid argument: no address', -32602);
}

const account = ({ chain, head }: At, address: unknown, tag: unknown) =>
  accountAt(chain.store, addressIn(address), stateNumber(head, tag));

async function codeAt(at: At, address: unknown, tag: unknown): Promise<string> {
  const { codeHash } = await account(at, address, tag);
  return (codeHash && (await at.chain.store.get<string>(codeKey(codeHash)))?.value) ?? '0x';
}

async function transactionCount(at: At, address: unknown, tag: unknown): Promise<string> {
  const { nonce } = await account(at, address, tag);
  return toHex(tag === 'pending' ? pendingNonce(at.head.pool, addressIn(address), nonce) : nonce);
}

/** A mined transaction with its receipt. Undefined if no block contains the transaction. */
async function findMined({ chain }: At, hash: unknown) {
  const sent = await chain.store.get<{ number: number; index: number }>(sentKey(String(hash).toLowerCase()));
  if (!sent) return undefined;
  const { transactions, receipts } = await readFilled(chain.store, sent.value.number);
  return { transaction: transactions[sent.value.index], receipt: receipts[sent.value.index] };
}

async function transactionBy(at: At, hash: unknown): Promise<unknown> {
  const mined = await findMined(at, hash);
  if (mined) return mined.transaction;
  const pooled = at.head.pool.find((each) => isSame(each.hash, String(hash)));
  return pooled ? (await import('./send.ts')).showPooled(pooled.raw) : null;
}

const HEX_DATA = /^0x([0-9a-f]{2})*$/i;
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

function callIn(asked: unknown): Call {
  if (typeof asked !== 'object' || asked === null) throw new NodeError('invalid argument: no call', -32602);
  const { from, to, data, input, value } = asked as Record<string, unknown>;
  const bytes = input ?? data ?? '0x';
  const isGood = HEX_DATA.test(String(bytes)) && (value === undefined || QUANTITY.test(String(value)));
  if (!isGood) throw new NodeError('invalid argument: data or value is not hex', -32602);
  return {
    from: from === undefined ? undefined : addressIn(from),
    to: to === undefined || to === null ? undefined : addressIn(to),
    data: String(bytes),
    value: value === undefined ? undefined : String(value),
  };
}

async function openCall({ chain, head }: At, asked: unknown, tag: unknown) {
  const call = callIn(asked);
  const number = stateNumber(head, tag);
  const [vm, { BlockState }] = await Promise.all([import('./vm.ts'), import('./state.ts')]);
  const state = new BlockState(chain.store, number);
  return { vm, state, place: { number, timestamp: timestampOf(head, number) }, call };
}

function feeHistory({ head }: At, count: unknown, tag: unknown) {
  const newest = Math.min(numberOf(head, tag), head.number);
  const blocks = Math.min(Math.max(1, Number(count) || 1), newest + 1);
  const base = Array.from({ length: blocks + 1 }, () => toHex(BASE_FEE));
  const used = Array.from({ length: blocks }, () => 0);
  return { oldestBlock: toHex(newest - blocks + 1), baseFeePerGas: base, gasUsedRatio: used, reward: [] };
}

/** The methods that everybody may call. */
const METHODS = new Map<string, Method>(
  Object.entries({
    eth_chainId: async () => toHex(CHAIN_ID),
    net_version: async () => String(CHAIN_ID),
    eth_blockNumber: async ({ head }) => toHex(head.number),
    eth_gasPrice: async () => toHex(BASE_FEE + TIP),
    eth_maxPriorityFeePerGas: async () => toHex(TIP),
    eth_feeHistory: async (at, [count, tag]) => feeHistory(at, count, tag),
    eth_getBalance: async (at, [address, tag]) => (await account(at, address, tag)).balance,
    eth_getCode: (at, [address, tag]) => codeAt(at, address, tag),
    eth_getTransactionCount: (at, [address, tag]) => transactionCount(at, address, tag),
    eth_getTransactionByHash: (at, [hash]) => transactionBy(at, hash),
    eth_getTransactionReceipt: async (at, [hash]) => (await findMined(at, hash))?.receipt ?? null,
    eth_getBlockByNumber: async ({ chain, head }, [tag, isWhole]) => {
      const number = numberOf(head, tag);
      return number > head.number ? null : readBlock(chain.store, head, number, isWhole === true);
    },
    eth_getLogs: async ({ chain, head }, [filter]) => {
      const { fromBlock, toBlock, ...wanted } = (filter ?? {}) as LogFilter & Record<string, unknown>;
      const last = Math.min(numberOf(head, toBlock), head.number);
      return readLogs(chain.store, { first: numberOf(head, fromBlock), last }, wanted);
    },
    eth_call: async (at, [asked, tag]) => {
      const { vm, state, place, call } = await openCall(at, asked, tag);
      return vm.tryCall(state, place, call);
    },
    eth_estimateGas: async (at, [asked, tag]) => {
      const { vm, state, place, call } = await openCall(at, asked, tag);
      return toHex(await vm.estimateGas(state, place, call));
    },
    eth_sendRawTransaction: async ({ chain }, [raw]) =>
      (await import('./send.ts')).sendRaw(chain, String(raw)),
  } satisfies Record<string, Method>),
);

/**
 * The methods that only the sandbox's own tools may call, with anvil's names. They act as the owner of the
 * test contracts.
 */
const OWNER_METHODS = new Map<string, Method>(
  Object.entries({
    eth_sendTransaction: async ({ chain }, [act]) => {
      const { from, ...call } = act as Act & { from?: string; nonce?: string };
      if (from !== undefined && !isSame(from, DEPLOYER)) throw new NodeError('unknown account');
      return (await import('./send.ts')).sendAsOwner(chain, call);
    },
    anvil_setBalance: async ({ chain }, [address, wei]) =>
      (await import('./send.ts')).setBalance(chain, addressIn(address), String(wei)),
    // Does nothing, because on this chain a block is made when the clock says so. All instances therefore
    // agree about the blocks.
    evm_mine: async () => '0x0',
  } satisfies Record<string, Method>),
);

/** A call as the caller sent it, unchecked. */
export type Asked = { id?: unknown; method?: unknown; params?: unknown };

/** Answers one JSON-RPC call. Only with `isOwner` may the caller use the methods of `OWNER_METHODS`. */
export async function answer(chain: Chain, asked: Asked, isOwner: boolean): Promise<object> {
  const { id = null, method, params } = asked;
  const name = String(method);
  try {
    const run = METHODS.get(name) ?? (isOwner ? OWNER_METHODS.get(name) : undefined);
    if (!run) throw new NodeError(`the method ${name.slice(0, 40)} does not exist/is not available`, -32601);
    const { value: head } = await advance(chain);
    const result = await run({ chain, head }, Array.isArray(params) ? params : []);
    return { jsonrpc: '2.0', id, result };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const { code, message, data } = error;
    return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
  }
}
