import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KMSClient } from '@aws-sdk/client-kms';
import { SigningKey, Transaction } from 'ethers';
import type { Chain } from '../../functions/adapters/chain/chain.ts';
import { kmsSigner } from '../../functions/adapters/chain/kms-signer.ts';
import { toHex } from '../../functions/adapters/chain/rpc.ts';
import { type Asset, type PerAsset, perAsset } from '../../functions/domain/assets.ts';
import type { TokenCurrency } from '../../functions/domain/ledger.ts';
import { STATES_KEPT, startAnvil } from '../../sandbox/chain/anvil.ts';
import { balanceAt, balanceOf, deploy, fund, localChain, localTokens } from '../../sandbox/chain/deploy.ts';
import { DEPLOYER } from '../../sandbox/chain/owner.ts';
import { rpc as ask } from '../../sandbox/chain/rpc.ts';
import { fakeKms } from '../support/fake-kms.ts';
import type { Fault } from './call.ts';
import { awsClient } from './cloud-services.ts';
import { asThrown } from './effects.ts';
import { type Answer, jsonRpcOn } from './json-rpc.ts';
import type { Kernel } from './kernel.ts';
import { openMisbehaviour } from './misbehaviour.ts';
import type { Request } from './views.ts';

export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The hot wallets' keys. They are worthless outside of a simulation. */
const KEYS = [`0x${'5e'.repeat(32)}`, `0x${'6f'.repeat(32)}`];
const CONFIRMATIONS = 3;
/** A block with this many confirmations is final. Each reorganisation replaces fewer blocks. */
export const FINAL_BLOCKS = 8;

export const chain: Chain = {
  chainId: localChain.chainId,
  tokens: localTokens,
  sanctionsOracle: localChain.sanctionsOracle,
  confirmations: CONFIRMATIONS,
  blockSeconds: 2,
  finality: FINAL_BLOCKS,
  minimumNodes: 2,
};

export type Node = Awaited<ReturnType<typeof openNode>>;

type Options = {
  /** The treasury's first balance of each asset. */
  units: PerAsset<bigint>;
  /** The number of configured nodes. */
  nodes: number;
  onCast: (raw: string) => Promise<void>;
  isQuiet: (now: number) => boolean;
};

/**
 * A real anvil behind several nodes. Only the scheduler mines its blocks. Each node may see or say something else.
 *
 * Between two blocks the answers do not change, so they are kept. An outdated answer is one from before the last
 * block.
 */
export async function openNode(kernel: Kernel, { units, nodes, onCast, isQuiet }: Options) {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
  const socket = join(folder, 'anvil');
  const anvil = await startAnvil({ blockSeconds: 36_000, socket });
  const wire = jsonRpcOn(socket);
  const node = async <T>(method: string, params: unknown[] = []): Promise<T> => {
    const answered = await kernel.outOfTime(wire.ask(method, params));
    if ('error' in answered) throw new Error(`${method}: ${answered.error.message}`);
    return answered.result as T;
  };
  const signers = KEYS.map((key) => kmsSigner(async () => fakeKms(key) as unknown as KMSClient, key));
  const wallets = await Promise.all(signers.map((signer) => signer.address()));
  await deploy(anvil.url);
  for (const wallet of wallets)
    await fund(anvil.url, wallet, {
      wei: 10n ** 20n,
      tokenUnits: perAsset((asset) => units[asset] / BigInt(wallets.length)),
    });
  await ask(anvil.url, 'anvil_mine', [toHex(FINAL_BLOCKS)]);
  const names = ['a', 'b', 'c'].slice(0, nodes);
  const counts = { blocks: 0, reorgs: 0, dropped: 0, casts: 0 };
  const casts: string[] = [];
  let stamp = 0;
  let answers = new Map<string, Answer>();
  let before = new Map<string, Answer>();

  /** Starts a new set of answers. The former answers become the outdated ones. */
  function turn(): void {
    before = answers;
    answers = new Map();
  }

  async function answer({ method, params }: Request): Promise<Answer> {
    const key = JSON.stringify([method, params]);
    const known = answers.get(key);
    if (known) return known;
    const found = await wire.ask(method, params);
    answers.set(key, found);
    return found;
  }

  /** Sends a transaction to the pool, which all nodes share. */
  async function pass(raw: string): Promise<Answer> {
    const found = await kernel.outOfTime(wire.ask('eth_sendRawTransaction', [raw]));
    if (!('result' in found)) return found;
    counts.casts++;
    casts.push(found.result as string);
    return found;
  }

  const misbehaviour = openMisbehaviour({ honest: answer, pass, isQuiet: () => isQuiet(kernel.now()) });

  /** The node's own answer, which may be untrue. */
  async function say(name: string, request: Request): Promise<Answer> {
    if (request.method !== 'eth_sendRawTransaction') return misbehaviour.answer(name, request);
    const raw = request.params[0] as string;
    await onCast(raw);
    const said = await misbehaviour.take(name, raw);
    if (said === 'NO ANSWER') throw failure('LATE');
    return said;
  }

  /** The posts of the product's JSON-RPC. Each call is one effect. */
  async function post(url: string, init: { body: string }) {
    const request = JSON.parse(init.body) as Request;
    const { method, params } = request;
    const isRead = method !== 'eth_sendRawTransaction';
    const key = JSON.stringify([method, params]);
    const call = {
      service: 'rpc' as const,
      name: method,
      about: `${url.slice(-1)} ${aboutOf(request)}`,
      isRead,
      failure,
      ...(isRead && { stale: () => before.get(key) ?? nothing(method) }),
    };
    const found = await kernel.effect(call, () => say(url.slice(-1), request));
    return { ok: true, json: async () => ({ jsonrpc: '2.0', id: 1, ...found }) };
  }

  async function mine(blocks = 1): Promise<void> {
    counts.blocks += blocks;
    // Two blocks never have the same second, however many blocks are mined at once.
    stamp = Math.max(stamp + blocks, Math.floor(kernel.now() / 1000));
    await node('evm_mine', [{ timestamp: stamp, blocks }]);
    turn();
  }

  return {
    url: anvil.url,
    names,
    urls: names.map((name) => `https://node.example/${name}`),
    misbehave: misbehaviour.begin,
    untruths: misbehaviour.counts,
    wallets,
    counts,
    node,
    post,
    async stop(): Promise<void> {
      wire.close();
      await anvil.stop();
      rmSync(folder, { recursive: true });
    },
    mine: () => mine(),
    /** Makes all existing blocks final. */
    bury: () => mine(FINAL_BLOCKS),
    /** Replaces the last blocks by empty ones. Their transactions are gone from the pool too. */
    async reorg(blocks: number): Promise<void> {
      counts.reorgs++;
      await node('anvil_reorg', [blocks, []]);
      const latest = await node<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
      stamp = Math.max(stamp, Number(latest.timestamp));
      turn();
    },
    /** Removes one of the last sent transactions from the pool, if it still waits there. */
    async drop(which: number): Promise<void> {
      const hash = casts.at(-1 - which);
      if (hash === undefined) return;
      await node('anvil_dropTransaction', [hash]);
      counts.dropped++;
      turn();
    },
    /**
     * Calls a contract as its owner and makes the call final, so that no reorganisation undoes it. Returns false when
     * the contract refuses.
     */
    async owner(call: { to: string; data: string }): Promise<boolean> {
      const sent = { from: DEPLOYER, ...call, gas: '0x7a120' };
      const hash = await node('eth_sendTransaction', [sent]);
      await mine(FINAL_BLOCKS);
      const { status } = await node<{ status: string }>('eth_getTransactionReceipt', [hash]);
      return status === '0x1';
    },
    countOf: async (wallet: string) =>
      Number(await node<string>('eth_getTransactionCount', [wallet, 'latest'])),
    /**
     * Sends a foreign transaction with a wallet's key, at higher fees than ours. Returns false when the pool refuses
     * it.
     */
    async useKey(wallet: string, nonce: number): Promise<boolean> {
      const raw = signForeign(KEYS[wallets.indexOf(wallet)]!, nonce);
      return 'result' in (await kernel.outOfTime(wire.ask('eth_sendRawTransaction', [raw])));
    },
    /** All transfers from our wallets that are in the chain. */
    transfers: () =>
      node<Log[]>('eth_getLogs', [
        { fromBlock: '0x0', toBlock: 'latest', topics: [TRANSFER, wallets.map(topicOf)] },
      ]),
    /** Undefined for a block whose state the chain no longer keeps. */
    async coinsAt(
      { wallet, coin }: { wallet: string; coin: TokenCurrency },
      block: number,
    ): Promise<bigint | undefined> {
      const head = Number(await node<string>('eth_blockNumber', []));
      if (head - block >= STATES_KEPT) return undefined;
      if (coin !== 'NATIVE') return balanceAt(anvil.url, { asset: coin, owner: wallet, block: toHex(block) });
      return BigInt(await node<string>('eth_getBalance', [wallet, toHex(block)]));
    },
    async balance(asset: Asset): Promise<bigint> {
      const balances = await Promise.all(wallets.map((wallet) => balanceOf(anvil.url, asset, wallet)));
      return balances.reduce((sum, balance) => sum + balance, 0n);
    },
  };
}

const GWEI = 10n ** 9n;

function signForeign(key: string, nonce: number): string {
  const sent = Transaction.from({
    type: 2,
    chainId: chain.chainId,
    nonce,
    to: DEPLOYER,
    value: 1n,
    gasLimit: 21_000n,
    maxFeePerGas: 200n * GWEI,
    maxPriorityFeePerGas: 100n * GWEI,
  });
  sent.signature = new SigningKey(key).sign(sent.unsignedHash);
  return sent.serialized;
}

export type Log = {
  address: string;
  topics: string[];
  data: string;
  transactionHash: string;
  blockNumber: string;
};

export const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** The signers of one instance: KMS with the wallets' keys. Each call is an effect. */
export function signersAt(kernel: Kernel) {
  return KEYS.map((key, at) => {
    const kms = fakeKms(key, { nonce: () => kernel.bytes(32) });
    const client = awsClient<KMSClient>(kernel, 'kms', {
      about: () => `wallet ${at}`,
      perform: (command) => kms.send(command),
    });
    return kmsSigner(client, `wallet ${at}`);
  });
}

/** The outdated answer of a node that has never been asked this before. */
function nothing(method: string): Answer | undefined {
  return method === 'eth_getTransactionReceipt' ? { result: null } : undefined;
}

/** The error of a post without an answer. */
function failure(fault: Fault): Error {
  return asThrown(new TypeError(fault === 'FAIL' ? 'fetch failed' : 'terminated'));
}

function aboutOf({ method, params }: Request): string {
  const [first] = params;
  if (method === 'eth_call') return String((first as { data: string }).data).slice(0, 74);
  return String(first ?? '').slice(0, 74);
}
