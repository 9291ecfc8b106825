import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonRpc } from '../../functions/adapters/chain/rpc.ts';
import { type FaultProxy, startFaultProxy } from '../../sandbox/chain/fault-proxy.ts';
import { CLIENTS, type Client, type Meaning, say } from '../../sandbox/chain/node-words.ts';
import { type MemoryBook, memoryBook } from '../support/memory-book.ts';
import { newPayout, openTreasury, openWorld, type Wallet, type World } from '../support/settlement-world.ts';

let world: World;
let node: FaultProxy;
let wallet: Wallet;
let book: MemoryBook;
let now = 0;
beforeAll(async () => {
  world = await openWorld();
  node = await startFaultProxy(world.url);
});
beforeEach(async () => {
  wallet = await world.openWallet();
  book = memoryBook();
  now = 1_000_000;
});
afterEach(() => {
  node.heal();
  world.startMining();
});
afterAll(() => Promise.all([world.stop(), node.stop()]));

const clock = { now: () => now, minuteMs: 60_000 };

/** A treasury with nodes at these addresses. Each visit looks at the chain only once or twice. */
const openAt = (urls: string[], waitsMs: number[] = []) => {
  const rpc = jsonRpc(async () => urls, { timeoutMs: 3_000, post: fetch });
  return openTreasury({ rpc }, wallet, { book, clock, waitsMs }).treasury;
};

const REFUSALS = ['alreadyKnown', 'nonceTooLow', 'replacementUnderpriced', 'insufficientFunds'] as const;
const WORDS = CLIENTS.flatMap((client) => REFUSALS.map((meaning) => [client, meaning] as const));

describe('a node that refuses a transfer', () => {
  it.each<readonly [Client, Meaning]>(WORDS)(
    'in the words of %s for %s changes nothing: same nonce, same bytes, no failed try, one transfer',
    async (client, meaning) => {
      const paid = newPayout();
      node.faults.refuseSends = say(meaning, client);
      const treasury = openAt([node.url]);
      expect(await treasury.settle(paid)).toMatchObject({ state: 'PENDING' });
      const refused = book.rows.get(paid.transactionId)!;

      node.heal();
      now += 5_000;
      const outcome = await openAt([node.url], [100, 100, 200, 400]).settle(paid);

      expect(refused).toMatchObject({
        nonce: 0,
        tries: [],
        hint: say(meaning, client).message.slice(0, 120),
      });
      expect(outcome).toMatchObject({ state: 'CONFIRMED', txHash: refused.attempts[0]!.hash });
      expect(book.rows.get(paid.transactionId)!.attempts).toEqual(refused.attempts);
      expect(await world.countTransfers(wallet, paid.to)).toBe(1);
    },
  );

  it.each(CLIENTS)('because it has it already, as %s says, is sent no other bytes', async (client) => {
    node.faults.words = client;
    await world.stopMining();
    const paid = newPayout();
    const treasury = openAt([node.url]);
    for (let casts = 0; casts < 3; casts++) {
      expect(await treasury.settle(paid)).toMatchObject({ state: 'PENDING' });
      now += 5_000;
    }
    const cast = book.rows.get(paid.transactionId)!;
    world.startMining();

    expect(cast).toMatchObject({ casts: 3, attempts: [{}], hint: say('alreadyKnown', client).message });
    const outcome = await openAt([node.url], [100, 200, 400]).settle(paid);
    expect(outcome).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });
});

describe('a receipt', () => {
  it('confirms the transfer with the same nonce and bytes if it is null at first and appears later', async () => {
    node.faults.nullReceipts = true;
    const paid = newPayout();
    const treasury = openAt([node.url], [100, 100, 100]);
    expect(await treasury.settle(paid)).toMatchObject({ state: 'PENDING' });
    now += 30_000;
    expect(await treasury.settle(paid)).toMatchObject({ state: 'PENDING' });
    node.heal();

    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(book.rows.get(paid.transactionId)).toMatchObject({ nonce: 0, tries: [], attempts: [{}] });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });
});

describe('a node of another chain', () => {
  const onChain = (id: string) => async (url: string | URL | Request, init?: RequestInit) => {
    const { method } = JSON.parse(String(init?.body)) as { method: string };
    const isStranger = String(url).startsWith('http://stranger');
    if (!isStranger) return fetch(url, init);
    return id && method === 'eth_chainId'
      ? Response.json({ jsonrpc: '2.0', id: 1, result: id })
      : new Response('', { status: 502 });
  };
  const settleWith = (id: string) => {
    const urls = [world.url, 'http://stranger/'];
    const rpc = jsonRpc(async () => urls, { timeoutMs: 3_000, post: onChain(id) as typeof fetch });
    return openTreasury({ rpc }, wallet, { book, clock, waitsMs: [100] }).treasury.settle(newPayout());
  };

  it('stops before anything is owned, even if another node is on the right chain', async () => {
    await expect(settleWith('0x1')).rejects.toThrow('the nodes are on chain 0x1');

    expect([...book.rows.values()].map(({ nonce }) => nonce)).toEqual([undefined]);
  });

  it('is not assumed for a silent node: the others pay, and both confirm later', async () => {
    expect(await settleWith('')).toMatchObject({ state: 'PENDING' });

    expect([...book.rows.values()]).toMatchObject([{ nonce: 0, attempts: [{}] }]);
  });
});
