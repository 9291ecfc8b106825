import type { KMSClient } from '@aws-sdk/client-kms';
import { getAddress, Transaction } from 'ethers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeTransfer } from '../../functions/adapters/chain/erc20.ts';
import { kmsSigner } from '../../functions/adapters/chain/kms-signer.ts';
import { jsonRpc } from '../../functions/adapters/chain/rpc.ts';
import type { Signed } from '../../functions/domain/treasury/settlement.ts';
import {
  type EvacuatedTreasury,
  endOfMove,
  planEvacuation,
  type SentMove,
  sendMoves,
} from '../../operations/evacuation.ts';
import { fund } from '../../sandbox/chain/deploy.ts';
import { fakeKms } from '../support/fake-kms.ts';
import { memoryBook } from '../support/memory-book.ts';
import {
  chain,
  newAddress,
  newPayout,
  openTreasury,
  openWorld,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';

const UNITS = 1_000_000_000n;
const MINUTE_MS = 60_000;

let world: World;
let wallets: Wallet[];
let safe: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  wallets = [await world.openWallet(), await world.openWallet()];
  safe = getAddress(newAddress());
});
afterEach(() => world.startMining());
afterAll(() => world.stop());

const treasury = (changes: Partial<EvacuatedTreasury> = {}): EvacuatedTreasury => ({
  rpc: world.rpc,
  chain,
  signers: wallets.map(({ signer }) => signer),
  ...changes,
});

/** Bytes of a client's payment, signed before the region was lost. */
async function signedPayment({ signer }: Wallet, to: string, nonce = 0): Promise<string> {
  const payment = Transaction.from({
    type: 2,
    chainId: chain.chainId,
    nonce,
    to: chain.tokens.USDC.address,
    data: encodeTransfer(to, 5n),
    gasLimit: 120_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
  return (await signer.sign(payment)).raw;
}

async function evacuate(outbidWei?: bigint) {
  const plan = await planEvacuation(treasury(), { to: safe, outbidWei });
  return { plan, sent: await sendMoves(plan, treasury()) };
}

async function endsOf(sent: SentMove[]) {
  const look = () => Promise.all(sent.map((each) => endOfMove(each, world.rpc)));
  await expect.poll(look).not.toContain(undefined);
  return look();
}

const heldIn = (address: string) =>
  Promise.all([world.balance('USDC', address), world.balance('USDT', address)]);

describe('the way out of a lost region', () => {
  it('moves all tokens of all wallets, and a second call finds nothing to move', async () => {
    const { plan, sent } = await evacuate();

    expect(plan.troubles).toEqual([]);
    expect(new Set(await endsOf(sent))).toEqual(new Set(['moved']));
    expect(await heldIn(safe)).toEqual([2n * UNITS, 2n * UNITS]);
    expect((await evacuate()).plan.moves).toEqual([]);
  });

  it('moves the tokens of one wallet only, and refuses a wallet that is not ours', async () => {
    const [first, second] = wallets as [Wallet, Wallet];
    const only = first.address.toLowerCase();
    const plan = await planEvacuation(treasury(), { to: safe, only });

    expect(await endsOf(await sendMoves(plan, treasury()))).toEqual(['moved', 'moved']);
    expect(await Promise.all([safe, second.address].map(heldIn))).toEqual([
      [UNITS, UNITS],
      [UNITS, UNITS],
    ]);
    await expect(planEvacuation(treasury(), { to: safe, only: safe })).rejects.toThrow(
      'no wallet of the treasury',
    );
  });

  it('waits for a payment on its way, which then pays its client once', async () => {
    const [first] = wallets as [Wallet, Wallet];
    const client = newAddress();
    await world.stopMining();
    await world.rpc.broadcast(await signedPayment(first, client));

    const { plan } = await evacuate();

    expect(plan.moves.map(({ wallet }) => wallet)).not.toContain(first.address);
    expect(plan.troubles).toEqual([expect.stringContaining(`${first.address} has transactions that wait`)]);
    world.startMining();
    await expect.poll(() => world.countTransfers(first, client)).toBe(1);
    expect(await endsOf((await evacuate()).sent)).not.toContain('reverted');
    expect((await heldIn(safe))[0]).toBe(2n * UNITS - 5n);
  });

  it('leaves no nonce to a payment that was signed but never sent, and another wallet pays it once', async () => {
    let now = Date.now();
    const book = memoryBook();
    const clock = { now: () => now, minuteMs: MINUTE_MS };
    const open = (rpc = world.rpc) => openTreasury({ rpc }, wallets, { book, clock, waitsMs: [100, 200] });
    const paid = newPayout();
    const muted = { ...world.rpc, broadcast: async () => 'no answer' };
    await open(muted).treasury.settle(paid);
    const { attempts, wallet } = book.rows.get(paid.transactionId) as Signed;

    await endsOf((await evacuate()).sent);

    expect(await world.rpc.broadcast(attempts[0].raw)).toMatch(/nonce/i);
    now += 11 * MINUTE_MS;
    await world.mine(6);
    expect(await open().treasury.settle(paid)).toMatchObject({ reason: 'NONCE_USED_ELSEWHERE' });
    const other = wallets.find(({ address }) => address !== wallet)!;
    await fund(world.url, other.address, { wei: 10n ** 18n, tokenUnits: UNITS });
    // An operator has released the wallet, which was used elsewhere.
    book.wallets.set(other.address, { ...book.wallets.get(other.address)!, next: 2 });
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(other, paid.to)).toBe(1);
  });

  it('outbids a payment that is stuck, and the client’s payment is never mined', async () => {
    const [first] = wallets as [Wallet, Wallet];
    const client = newAddress();
    await world.stopMining();
    await world.rpc.broadcast(await signedPayment(first, client));

    const { plan, sent } = await evacuate(11_000_000_000n);
    world.startMining();

    expect(plan.troubles).toEqual([]);
    expect(new Set(await endsOf(sent))).toEqual(new Set(['moved']));
    expect(await world.countTransfers(first, client)).toBe(0);
    expect((await heldIn(safe))[0]).toBe(2n * UNITS);
  });

  it('names a key that does not answer and a wallet without gas, and empties the others', async () => {
    const poor = await world.openWallet({ wei: 1n });
    const silent = fakeKms(`0x${'11'.repeat(32)}`, { failures: 100 });
    const missing = kmsSigner(async () => silent as unknown as KMSClient, 'key');
    const all = treasury({ signers: [missing, poor.signer, ...treasury().signers] });

    const plan = await planEvacuation(all, { to: safe });

    expect(plan.troubles).toEqual([
      'A key does not answer in this region.',
      expect.stringContaining(`${poor.address} lacks gas`),
    ]);
    expect(new Set(plan.moves.map(({ wallet }) => wallet))).toEqual(
      new Set(wallets.map(({ address }) => address)),
    );
  });

  it.each([
    ['one of the wallets', () => wallets[0]!.address],
    ['a token’s contract', () => chain.tokens.USDC.address],
    ['no address', () => '0x12'],
  ])('refuses to send to %s', async (_, to) => {
    await expect(planEvacuation(treasury(), { to: to() })).rejects.toThrow(
      'The wallet address is not an EVM address',
    );
  });

  it('sends nothing on another chain', async () => {
    const rpc = jsonRpc(async () => [world.url], { timeoutMs: 30_000, post: fetch });
    const other = treasury({ rpc, chain: { ...chain, chainId: 1 } });

    await expect(planEvacuation(other, { to: safe })).rejects.toThrow('the nodes are on chain');
  });
});
