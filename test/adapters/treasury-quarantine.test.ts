import { Transaction } from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonRpc } from '../../functions/adapters/chain/rpc.ts';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { perAsset } from '../../functions/domain/assets.ts';
import { NOTHING } from '../../functions/domain/treasury/hot-wallet.ts';
import { openSettlement, type Payout, type Signed } from '../../functions/domain/treasury/settlement.ts';
import { walletRegister } from '../../operations/stores/wallet-register.ts';
import { BOOK_SETTINGS, type Dynoxide, putPurchase, startDynoxide } from '../support/dynoxide.ts';
import { Death, mortal } from '../support/faults.ts';
import { type MemoryBook, memoryBook } from '../support/memory-book.ts';
import {
  chain,
  newPayout,
  openTreasury,
  openWorld,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';

const MINUTES = 60_000;
const OPERATOR = { reason: 'OPERATOR', at: 5, by: 'ana', why: 'moved' } as const;

let world: World;
let database: Dynoxide;
let wallets: Wallet[];
let book: MemoryBook;
let now = 0;
beforeAll(async () => {
  [world, database] = await Promise.all([
    openWorld(),
    startDynoxide(['settlements', 'transactions', 'ledger']),
  ]);
});
beforeEach(async () => {
  wallets = [await world.openWallet(), await world.openWallet()];
  book = memoryBook();
  now = 1_000_000;
});
afterAll(() => Promise.all([world.stop(), database.stop()]));

const clock = { now: () => now, minuteMs: MINUTES };
const open = (changes = {}) => openTreasury(world, wallets, { book, clock, waitsMs: [], ...changes });
const rowOf = (paid: Payout) => book.rows.get(paid.transactionId)!;
const countFrom = (paid: Payout) =>
  Promise.all(wallets.map((wallet) => world.countTransfers(wallet, paid.to)));

/** A stranger with the wallet's key sends with it. */
async function useElsewhere({ address, signer }: Wallet, nonce: number): Promise<void> {
  const foreign = Transaction.from({
    type: 2,
    chainId: chain.chainId,
    nonce,
    to: address,
    gasLimit: 21_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
  await world.rpc.broadcast((await signer.sign(foreign)).raw);
}

/**
 * A payment that owns a nonce which a stranger with the wallet's key has used. The payment's own bytes had no effect.
 */
async function robbed(changes = {}): Promise<{ paid: Payout; owner: Wallet }> {
  const paid = newPayout();
  await putPurchase(database, paid.transactionId);
  const { ports } = open(changes);
  await expect(directTreasury(mortal(ports, 'after', 'book.assign')).settle(paid)).rejects.toThrow(Death);
  const { wallet, nonce } = await ports.book.open(openSettlement(paid, 0));
  const owner = wallets.find(({ address }) => address === wallet)!;
  await useElsewhere(owner, nonce!);
  await world.mine(6);
  await open(changes).treasury.settle(paid);
  return { paid, owner };
}

type Answer = { result?: unknown };
type Twist = (method: string, answer: Answer) => Answer | undefined;
const honest: Twist = (_, answer) => answer;

/** Nodes in front of the real chain, each with its own twist of the answers. */
function nodesOf(...twists: Twist[]) {
  const urls = twists.map((_, index) => `http://node-${index}/`);
  const twisted = async (url: string | URL | Request, init?: RequestInit) => {
    const { method } = JSON.parse(String(init?.body)) as { method: string };
    const told = twists[urls.indexOf(String(url))]!(
      method,
      (await (await fetch(world.url, init)).json()) as Answer,
    );
    return told ? Response.json(told) : new Response('', { status: 502 });
  };
  return jsonRpc(async () => urls, { timeoutMs: 3000, post: twisted as typeof fetch });
}

describe('a nonce that a stranger has used, as every node shows', () => {
  it.each(['in memory', 'on DynamoDB'])(
    'ends the try, and the payment comes from another wallet, with books %s',
    async (books) => {
      const shared =
        books === 'in memory' ? book : settlementBook({ client: database.client, ...BOOK_SETTINGS });
      const { paid, owner } = await robbed({ book: shared });
      const { treasury, logged } = open({ book: shared });
      now += 11 * MINUTES;

      expect(await treasury.settle(paid)).toEqual({
        state: 'FAILED',
        reason: 'NONCE_USED_ELSEWHERE',
        triesLeft: 3,
      });

      expect(logged).toMatchObject([
        {
          message: 'wallet is in quarantine',
          fields: { address: owner.address, nonce: 0, transactionId: paid.transactionId },
        },
      ]);
      const quarantine = { reason: 'NONCE_USED_ELSEWHERE', at: now, nonce: 0 };
      expect((await shared.findWallets([owner.address])).get(owner.address)).toEqual({ next: 1, quarantine });
      const patient = open({ book: shared, waitsMs: [100, 200] });
      expect(await patient.treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
      expect(await countFrom(paid)).toEqual(wallets.map((wallet) => (wallet === owner ? 0 : 1)));
      expect(patient.logged).toMatchObject([
        { fields: { address: owner.address, doing: 'wallet is in quarantine' } },
      ]);
    },
  );

  it('ends nothing while money is held, because restored tables do not have all our bytes', async () => {
    const { paid, owner } = await robbed();
    now += 11 * MINUTES;

    const { treasury } = open({ findHold: async () => 'RESTORED' as const });

    const doing = 'tables are behind their witness';
    expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing });
    expect(rowOf(paid)).toMatchObject({ nonce: 0, wallet: owner.address, tries: [] });
    expect(await treasury.settle(newPayout())).toEqual({ state: 'PENDING', doing });
  });

  it('fails no try of a cancelled payment while money is held, because a lost transfer may have paid', async () => {
    const paid = newPayout();
    const cancel = { reason: 'SANCTIONS_HIT', at: now } as const;
    await book.open({ ...openSettlement(paid, now), cancel });
    const held = open({ findHold: async () => 'RESTORED' as const });

    const doing = 'tables are behind their witness';
    expect(await held.treasury.settle(paid)).toEqual({ state: 'PENDING', doing });
    expect(rowOf(paid)).toMatchObject({ state: 'REQUESTED', tries: [] });

    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'FAILED', reason: 'CANCELLED' });
  });

  // docs/settlement.md, "Steps"
  it('removes the wallet for all other payments', async () => {
    const { paid, owner } = await robbed();
    now += 11 * MINUTES;
    await open().treasury.settle(paid);
    const others = Array.from({ length: 4 }, () => newPayout());

    const patient = open({ waitsMs: [100, 200] }).treasury;
    for (const other of others) expect(await patient.settle(other)).toMatchObject({ state: 'CONFIRMED' });

    const theirs = await Promise.all(others.map(countFrom));
    expect(theirs).toEqual(Array(4).fill(wallets.map((wallet) => (wallet === owner ? 0 : 1))));
    expect(book.wallets.get(owner.address)?.next).toBe(1);
    const alone = open({ signers: [owner.signer] }).treasury;
    expect(await alone.settle(newPayout())).toEqual({ state: 'PENDING', doing: 'wallet is in quarantine' });
  });

  it('is one failed try for any number of visits', async () => {
    const { paid } = await robbed();
    now += 11 * MINUTES;

    const outcomes = await Promise.all(Array.from({ length: 4 }, () => open().treasury.settle(paid)));

    expect(rowOf(paid).tries).toEqual(['NONCE_USED_ELSEWHERE']);
    expect(outcomes.filter(({ state }) => state === 'FAILED')).toHaveLength(1);
  });

  it('ends a payment that is to be cancelled for good', async () => {
    const { paid } = await robbed();
    await book.cancellations.ask(paid.transactionId, { reason: 'SANCTIONS_HIT', at: now });
    now += 11 * MINUTES;

    expect(await open().treasury.settle(paid)).toMatchObject({ triesLeft: 0, cancelledFor: 'SANCTIONS_HIT' });
  });
});

describe('a nonce that a stranger may have used', () => {
  const HOLD = { state: 'PENDING', doing: 'nonce used, no receipt seen' };
  const silent: Twist = () => undefined;
  const countsLess: Twist = (method, answer) =>
    method === 'eth_getTransactionCount' ? { ...answer, result: '0x0' } : answer;
  const hasOurs: Twist = (method, answer) =>
    method === 'eth_getTransactionByHash' ? { ...answer, result: { blockNumber: '0x1' } } : answer;
  const fails: Twist = (method, answer) =>
    method === 'eth_getTransactionByHash'
      ? ({ error: { code: -32000, message: 'pruned' } } as Answer)
      : answer;

  it.each([
    ['a node is silent', [honest, silent]],
    ['a node has not counted past it at its final block', [honest, countsLess]],
    ['a node has a transaction of ours', [honest, hasOurs]],
    ['a node cannot look it up', [honest, honest, fails]],
  ] as const)('is waited for if %s: nothing fails, and no wallet is removed', async (_, twists) => {
    const { paid, owner } = await robbed();
    now += 24 * 60 * MINUTES;

    expect(await open({ rpc: nodesOf(...twists) }).treasury.settle(paid)).toEqual(HOLD);

    expect(rowOf(paid)).toMatchObject({ nonce: 0, wallet: owner.address, tries: [] });
    expect(book.wallets.get(owner.address)?.quarantine).toBeUndefined();
  });

  it('is waited for if fewer nodes are configured than must agree', async () => {
    const { paid } = await robbed();
    now += 11 * MINUTES;

    expect(await open({ chain: { ...chain, minimumNodes: 2 } }).treasury.settle(paid)).toEqual(HOLD);
  });

  it('is waited for at least ten minutes, and until it is final', async () => {
    const { paid } = await robbed();
    now += 9 * MINUTES;
    expect(await open().treasury.settle(paid)).toEqual(HOLD);
    now += 2 * MINUTES;
    expect(await open({ chain: { ...chain, finality: 1_000_000 } }).treasury.settle(paid)).toEqual(HOLD);

    expect(rowOf(paid).tries).toEqual([]);
  });

  it('is not a stranger’s if one node hides our own payment', async () => {
    const paid = newPayout();
    await open({ waitsMs: [100] }).treasury.settle(paid);
    book.rows.set(paid.transactionId, { ...rowOf(paid), state: 'BROADCAST' } as Signed);
    await world.mine(6);
    const hidesReceipts: Twist = (method, answer) =>
      method === 'eth_getTransactionReceipt' ? { ...answer, result: null } : answer;
    now += 60 * MINUTES;

    expect(await open({ rpc: nodesOf(hidesReceipts, hidesReceipts) }).treasury.settle(paid)).toEqual(HOLD);
    expect(
      await world.countTransfers(wallets.find(({ address }) => address === rowOf(paid).wallet)!, paid.to),
    ).toBe(1);
  });
});

describe('the register of wallets', () => {
  const register = (settings = chain) => {
    const { client } = database;
    const shared = settlementBook({ client, ...BOOK_SETTINGS });
    const signers = wallets.map(({ signer }) => signer);
    const { random } = BOOK_SETTINGS;
    return {
      shared,
      register: walletRegister({
        rpc: world.rpc,
        chain: settings,
        signers,
        book: shared,
        client,
        table: 'settlements',
        random,
      }),
    };
  };

  it('shows the balance of each wallet, and the state of its nonces', async () => {
    const { register: wallet, shared } = register();
    await shared.openWallet(wallets[1]!.address, 7);

    expect(await wallet.listWallets()).toEqual([
      expect.objectContaining({ address: wallets[0]!.address, isOpen: false, next: 0, latest: 0 }),
      {
        address: wallets[1]!.address,
        isOpen: true,
        next: 7,
        latest: 0,
        gas: 10n ** 18n,
        units: perAsset(() => 1_000_000_000n),
      },
    ]);
  });

  it('holds a wallet and releases it again, from the chain’s nonce', async () => {
    const { register: wallet, shared } = register();
    await shared.openWallet(wallets[0]!.address, 0);
    const [held] = await wallet.listWallets();
    const quarantine = OPERATOR;

    expect(await wallet.quarantine(held!, quarantine)).toBe(true);
    expect(await wallet.quarantine(held!, quarantine)).toBe(false);
    const [found] = await wallet.listWallets();
    expect(found).toMatchObject({ quarantine });
    expect(await wallet.release(found!)).toBe(true);

    expect((await shared.findWallets([held!.address])).get(held!.address)).toEqual({ next: 0 });
    expect(await wallet.release(found!)).toBe(false);
  });

  it('warns before the release of a held wallet that others used, and releases only the seen state', async () => {
    const { register: wallet, shared } = register();
    const [{ address }, paid] = [wallets[0]!, newPayout()];
    await putPurchase(database, paid.transactionId);
    await shared.openWallet(address, 0);
    const opened = openSettlement(paid, 0);
    await shared.open(opened);
    const window = (await shared.findWindows())[opened.asset];
    await shared.assign(opened, address, { next: 0, committed: NOTHING, window });
    await wallet.quarantine((await wallet.listWallets())[0]!, OPERATOR);
    const [seen] = await wallet.listWallets();

    const quarantine = { reason: 'NONCE_USED_ELSEWHERE', at: 6, nonce: 0 } as const;
    await shared.failByTheft((await shared.open(opened)) as Signed, quarantine);

    expect(await wallet.release(seen!)).toBe(false);
    const [found] = await wallet.listWallets();
    expect(found).toMatchObject({ quarantine });
    expect(await wallet.release(found!)).toBe(true);
  });

  it('releases a wallet that was used elsewhere from there on, once that is final', async () => {
    const [used, { register: wallet, shared }] = [wallets[0]!, register()];
    await shared.openWallet(used.address, 0);
    await useElsewhere(used, 0);
    await world.mine(6);
    const [found] = await wallet.listWallets();

    expect(await register({ ...chain, finality: 1_000_000 }).register.release(found!)).toBe(false);
    expect(await wallet.release(found!)).toBe(true);

    expect((await shared.findWallets([used.address])).get(used.address)).toEqual({ next: 1 });
  });

  it('holds no wallet that never paid', async () => {
    const { register: wallet } = register();
    const [found] = await wallet.listWallets();

    expect(await wallet.quarantine(found!, OPERATOR)).toBe(false);
  });
});
