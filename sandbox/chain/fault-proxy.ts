import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transaction } from 'ethers';
import { type Client, type RpcError, reword, say } from './node-words.ts';
import { rpc } from './rpc.ts';

/** The faults of a node and of the connection to it. Set the fields while the proxy runs. */
export type Faults = {
  /** The proxy closes each connection, and the node does not get the call. */
  down: boolean;
  /**
   * The node executes the call, but the proxy drops the answer. True means for all methods, and a list for
   * the methods that it names.
   */
  dropAnswers: boolean | string[];
  /**
   * The receipt of a mined transaction reads as null. This happens behind a load balancer if one of its nodes
   * lags.
   */
  nullReceipts: boolean;
  /** Each call that sends a transaction gets this error. The node does not get the call. */
  refuseSends: RpcError | undefined;
  /** Reads at `latest` and `pending` show the chain as it was this many blocks ago. */
  staleBlocks: number;
  /**
   * Applies geth's rule: a transaction that replaces another must raise each fee by at least 10 %. anvil
   * accepts any increase.
   */
  gethReplacementRule: boolean;
  /** The client software in whose words the proxy reports a refused transaction: see `node-words.ts`. */
  words: Client | undefined;
  delayMs: number;
};

export type FaultProxy = {
  url: string;
  faults: Faults;
  /** The methods of all calls in the order of arrival. A call whose answer was dropped is also here. */
  calls: string[];
  /** Removes all faults. */
  heal: () => void;
  stop: () => Promise<void>;
};

type Call = { id: unknown; method: string; params?: unknown[] };
type Reply = { jsonrpc: '2.0'; id: unknown; result?: unknown; error?: RpcError };

const healthy: Faults = {
  down: false,
  dropAnswers: false,
  nullReceipts: false,
  refuseSends: undefined,
  staleBlocks: 0,
  gethReplacementRule: false,
  words: undefined,
  delayMs: 0,
};

/** A JSON-RPC proxy in front of the node at `target`. It has the faults that a test sets. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const faults = { ...healthy };
  const calls: string[] = [];
  const server = createServer((request, response) => {
    serve(request, response, { target, faults, calls }).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    calls,
    heal: () => void Object.assign(faults, healthy),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Proxy = { target: string; faults: Faults; calls: string[] };

async function serve(request: IncomingMessage, response: ServerResponse, proxy: Proxy): Promise<void> {
  const body = JSON.parse(await readText(request)) as Call | Call[];
  const batch = Array.isArray(body) ? body : [body];
  proxy.calls.push(...batch.map(({ method }) => method));
  if (proxy.faults.down) return void request.socket.destroy();
  if (proxy.faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, proxy.faults.delayMs));

  const replies: Reply[] = [];
  for (const call of batch) replies.push(await answer(call, proxy));
  if (batch.some(({ method }) => isDropped(method, proxy.faults))) return void request.socket.destroy();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const isDropped = (method: string, { dropAnswers }: Faults) =>
  Array.isArray(dropAnswers) ? dropAnswers.includes(method) : dropAnswers;

async function answer(call: Call, proxy: Proxy): Promise<Reply> {
  const { faults, target } = proxy;
  const reply = (part: Pick<Reply, 'result' | 'error'>): Reply => ({ jsonrpc: '2.0', id: call.id, ...part });
  const isSend = call.method === 'eth_sendRawTransaction';
  if (isSend && faults.refuseSends) return reply({ error: faults.refuseSends });
  if (isSend && faults.gethReplacementRule && (await isUnderpriced(call, target))) {
    return reply({ error: say('replacementUnderpriced', faults.words ?? 'geth') });
  }
  if (call.method === 'eth_getTransactionReceipt' && faults.nullReceipts) return reply({ result: null });

  const head = faults.staleBlocks > 0 ? await staleHead(proxy) : undefined;
  if (head !== undefined && call.method === 'eth_blockNumber') return reply({ result: hex(head) });
  const forwarded = await forward(head === undefined ? call : withHead(call, head), target);
  if (head !== undefined && isAfter(forwarded.result, head)) return { ...forwarded, result: null };
  if (!isSend || !faults.words || !forwarded.error) return forwarded;
  return { ...forwarded, error: reword(forwarded.error, faults.words) };
}

async function forward(call: Call, target: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', ...call });
  return (await (await fetch(target, { method: 'POST', headers, body })).json()) as Reply;
}

const hex = (value: number) => `0x${value.toString(16)}`;

async function staleHead({ target, faults }: Proxy): Promise<number> {
  return Math.max(0, Number(await rpc<string>(target, 'eth_blockNumber')) - faults.staleBlocks);
}

/**
 * Changes a call so that it reads the state after block `head`, as on a lagging node. That node has neither
 * the newest blocks nor the pending transactions of other nodes.
 */
function withHead(call: Call, head: number): Call {
  const params = call.params?.map((one) => (one === 'latest' || one === 'pending' ? hex(head) : one));
  // These methods read at `latest` if the call names no block. The number is the count of parameters before
  // the block.
  const implied = { eth_call: 1, eth_getBalance: 1, eth_getCode: 1, eth_getTransactionCount: 1 }[call.method];
  if (implied !== undefined && params?.length === implied) params.push(hex(head));
  return { ...call, params };
}

/**
 * True for a receipt or a transaction that was mined after block `head`. A lagging node does not know it yet.
 */
function isAfter(result: unknown, head: number): boolean {
  if (typeof result !== 'object' || result === null || !('blockNumber' in result)) return false;
  return typeof result.blockNumber === 'string' && Number(result.blockNumber) > head;
}

type Pooled = { hash: string; maxFeePerGas?: string; maxPriorityFeePerGas?: string; gasPrice?: string };
type Pool = Record<'pending' | 'queued', Record<string, Record<string, Pooled>>>;

async function isUnderpriced(call: Call, target: string): Promise<boolean> {
  const next = Transaction.from(String(call.params?.[0]));
  const pool = await rpc<Pool>(target, 'txpool_content');
  const known = findPooled(pool, next);
  if (!known || known.hash === next.hash) return false;
  const feeCap = BigInt(known.maxFeePerGas ?? known.gasPrice ?? 0);
  const tip = BigInt(known.maxPriorityFeePerGas ?? known.gasPrice ?? 0);
  const nextFeeCap = next.maxFeePerGas ?? next.gasPrice ?? 0n;
  const nextTip = next.maxPriorityFeePerGas ?? next.gasPrice ?? 0n;
  return !isRaised(feeCap, nextFeeCap) || !isRaised(tip, nextTip);
}

/** Checks geth's rule `priceBump`: the new fee is above the former one, and at least 110 % of it. */
const isRaised = (from: bigint, to: bigint) => to > from && to >= (from * 110n) / 100n;

function findPooled(pool: Pool, { from, nonce }: Transaction): Pooled | undefined {
  for (const senders of [pool.pending, pool.queued]) {
    const sender = Object.keys(senders).find((address) => address.toLowerCase() === from?.toLowerCase());
    const found = sender && senders[sender]?.[String(nonce)];
    if (found) return found;
  }
  return undefined;
}
