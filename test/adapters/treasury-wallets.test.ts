import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
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

let world: World;
let database: Dynoxide;
let wallets: Wallet[];
let book: MemoryBook;
beforeAll(async () => {
  [world, database] = await Promise.all([
    openWorld(),
    startDynoxide(['settlements', 'transactions', 'ledger']),
  ]);
});
beforeEach(async () => {
  wallets = [await world.openWallet(), await world.openWallet()];
  book = memoryBook();
});
afterEach(() => world.startMining());
afterAll(() => Promise.all([world.stop(), database.stop()]));

const open = (changes = {}) => openTreasury(world, wallets, { book, ...changes });
const rowOf = ({ transactionId }: Payout) => book.rows.get(transactionId);
const silent = (wallet: Wallet): Wallet['signer'] => ({
  ...wallet.signer,
  address: () => Promise.reject(new Unavailable('KMS')),
});

/** The number of transfers to the client in the chain, by wallet. */
const countFrom = (paid: Payout) =>
  Promise.all(wallets.map((wallet) => world.countTransfers(wallet, paid.to)));
const sum = (counts: number[]) => counts.reduce((total, each) => total + each, 0);

describe('payouts from two wallets', () => {
  it.each(['in memory', 'on DynamoDB'])('share them, each paid once, with books %s', async (books) => {
    const shared =
      books === 'in memory' ? book : settlementBook({ client: database.client, ...BOOK_SETTINGS });
    const { treasury } = open({ book: shared });
    const all = Array.from({ length: 12 }, () => newPayout());
    for (const { transactionId } of all) await putPurchase(database, transactionId);

    const outcomes = await Promise.all(all.map((paid) => treasury.settle(paid)));

    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['CONFIRMED']));
    const counts = await Promise.all(all.map(countFrom));
    expect(counts.map(sum)).toEqual(Array(12).fill(1));
    for (const at of [0, 1]) expect(sum(counts.map((each) => each[at]!))).toBe(6);
  });

  it('are twice as many at once', async () => {
    const { treasury } = open({ chain: { ...chain, maxInFlight: 3 }, waitsMs: [] });
    await world.stopMining();

    const outcomes = [];
    for (let count = 0; count < 7; count++) outcomes.push(await treasury.settle(newPayout()));

    expect(book.slots.size).toBe(6);
    expect(outcomes[6]).toEqual({ state: 'PENDING', doing: 'wallet is busy' });
  });

  it.each([
    ['tokens', { tokenUnits: 5n }],
    ['gas', { wei: 5n }],
  ])('come from the other if one has too few %s', async (_, funds) => {
    wallets[0] = await world.openWallet(funds);
    const { treasury, logged } = open();
    const all = Array.from({ length: 4 }, () => newPayout());

    for (const paid of all) expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });

    expect(await Promise.all(all.map(countFrom))).toEqual(Array(4).fill([0, 1]));
    expect(logged).toEqual([]);
  });

  it('come from the other if the token refuses one as the sender', async () => {
    await world.owner('USDC', 'blacklist', [wallets[0]!.address]);
    const [one, two] = [newPayout(), newPayout()];
    const { treasury } = open();

    await Promise.all([treasury.settle(one), treasury.settle(two)]);

    expect(await Promise.all([one, two].map(countFrom))).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('come from the other if one is used elsewhere, and operators are told', async () => {
    await open({ signers: [wallets[0]!.signer] }).treasury.settle(newPayout());
    book = memoryBook();
    await book.openWallet(wallets[0]!.address, 0);
    const { treasury, logged } = open();
    const paid = newPayout();

    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });

    expect(await countFrom(paid)).toEqual([0, 1]);
    expect(logged).toMatchObject([
      { message: 'wallet needs attention', fields: { address: wallets[0]!.address } },
    ]);
  });

  it('come from the other if one’s key does not answer', async () => {
    const paid = newPayout();
    const { treasury } = open({ signers: [silent(wallets[0]!), wallets[1]!.signer] });

    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await countFrom(paid)).toEqual([0, 1]);
  });

  it.each([
    ['come from the one that pays already', true, 'awaiting confirmations'],
    ['wait where none does', false, 'chain RPC is unavailable'],
  ])('%s while too few nodes answer to begin with a new one', async (_, isOpen, doing) => {
    const [old] = wallets;
    if (isOpen) await book.openWallet(old!.address, 0);
    const down = { call: () => Promise.reject(new Unavailable('chain RPC')) };
    const rpc = { ...world.rpc, nodes: async () => [...(await world.rpc.nodes()), down] };
    const paid = newPayout();
    const { treasury } = open({ rpc, chain: { ...chain, minimumNodes: 2 }, waitsMs: [] });

    expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing });
    expect(rowOf(paid)?.wallet).toBe(isOpen ? old!.address : undefined);
  });

  it('are held if no key answers', async () => {
    const { treasury } = open({ signers: wallets.map(silent) });

    expect(await treasury.settle(newPayout())).toEqual({ state: 'PENDING', doing: 'KMS is unavailable' });
  });

  it('never go to either of the wallets', async () => {
    for (const { address } of wallets) {
      const outcome = await open().treasury.settle({ ...newPayout(), to: address });
      expect(outcome).toMatchObject({ state: 'FAILED', reason: 'DESTINATION_RESERVED' });
    }
  });
});

describe('a payout that owns a nonce', () => {
  /** A payment that owns a nonce, and for which nothing is signed. */
  async function owned(): Promise<{ paid: Payout; owner: number }> {
    const paid = newPayout();
    const dying = directTreasury(mortal(open().ports, 'after', 'book.assign'));
    await expect(dying.settle(paid)).rejects.toThrow(Death);
    return { paid, owner: wallets.findIndex(({ address }) => address === rowOf(paid)?.wallet) };
  }

  it('is signed with its own wallet, in any order of the list', async () => {
    const { paid, owner } = await owned();
    const backwards = wallets.map(({ signer }) => signer).reverse();

    expect(await open({ signers: backwards }).treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await countFrom(paid)).toEqual(owner === 0 ? [1, 0] : [0, 1]);
  });

  it('is held for a person if its wallet was removed, and never paid from another', async () => {
    const { paid, owner } = await owned();
    const others = wallets.filter((_, index) => index !== owner).map(({ signer }) => signer);
    const { treasury, logged } = open({ signers: others });

    for (let visits = 0; visits < 3; visits++) {
      expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing: 'wallet was removed' });
    }

    expect(logged[0]?.fields).toMatchObject({ transactionId: paid.transactionId });
    expect(rowOf(paid)).toMatchObject({ wallet: wallets[owner]!.address, tries: [], attempts: [] });
    expect(await countFrom(paid)).toEqual([0, 0]);
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('waits while the key that may be its own does not answer', async () => {
    const { paid, owner } = await owned();
    const signers = wallets.map((wallet, index) => (index === owner ? silent(wallet) : wallet.signer));

    expect(await open({ signers }).treasury.settle(paid)).toEqual({
      state: 'PENDING',
      doing: 'KMS is unavailable',
    });
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  });
});
