import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_IN_FLIGHT } from '../../functions/adapters/chain/claim.ts';
import { type Rpc, RpcError } from '../../functions/adapters/chain/rpc.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { OUTAGE_PATIENCE_MINUTES } from '../../functions/domain/treasury/settlement.ts';
import { memoryBook } from '../support/memory-book.ts';
import {
  chain,
  newPayout,
  openTreasury,
  openWorld,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';

const IS_BLACKLISTED = '0xfe575a87';
const START_AT = Date.UTC(2030, 0, 1);
const TRANSFER = '0xa9059cbb';
const PAUSED = '0x5c975abb';

let world: World;
let wallet: Wallet;
beforeAll(async () => {
  world = await openWorld();
  wallet = await world.openWallet();
});
afterAll(() => world.stop());

let book = memoryBook();
beforeEach(() => {
  book = memoryBook();
});
const open = (changes = {}) => openTreasury(world, wallet, { book, ...changes });
const nonceOf = async (of = wallet) =>
  Number(await world.node('eth_getTransactionCount', [of.address, 'latest']));

/** The world's node, but with other answers to some methods. */
function rpcWith(answers: Record<string, (params: unknown[]) => unknown>): Rpc {
  const call: Rpc['call'] = async (method, params) =>
    answers[method]?.(params) ?? world.rpc.call(method, params);
  return { ...world.rpc, call, nodes: async () => [{ call }] };
}

describe('before a nonce is owned, a payout', () => {
  it('fails a try for a destination on the token’s block list, and owns nothing', async () => {
    const before = await nonceOf();
    for (const asset of ASSET_NAMES) {
      const paid = newPayout(asset);
      await world.block(asset, paid.to);

      expect(await open().treasury.settle(paid)).toEqual({
        state: 'FAILED',
        reason: 'DESTINATION_BLACKLISTED',
        triesLeft: 3,
      });
    }
    expect(await nonceOf()).toBe(before);
    expect(book.slots.size).toBe(0);
  });

  it('ends at once for the treasury, a token or the oracle as destination, because no try can succeed', async () => {
    const tokens = ASSET_NAMES.map((asset) => chain.tokens[asset].address);
    const lowerCase = tokens.map((address) => address.toLowerCase());
    for (const to of [wallet.address, ...tokens, ...lowerCase, chain.sanctionsOracle]) {
      const { treasury } = open();
      const paid = { ...newPayout(), to };
      const over = { reason: 'DESTINATION_RESERVED', triesLeft: 0, cancelledFor: 'WALLET_RISK_TOO_HIGH' };

      expect(await treasury.settle(paid)).toEqual({ state: 'FAILED', ...over });
      expect(await treasury.settle(paid)).toEqual({ state: 'FAILED', ...over });
      expect(book.rows.get(paid.transactionId)).toMatchObject({
        state: 'FAILED',
        tries: ['DESTINATION_RESERVED'],
        attempts: [],
      });
    }
  });

  it('fails a try when the token would revert', async () => {
    const paid = { ...newPayout(), to: `0x${'0'.repeat(40)}` };

    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'FAILED', reason: 'TRANSFER_REFUSED' });
  });

  describe('while the chain cannot be asked', () => {
    const HELD = { state: 'PENDING', doing: 'chain RPC is unavailable' };
    const MINUTE_MS = 60_000;
    const call = () => Promise.reject(new Unavailable('chain RPC'));
    const down = { call, nodes: async () => [{ call }], broadcast: async () => 'no answer' };
    let minutes = 0;
    const clock = { now: () => START_AT + minutes * MINUTE_MS, minuteMs: MINUTE_MS };
    beforeEach(() => {
      minutes = 0;
    });

    it('is held for half an hour, of which operators learn, then fails tries, and ends after four', async () => {
      const { treasury, logged } = open({ rpc: down, clock });
      const paid = newPayout();

      for (minutes of [0, 1, OUTAGE_PATIENCE_MINUTES - 0.001]) {
        expect(await treasury.settle(paid)).toEqual(HELD);
        expect(book.rows.get(paid.transactionId)).toMatchObject({ tries: [], openedAt: START_AT });
      }
      expect(logged.map(({ fields }) => fields?.doing)).toEqual(Array(3).fill(HELD.doing));
      minutes = OUTAGE_PATIENCE_MINUTES;
      const outcomes = [];
      for (let visit = 0; visit < 5; visit++) outcomes.push(await treasury.settle(paid));

      expect(outcomes).toEqual(
        [3, 2, 1, 0, 0].map((triesLeft) => ({ state: 'FAILED', reason: 'OUTAGE', triesLeft })),
      );
      expect(await open().treasury.settle(paid)).toMatchObject({ state: 'FAILED', triesLeft: 0 });
      expect(await world.countTransfers(wallet, paid.to)).toBe(0);
    });

    it('goes on when the chain is back, with all its tries', async () => {
      const paid = newPayout();
      await open({ rpc: down, clock }).treasury.settle(paid);
      minutes = 2 * OUTAGE_PATIENCE_MINUTES;

      expect(await open({ clock }).treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
      expect(book.rows.get(paid.transactionId)?.tries).toEqual([]);
    });

    it('waits half an hour also if another try had failed', async () => {
      const paid = newPayout();
      await world.owner('USDC', 'blacklist', [paid.to]);
      await open({ clock }).treasury.settle(paid);
      const { treasury } = open({ rpc: down, clock });

      for (minutes of [0, 29]) expect(await treasury.settle(paid)).toEqual(HELD);
      minutes = 30;
      expect(await treasury.settle(paid)).toEqual({ state: 'FAILED', reason: 'OUTAGE', triesLeft: 2 });
    });

    it('fails no try by two short silences, between which other checks of the purchase waited for hours', async () => {
      const paid = newPayout();
      const { treasury } = open({ rpc: down, clock });

      for (minutes of [0, 240, 241]) expect(await treasury.settle(paid)).toEqual(HELD);

      expect(book.rows.get(paid.transactionId)).toMatchObject({ tries: [] });
      minutes = 270;
      expect(await treasury.settle(paid)).toMatchObject({ reason: 'OUTAGE', triesLeft: 3 });
    });

    it('fails no try of a payment that had waited for hours for something else', async () => {
      const paid = newPayout();
      await world.owner('USDC', 'pause', []);
      await open({ clock }).treasury.settle(paid);

      for (const begins of [120, 240]) {
        for (minutes of [begins, begins + OUTAGE_PATIENCE_MINUTES - 1])
          expect(await open({ rpc: down, clock }).treasury.settle(paid)).toEqual(HELD);
        // The nodes answer again, and the payment waits on. The next silence begins anew.
        expect(await open({ clock }).treasury.settle(paid)).toMatchObject({ doing: 'paused' });
      }
      await world.owner('USDC', 'unpause', []);
      expect(await open({ clock }).treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
      expect(book.rows.get(paid.transactionId)?.tries).toEqual([]);
    });
  });

  it('counts one try for visits that fail together', async () => {
    const paid = newPayout();
    await world.owner('USDC', 'blacklist', [paid.to]);
    const visits = Array.from({ length: 3 }, () => open().treasury.settle(paid));

    const outcomes = await Promise.all(visits);

    const tries = book.rows.get(paid.transactionId)?.tries ?? [];
    expect(new Set(outcomes.map((each) => JSON.stringify(each))).size).toBe(tries.length);
  });

  it('waits while the token is paused, and uses up no try', async () => {
    const paid = newPayout();
    const { treasury, logged } = open();
    await world.owner('USDC', 'pause');

    expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing: 'paused' });
    await world.owner('USDC', 'unpause');

    expect(logged[0]?.fields).toMatchObject({ doing: 'paused' });
    expect(book.rows.get(paid.transactionId)?.tries).toEqual([]);
    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('waits for a treasury with too little of the token, and raises the alarm', async () => {
    const paid = newPayout('USDC', 2_000_000_000n);
    const poor = await world.openWallet();
    const { treasury, logged } = openTreasury(world, poor);

    expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing: 'treasury balance' });
    expect(logged).toHaveLength(1);
    await world.owner('USDC', 'mint', [poor.address, 1_000_000_000n]);
    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('waits for a treasury that cannot pay the fees', async () => {
    const poor = await world.openWallet({ wei: 1_000n });

    expect(await openTreasury(world, poor).treasury.settle(newPayout())).toEqual({
      state: 'PENDING',
      doing: 'treasury gas',
    });
  });

  it('waits while the chain costs more than the cap', async () => {
    const { treasury } = open({ chain: { ...chain, feeCapGwei: 0.000_000_1 } });

    expect(await treasury.settle(newPayout())).toEqual({ state: 'PENDING', doing: 'fees above the cap' });
  });

  it('waits while the limit of payments is on its way', async () => {
    const latest = await nonceOf();
    await book.openWallet(wallet.address, latest + MAX_IN_FLIGHT);

    expect(await open().treasury.settle(newPayout())).toEqual({ state: 'PENDING', doing: 'wallet is busy' });
  });

  it('raises the alarm after half an hour of such a wait, for example at a node that stands still', async () => {
    const latest = await nonceOf();
    await book.openWallet(wallet.address, latest + MAX_IN_FLIGHT);
    let now = START_AT;
    const { treasury, logged } = open({ clock: { now: () => now, minuteMs: 60_000 } });
    const paid = newPayout();

    for (now of [START_AT, START_AT + 30 * 60_000]) await treasury.settle(paid);
    expect(logged).toEqual([]);
    now++;
    expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing: 'wallet is busy' });
    expect(logged.map(({ fields }) => fields?.doing)).toEqual(['wallet is busy']);
  });

  it('is held if the wallet’s key was used elsewhere', async () => {
    await open().treasury.settle(newPayout());
    book = memoryBook();
    await book.openWallet(wallet.address, 0);

    const { treasury, logged } = open();
    expect(await treasury.settle(newPayout())).toEqual({
      state: 'PENDING',
      doing: 'wallet is used elsewhere',
    });
    expect(logged).toHaveLength(1);
  });

  it('ends for a purchase whose refund was claimed, or that is not PROCESSING', async () => {
    const over = { state: 'FAILED', reason: 'NOT_TO_BE_SETTLED', triesLeft: 0 };
    for (const purchase of [
      { status: 'PROCESSING', disposition: 'REFUND' },
      { status: 'FAILED' },
      { status: 'COMPLETED', disposition: 'SETTLE' },
    ]) {
      const paid = newPayout();
      book.purchases.set(paid.transactionId, purchase);

      expect(await open().treasury.settle(paid)).toEqual(over);
      expect(await world.countTransfers(wallet, paid.to)).toBe(0);
    }
  });

  // Spec, Initiate a transaction: "on the single EVM network"
  // docs/settlement.md, "Steps"
  it('is not made on another chain or in a token of other decimals', async () => {
    const elsewhere = open({ rpc: rpcWith({ eth_chainId: () => '0x1' }) });
    await expect(elsewhere.treasury.settle(newPayout())).rejects.toThrow('the nodes are on chain 0x1');

    const oracleAsToken = { ...chain, tokens: { ...chain.tokens, USDT: { address: chain.sanctionsOracle } } };
    const outcome = await open({ chain: oracleAsToken }).treasury.settle(newPayout());
    expect(outcome).toEqual({ state: 'PENDING', doing: 'chain RPC answered with an error' });
  });

  it.each([
    ['the black list', IS_BLACKLISTED],
    ['the trial transfer', TRANSFER],
  ])('is not taken as clear on an odd answer of %s', async (_, selector) => {
    for (const answer of [`0x${'0'.repeat(62)}`, `0x${'0'.repeat(63)}2`, 7]) {
      const isAsked = ([call]: unknown[]) => (call as { data: string }).data.startsWith(selector);
      const { treasury } = open({
        rpc: rpcWith({ eth_call: (params) => (isAsked(params) ? answer : undefined) }),
      });

      const outcome = await treasury.settle(newPayout());
      expect(outcome).toEqual({ state: 'PENDING', doing: 'chain RPC is unavailable' });
    }
  });

  it.each([
    ['the trial transfer', TRANSFER],
    ['the pause', PAUSED],
  ])('uses up no try if a node has an error of its own, asked about %s', async (_, selector) => {
    const limited = new RpcError({ code: -32005, message: 'daily request count exceeded' });
    const isAsked = ([call]: unknown[]) => (call as { data: string }).data.startsWith(selector);
    const { treasury } = open({
      rpc: rpcWith({ eth_call: (params) => (isAsked(params) ? Promise.reject(limited) : undefined) }),
    });

    const outcome = await treasury.settle(newPayout());
    expect(outcome).toEqual({ state: 'PENDING', doing: 'chain RPC answered with an error' });
  });

  it('is refused if the trial transfer answers false', async () => {
    const isTrial = ([call]: unknown[]) => (call as { data: string }).data.startsWith(TRANSFER);
    const rpc = rpcWith({ eth_call: (params) => (isTrial(params) ? `0x${'0'.repeat(64)}` : undefined) });

    expect(await open({ rpc }).treasury.settle(newPayout())).toMatchObject({ reason: 'TRANSFER_REFUSED' });
  });
});
