import { Unavailable } from '../../domain/errors.ts';
import type { Post } from './post.ts';

/** Calls one node, or all nodes in turn until one answers. */
export type Node = { call(method: string, params: unknown[]): Promise<unknown> };

type Settings = { timeoutMs: number; post: Post };

/**
 * JSON-RPC over HTTP, without a library. A library's provider caches reads and polls by its own clock. With it, a
 * second send of the same bytes failed (docs/settlement.md, "What nodes do").
 */
export type Rpc = Node & {
  /**
   * Lists the nodes, so that a caller can ask each one separately. A fact must not be put together from the
   * answers of several nodes.
   */
  nodes(): Promise<Node[]>;
  /** Sends signed bytes to every node. It never throws. The answer is what the nodes said, which proves nothing. */
  broadcast(raw: string): Promise<string>;
};

/** A node answered with an error, such as a revert. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(error: { code: number; message: string; data?: unknown }) {
    super(error.message);
    this.name = 'RpcError';
    this.code = error.code;
    this.data = error.data;
  }
}

const REVERTED = [3, -32015];

/**
 * Whether a node ran the call and the contract refused it. Any other error, such as a rate limit or a missing
 * block, says nothing about the contract. Newer nodes answer an error code for a refusal. Other nodes answer
 * only a text, which differs between geth, Erigon, Nethermind, Besu and anvil.
 */
export function isRevert(error: unknown): error is RpcError {
  if (!(error instanceof RpcError)) return false;
  return REVERTED.includes(error.code) || /revert|invalid opcode|invalid jump/i.test(error.message);
}

/**
 * Whether the error is an outage: a provider did not answer, or a node answered an error or nonsense. A bug of our own
 * is no outage.
 */
export function isOutage(error: unknown): error is Unavailable | RpcError {
  return error instanceof Unavailable || error instanceof RpcError;
}

/** Turns an outage into undefined. Any other error is thrown. */
export function asSilence(error: unknown): undefined {
  if (!isOutage(error)) throw error;
}

export function jsonRpc(loadUrls: () => Promise<string[]>, settings: Settings): Rpc {
  return {
    async call(method, params) {
      let silence: unknown;
      for (const url of await loadUrls().catch(unreachable)) {
        const next = await settledCall(ask(url, method, params, settings));
        if ('result' in next) return next.result;
        silence = next.error;
        if (!isOutage(silence) || isRevert(silence)) break;
      }
      throw silence ?? new Unavailable('chain RPC');
    },
    async nodes() {
      const urls = await loadUrls().catch(unreachable);
      return urls.map((url) => ({ call: (method, params) => ask(url, method, params, settings) }));
    },
    async broadcast(raw) {
      const urls = await loadUrls().catch(() => []);
      const send = (url: string) => settledCall(ask(url, 'eth_sendRawTransaction', [raw], settings));
      const outcomes = await Promise.all(urls.map(send));
      if (outcomes.some((outcome) => 'result' in outcome)) return 'accepted';
      const refused = outcomes.find((outcome) => 'error' in outcome && outcome.error instanceof RpcError);
      return refused && 'error' in refused ? (refused.error as RpcError).message.slice(0, 120) : 'no answer';
    },
  };
}

function unreachable(): never {
  throw new Unavailable('chain RPC');
}

async function settledCall(asked: Promise<unknown>): Promise<{ result: unknown } | { error: unknown }> {
  return asked.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
}

async function ask(url: string, method: string, params: unknown[], settings: Settings): Promise<unknown> {
  const answer = await postRpc(url, { jsonrpc: '2.0', id: 1, method, params }, settings);
  if (isObject(answer) && isRpcFailure(answer.error)) throw new RpcError(answer.error);
  if (!isObject(answer) || answer.result === undefined) throw new Unavailable('chain RPC');
  return answer.result;
}

async function postRpc(url: string, body: unknown, settings: Settings): Promise<unknown> {
  try {
    const response = await settings.post(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(settings.timeoutMs),
    });
    if (response.ok) return await response.json();
  } catch {
    // The cause is dropped on purpose. It may contain the URL, and the URL contains the provider's key.
  }
  unreachable();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isRpcFailure(value: unknown): value is { code: number; message: string; data?: unknown } {
  return isObject(value) && typeof value.code === 'number' && typeof value.message === 'string';
}

const HEX = /^0x[0-9a-f]+$/i;

/** Whether a value of an answer is a number. */
export function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && HEX.test(value);
}

/** Reads a number from an answer. Any other value is `Unavailable`, because the node cannot be trusted. */
export function quantity(result: unknown): bigint {
  if (!isQuantity(result)) throw new Unavailable('chain RPC');
  return BigInt(result);
}

/** The number of the node's last block. */
export async function readHead(node: Node): Promise<bigint> {
  return quantity(await node.call('eth_blockNumber', []));
}

/** A block number in the form of JSON-RPC. */
export function toHex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

const WORD = /^0x[0-9a-f]{64}$/i;

/** Reads an answer of exactly 32 bytes. An address without a contract answers `0x`, which must not count as zero. */
export function word(answer: unknown): bigint {
  if (typeof answer !== 'string' || !WORD.test(answer)) throw new Unavailable('chain RPC');
  return BigInt(answer);
}

/** Reads a boolean from an answer: 0 or 1. Any other value is `Unavailable`. */
export function flag(value: bigint): boolean {
  if (value > 1n) throw new Unavailable('chain RPC');
  return value === 1n;
}
