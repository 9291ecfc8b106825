import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonRpc } from '../../functions/adapters/chain/rpc.ts';
import type { Payout, SettlementOutcome } from '../../functions/domain/treasury/settlement.ts';
import { chain, newPayout, openTreasury, openWorld, type World } from '../support/settlement-world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

type Answer = { result?: unknown };
type Twist = (method: string, answer: Answer) => Answer | undefined;

/** Nodes in front of the real chain. Each changes the answers with its twist, or gives none. */
function nodesOf(...twists: Twist[]) {
  const urls = twists.map((_, index) => `http://node-${index}/`);
  const twisted = async (url: string | URL | Request, init?: RequestInit) => {
    const { method } = JSON.parse(String(init?.body)) as { method: string };
    const answer = (await (await fetch(world.url, init)).json()) as Answer;
    const told = twists[urls.indexOf(String(url))]!(method, answer);
    return told ? Response.json(told) : new Response('', { status: 502 });
  };
  return jsonRpc(async () => urls, { timeoutMs: 3000, post: twisted as typeof fetch });
}

const honest: Twist = (_, answer) => answer;
const silent: Twist = () => undefined;
const receipt = (change: object): Twist => {
  return (method, answer) =>
    method === 'eth_getTransactionReceipt' && answer.result
      ? { ...answer, result: { ...(answer.result as object), ...change } }
      : answer;
};
const saysReverted = receipt({ status: '0x0', logs: [] });
const sawNothing: Twist = (method, answer) =>
  method === 'eth_getTransactionReceipt' ? { ...answer, result: null } : answer;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Visits the payment until it ends, or until long past every finality. */
async function visit(paid: Payout, treasury: { settle(payout: Payout): Promise<SettlementOutcome> }) {
  let outcome = await treasury.settle(paid);
  for (let visits = 0; visits < 8 && outcome.state === 'PENDING'; visits++) {
    await Promise.all([world.mine(3), pause(100)]);
    outcome = await treasury.settle(paid);
  }
  return outcome;
}

async function settleBy(...twists: Twist[]) {
  const wallet = await world.openWallet();
  const { treasury, ports } = openTreasury({ rpc: nodesOf(...twists) }, wallet, { waitsMs: [] });
  const paid = newPayout();
  const outcome = await visit(paid, treasury);
  const heal = () => visit(paid, openTreasury(world, wallet, { book: ports.book }).treasury);
  return { outcome, heal, transfers: await world.countTransfers(wallet, paid.to) };
}

describe('a transfer that is mined', () => {
  // docs/settlement.md, "Steps"
  it('is confirmed by two nodes that agree, even if a third is silent', async () => {
    expect(await settleBy(honest, honest, silent)).toMatchObject({
      outcome: { state: 'CONFIRMED' },
      transfers: 1,
    });
  });

  it.each([
    ['the first says that it reverted', [saysReverted, honest]],
    ['the second says that it reverted', [honest, saysReverted]],
    ['two of three say that it reverted', [saysReverted, honest, saysReverted]],
    ['one says that it reverted, the other is silent', [saysReverted, silent]],
    ['one says that it reverted, the other lags', [saysReverted, sawNothing]],
    ['the other is silent', [honest, silent]],
    ['the other lags', [honest, sawNothing]],
  ] as const)('is neither paid again nor believed if %s', async (_, twists) => {
    const { outcome, heal, transfers } = await settleBy(...twists);

    expect(outcome).toMatchObject({ state: 'PENDING' });
    expect(transfers).toBe(1);
    expect(await heal()).toMatchObject({ state: 'CONFIRMED' });
  });
});

it.each([
  ['the other node is silent', [honest, silent]],
  ['the other node never sees it', [honest, sawNothing]],
  ['the nodes differ for good', [honest, saysReverted]],
] as const)('a payment that waits because %s needs a person after half an hour', async (_, twists) => {
  const wallet = await world.openWallet();
  let now = 1_000_000;
  const clock = { now: () => now, minuteMs: 60_000 };
  const { treasury, logged } = openTreasury({ rpc: nodesOf(...twists) }, wallet, { waitsMs: [], clock });
  const paid = newPayout();
  await treasury.settle(paid);
  await world.mine(6);

  now += 30 * 60_000;
  expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing: 'awaiting confirmations' });
  expect(logged).toEqual([]);
  now += 1;
  const doing = 'not confirmed for half an hour';
  expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing });
  expect(logged).toMatchObject([
    { message: 'settlement needs attention', fields: { transactionId: paid.transactionId, doing } },
  ]);
});

it.each([
  ['the first node', (lying: Twist) => [lying, honest]],
  ['the second node', (lying: Twist) => [honest, lying]],
] as const)('a wallet begins at the chain’s nonce even if %s counts too many', async (_, inOrder) => {
  const countsTooMany: Twist = (method, answer) =>
    method === 'eth_getTransactionCount' ? { result: '0x7' } : answer;

  const { heal, transfers } = await settleBy(...inOrder(countsTooMany));

  expect(transfers).toBeLessThan(2);
  expect(await heal()).toMatchObject({ state: 'CONFIRMED' });
});

it('a wallet does not begin by fewer nodes than must agree', async () => {
  const wallet = await world.openWallet();
  const rpc = nodesOf(honest, (method, answer) =>
    method === 'eth_getTransactionCount' ? undefined : answer,
  );
  const { treasury, ports } = openTreasury({ rpc }, wallet, { chain: { ...chain, minimumNodes: 2 } });
  const paid = newPayout();

  await treasury.settle(paid);

  expect([...(await ports.book.findWallets([wallet.address])).keys()]).toEqual([]);
  expect(await world.countTransfers(wallet, paid.to)).toBe(0);
});

it('a verdict is never made of one node’s fork and another node’s finality', async () => {
  const noFinality: Twist = (method, answer) =>
    method === 'eth_blockNumber' ? undefined : saysReverted(method, answer);

  const { outcome, transfers } = await settleBy(noFinality, honest);

  expect(outcome).toMatchObject({ state: 'PENDING' });
  expect(transfers).toBe(1);
});

it('too few nodes for the chain stop everything before a signature', async () => {
  const wallet = await world.openWallet();
  const { treasury } = openTreasury(world, wallet, { chain: { ...chain, minimumNodes: 2 } });

  await expect(treasury.settle(newPayout())).rejects.toThrow('1 chain nodes are configured, not 2');
});
