import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transaction, Wallet } from 'ethers';
import { localChain } from '../../sandbox/chain/deploy.ts';
import { providers } from '../../sandbox/providers/app.ts';
import { memoryStore, type Store } from '../../sandbox/providers/store.ts';
import { defaultSettings, type World } from '../../sandbox/providers/world.ts';

const CONTROL_KEY = 'test-control-key';

export type SimulatedChain = {
  /** The URL that anybody may call. */
  publicUrl: string;
  /** The URL that also answers the methods of the sandbox's tools. */
  url: string;
  stop: () => Promise<void>;
};

/** An instance of the simulators that serves its own chain. Instances with one store share the chain. */
export async function startSimulatedChain({
  store = memoryStore(),
  blockMs = 100,
}: {
  store?: Store;
  blockMs?: number;
} = {}): Promise<SimulatedChain> {
  const settings = { ...defaultSettings, blockMs, controlKey: CONTROL_KEY };
  const world: World = { store, now: () => new Date(), fetch, settings };
  const app = providers(world);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const init = { method: request.method ?? 'GET', headers: { 'content-type': 'application/json' } };
    const answer = await app.request(request.url ?? '/', { ...init, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chain`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { publicUrl, url: `${publicUrl}/${CONTROL_KEY}`, stop };
}

/** A wallet with funds, as the tests of chains fund it. */
export const treasury = new Wallet(`0x${'11'.repeat(32)}`);
export const GWEI = 10n ** 9n;

export type Wish = {
  nonce: number;
  from?: Wallet;
  to?: string;
  data?: string;
  tip?: bigint;
  chainId?: number;
  gas?: bigint;
};

/** Signs a transaction. Its bytes follow from `wish` alone, so both compared chains get the same bytes. */
export function signWish({
  nonce,
  from = treasury,
  gas = 120_000n,
  tip = GWEI,
  ...wish
}: Wish): Promise<string> {
  const { to = localChain.tokens.USDC, data = '0x', chainId = localChain.chainId } = wish;
  const fees = { maxFeePerGas: 10n * tip, maxPriorityFeePerGas: tip };
  return from.signTransaction(
    Transaction.from({ type: 2, chainId, nonce, to, data, gasLimit: gas, ...fees }),
  );
}

export type Json = Record<string, unknown>;

/** The whole answer of a node, errors included. */
export async function askNode(url: string, method: string, params: unknown[]): Promise<Json> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return (await answer.json()) as Json;
}
