import { Transaction } from 'ethers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
import { Death, mortal, wrapped } from '../support/faults.ts';
import { type MemoryBook, memoryBook } from '../support/memory-book.ts';
import {
  chain,
  newPayout,
  openTreasury,
  openWorld,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';

const WISH = { reason: 'SANCTIONS_HIT', at: 1 } as const;
const CANCELLED = { state: 'FAILED', reason: 'CANCELLED', triesLeft: 0, cancelledFor: 'SANCTIONS_HIT' };
/** Blocks after which everything before is final, as the local node has it. */
const FINAL = 5;

let world: World;
let wallet: Wallet;
let book: MemoryBook;
let now = 0;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  wallet = await world.openWallet();
  book = memoryBook();
  now = 1_000_000;
  await world.stopMining();
});
afterEach(() => world.startMining());
afterAll(() => world.stop());

const clock = { now: () => now, minuteMs: 60_000 };
const chain3 = { ...chain, confirmations: 3, finality: FINAL };
const open = (changes = {}) =>
  openTreasury(world, wallet, { book, clock, waitsMs: [], chain: chain3, ...changes });
const rowOf = (paid: Payout) => book.rows.get(paid.transactionId)!;
const kindsOf = (paid: Payout) => rowOf(paid).attempts.map(({ kind }) => kind);
const ask = (paid: Payout) => book.cancellations.ask(paid.transactionId, WISH);
const nonceOf = async () => Number(await world.node('eth_getTransactionCount', [wallet.address, 'latest']));

/** A payment that is sent and not mined, and then a request to cancel it. */
async function sentAndUnwanted(): Promise<Payout> {
  const paid = newPayout();
  await open().treasury.settle(paid);
  expect(await ask(paid)).toBe(true);
  return paid;
}

/** Visits the payment again and again, each time after another block, until it has ended. */
async function visitUntilOver(paid: Payout, changes = {}) {
  for (let blocks = 0; blocks < 3 * FINAL; blocks++) {
    const outcome = await open(changes).treasury.settle(paid);
    if (outcome.state !== 'PENDING') return outcome;
    now += 5_000;
    await world.mine();
  }
  throw new Error('it never ended');
}

async function expectCancelledOnce(paid: Payout): Promise<void> {
  expect(await world.countTransfers(wallet, paid.to)).toBe(0);
  expect(await nonceOf()).toBe(1);
  expect(rowOf(paid)).toMatchObject({ state: 'FAILED', tries: ['CANCELLED'], cancel: WISH });
  expect(rowOf(paid).nonce).toBeUndefined();
  expect(book.purchases.get(paid.transactionId)?.disposition).toBeUndefined();
}

describe('a payment that is to be cancelled', () => {
  it('is outbid at its own nonce by a transfer of nothing to ourselves, with 20 % more of both fees', async () => {
    const paid = await sentAndUnwanted();
    await open().treasury.settle(paid);

    const [pay, cancel] = rowOf(paid).attempts.map(({ raw }) => Transaction.from(raw));
    expect(kindsOf(paid)).toEqual(['pay', 'cancel']);
    expect(cancel).toMatchObject({ nonce: pay?.nonce, value: 0n, data: '0x', from: wallet.address });
    expect(cancel?.to).toBe(wallet.address);
    expect(Number(cancel?.maxFeePerGas)).toBeGreaterThanOrEqual(Number(pay?.maxFeePerGas) * 1.2);
    expect(Number(cancel?.maxPriorityFeePerGas)).toBeGreaterThanOrEqual(
      Number(pay?.maxPriorityFeePerGas) * 1.2,
    );
  });

  it('fails for its reason once the cancel is final, not a block earlier, and is never tried again', async () => {
    const paid = await sentAndUnwanted();
    await open().treasury.settle(paid);

    const states = [];
    for (let blocks = 1; blocks < FINAL; blocks++) {
      await world.mine();
      states.push((await open().treasury.settle(paid)).state);
      expect(book.purchases.get(paid.transactionId)?.disposition).toBe('SETTLE');
    }
    await world.mine();

    expect(new Set(states)).toEqual(new Set(['PENDING']));
    expect(await open().treasury.settle(paid)).toEqual(CANCELLED);
    expect(await open().treasury.settle(paid)).toEqual(CANCELLED);
    await expectCancelledOnce(paid);
  });

  it('is completed if it was mined before the cancel', async () => {
    const paid = newPayout();
    await open().treasury.settle(paid);
    await world.mine();
    await ask(paid);

    expect(await visitUntilOver(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(kindsOf(paid)).toEqual(['pay']);
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('is completed if the nodes accept the payment instead of the cancel', async () => {
    const paid = newPayout();
    const first: unknown[] = [];
    const stubborn = {
      ...world.rpc,
      broadcast: (raw: string) => {
        first.push(raw);
        return raw === first[0] ? world.rpc.broadcast(raw) : Promise.resolve('underpriced');
      },
    };
    await open({ rpc: stubborn }).treasury.settle(paid);
    await ask(paid);

    expect(await visitUntilOver(paid, { rpc: stubborn })).toMatchObject({ state: 'CONFIRMED' });
    expect(kindsOf(paid)[1]).toBe('cancel');
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('is cancelled at its nonce if nothing was signed yet', async () => {
    const paid = newPayout();
    await expect(directTreasury(mortal(open().ports, 'after', 'book.assign')).settle(paid)).rejects.toThrow(
      Death,
    );
    await ask(paid);

    expect(await visitUntilOver(paid)).toEqual(CANCELLED);
    await expectCancelledOnce(paid);
  });

  it('ends at once if it owns no nonce', async () => {
    const paid = newPayout('USDC', 5_000_000_000n);
    expect(await open().treasury.settle(paid)).toEqual({ state: 'PENDING', doing: 'treasury balance' });
    await ask(paid);

    expect(await open().treasury.settle(paid)).toEqual(CANCELLED);
    expect(await nonceOf()).toBe(0);
  });

  it('is cancelled again with the same bytes if a reorg drops the cancel', async () => {
    const paid = await sentAndUnwanted();
    await open().treasury.settle(paid);
    await world.mine();
    await open().treasury.settle(paid);
    await world.node('anvil_reorg', [1, []]);
    now += 5_000;

    expect(await visitUntilOver(paid)).toEqual(CANCELLED);
    expect(kindsOf({ ...paid })).toEqual([]);
    await expectCancelledOnce(paid);
  });

  it('is completed if a reorg replaces the cancel by the payment', async () => {
    const paid = await sentAndUnwanted();
    await open().treasury.settle(paid);
    await world.mine();
    await open().treasury.settle(paid);
    const pay = rowOf(paid).attempts[0]!.raw;
    await world.node('anvil_reorg', [1, [[pay, 0]]]);

    expect(await visitUntilOver(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('ends without another try if it reverts', async () => {
    const paid = newPayout();
    await expect(directTreasury(mortal(open().ports, 'after', 'book.assign')).settle(paid)).rejects.toThrow(
      Death,
    );
    await world.startMining();
    await world.owner('USDC', 'blacklist', [paid.to]);
    await world.stopMining();
    await open().treasury.settle(paid);
    await world.mine();
    await ask(paid);

    expect(await visitUntilOver(paid)).toEqual({ ...CANCELLED, reason: 'REVERTED' });
  });

  it('waits until money may leave if it owns no nonce, because its transfer may be missing in the tables', async () => {
    const paid = newPayout();
    const { treasury } = open({ findHold: async () => 'RESTORED' as const });
    const held = await treasury.settle(paid);
    await ask(paid);
    expect(await treasury.settle(paid)).toEqual(held);
    expect(await open().treasury.settle(paid)).toEqual(CANCELLED);
  });

  it('waits if the cap on fees leaves no room, and is not sent again in the meantime', async () => {
    const paid = newPayout();
    await open().treasury.settle(paid);
    const sent = rowOf(paid).attempts[0]!.raw;
    const feeCapGwei = Number(Transaction.from(sent).maxFeePerGas) / 1e9;
    await world.node('anvil_dropAllTransactions');
    await ask(paid);
    const broadcasts: unknown[] = [];
    const rpc = {
      ...world.rpc,
      broadcast: (raw: string) => {
        broadcasts.push(raw);
        return world.rpc.broadcast(raw);
      },
    };

    for (let visits = 0; visits < 5; visits++) {
      const { treasury, logged } = open({ chain: { ...chain3, feeCapGwei }, rpc });
      const outcome = await treasury.settle(paid);
      expect(outcome).toEqual({ state: 'PENDING', doing: 'no room under the fee cap to cancel' });
      expect(logged).toHaveLength(1);
      now += 60_000;
      await world.mine();
    }

    expect(broadcasts).toEqual([]);
    expect(kindsOf(paid)).toEqual(['pay']);
    expect(book.purchases.get(paid.transactionId)?.disposition).toBe('SETTLE');
    expect(await visitUntilOver(paid)).toEqual(CANCELLED);
  });

  it('is cancelled, and not sent, also by a visit of a payment that waits for it', async () => {
    const paid = await sentAndUnwanted();
    await world.node('anvil_dropAllTransactions');
    const later = newPayout();
    await open().treasury.settle(later);
    now += 5_000;
    await open().treasury.settle(later);

    expect(kindsOf(paid)).toEqual(['pay', 'cancel']);
    expect(await visitUntilOver(later)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(0);
    expect(await visitUntilOver(paid)).toEqual(CANCELLED);
  });
});

describe('a cancel', () => {
  it('is one for three visits at once, whatever they sign', async () => {
    const paid = await sentAndUnwanted();
    const { treasury } = open();

    await Promise.all([treasury.settle(paid), treasury.settle(paid), treasury.settle(paid)]);

    expect(kindsOf(paid)).toEqual(['pay', 'cancel']);
    expect(await visitUntilOver(paid)).toEqual(CANCELLED);
    await expectCancelledOnce(paid);
  });

  it('is not undone by a visit that did not know of it', async () => {
    const paid = newPayout();
    await open().treasury.settle(paid);
    for (let casts = 0; casts < 2; casts++) {
      now += 5_000;
      await open().treasury.settle(paid);
    }
    now += 5_000;
    // The visitor read the row and bumps the payment. The request comes before its bytes are stored.
    const late = wrapped(open().ports, async (label, effect) => {
      const answer = await effect();
      if (label === 'signer.sign') await ask(paid);
      return answer;
    });
    await directTreasury(late).settle(paid);

    expect(kindsOf(paid)).toEqual(['pay', 'cancel']);
    expect(await visitUntilOver(paid)).toEqual(CANCELLED);
  });

  const EFFECTS = ['signer.sign', 'book.addAttempt', 'rpc.broadcast', 'book.noteCast', 'book.fail'];
  describe.each(['before', 'after'] as const)('whose process dies %s', (when) => {
    it.each(EFFECTS)('%s is made once by the next', async (label) => {
      const paid = await sentAndUnwanted();
      const dying = directTreasury(mortal(open().ports, when, label));
      let deaths = 0;
      for (let visits = 0; visits < FINAL + 2; visits++) {
        const outcome = await dying.settle(paid).catch((error) => error);
        now += 5_000;
        if (!(outcome instanceof Death)) await world.mine();
        else deaths++;
      }

      expect(deaths).toBe(1);
      expect(await visitUntilOver(paid)).toEqual(CANCELLED);
      await expectCancelledOnce(paid);
    });
  });
});
