import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import type { DirectTreasury } from '../../functions/adapters/chain/visit.ts';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { Payout, SettlementOutcome } from '../../functions/domain/treasury/settlement.ts';
import { BOOK_SETTINGS, type Dynoxide, putPurchase, startDynoxide } from '../support/dynoxide.ts';
import { Death, mortal, wrapped } from '../support/faults.ts';
import { memoryBook } from '../support/memory-book.ts';
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
let wallet: Wallet;
beforeAll(async () => {
  [world, database] = await Promise.all([
    openWorld(),
    startDynoxide(['settlements', 'transactions', 'ledger']),
  ]);
  wallet = await world.openWallet();
});
afterAll(() => Promise.all([world.stop(), database.stop()]));

const databaseBook = () => settlementBook({ client: database.client, ...BOOK_SETTINGS });

const EFFECTS = [
  'book.open',
  'book.openWallet',
  'book.assign',
  'signer.sign',
  'book.addAttempt',
  'rpc.broadcast',
  'book.noteCast',
  'book.confirm',
];

describe.each(['before', 'after'] as const)('a process that dies %s', (when) => {
  it.each(EFFECTS)('%s is followed by one that makes exactly one transfer', async (label) => {
    const { ports } = openTreasury(world, wallet);
    const paid = newPayout();

    await expect(directTreasury(mortal(ports, when, label)).settle(paid)).rejects.toThrow(Death);
    const treasury = directTreasury(ports);
    const outcomes = await Promise.all([treasury.settle(paid), treasury.settle(paid)]);

    expect(outcomes.map((outcome) => outcome.state)).toEqual(['CONFIRMED', 'CONFIRMED']);
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });
});

/** A visit whose first calls begin before it, as those of `SettleStablecoin` do. */
function settleEarly(ports: DirectTreasury, payout: Payout): Promise<SettlementOutcome> {
  const treasury = directTreasury(ports);
  const early = treasury.begin(payout.transactionId);
  early.clear(payout);
  return treasury.settle(payout, early);
}

describe('visits whose first calls begin before them', () => {
  it.each(['before', 'after'] as const)('make one transfer after a death %s the opening', async (when) => {
    const { ports } = openTreasury(world, wallet);
    const paid = newPayout();

    await expect(settleEarly(mortal(ports, when, 'book.open'), paid)).rejects.toThrow(Death);
    const outcomes = await Promise.all([settleEarly(ports, paid), settleEarly(ports, paid)]);

    expect(outcomes.map(({ state }) => state)).toEqual(['CONFIRMED', 'CONFIRMED']);
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('leave a settlement without a nonce if the caller ends before the visit', async () => {
    const { ports } = openTreasury(world, wallet);
    const paid = newPayout();
    const early = directTreasury(ports).begin(paid.transactionId);

    early.clear(paid);

    await expect.poll(() => ports.book.find(paid.transactionId)).toMatchObject({ state: 'REQUESTED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(0);
  });
});

describe('a broadcast', () => {
  it('is never made before its bytes are stored', async () => {
    const { ports } = openTreasury(world, wallet);
    const effects: string[] = [];
    const watched = wrapped(ports, async (label, effect) => {
      const result = await effect();
      effects.push(label);
      return result;
    });

    await directTreasury(watched).settle(newPayout());

    const order = ['book.assign', 'signer.sign', 'book.addAttempt', 'rpc.broadcast', 'book.confirm'];
    expect(effects.filter((label) => order.includes(label))).toEqual(order);
  });

  it('pays once if its answer is lost', async () => {
    const paid = newPayout();
    const { ports } = openTreasury(world, wallet);
    const deaf = wrapped(ports, async (label, effect) => {
      const result = await effect();
      return label === 'rpc.broadcast' ? 'no answer' : result;
    });

    expect(await directTreasury(deaf).settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('is made again with the same bytes if it was lost itself', async () => {
    const paid = newPayout();
    let now = Date.now();
    const book = memoryBook();
    const { ports } = openTreasury(world, wallet, { book, clock: { now: () => now, minuteMs: 60_000 } });
    const mute = wrapped(ports, async (label, effect) =>
      label === 'rpc.broadcast' ? 'no answer' : effect(),
    );

    expect(await directTreasury({ ...mute, waitsMs: [20] }).settle(paid)).toMatchObject({ state: 'PENDING' });
    const attempts = book.rows.get(paid.transactionId)?.attempts;
    now += 5_000;
    const outcome = await directTreasury(ports).settle(paid);

    expect(outcome).toMatchObject({ state: 'CONFIRMED', txHash: attempts?.[0]?.hash });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });
});

describe('an outage of the chain after the broadcast', () => {
  it('leaves the payout pending, uses up no try, and ends when the chain is back', async () => {
    const paid = newPayout();
    const book = memoryBook();
    const { ports } = openTreasury(world, wallet, { book });
    let isDown = false;
    const flaky = wrapped(ports, async (label, effect) => {
      if (label === 'rpc.call' && isDown) throw new Unavailable('chain RPC');
      const result = await effect();
      if (label === 'rpc.broadcast') isDown = true;
      return result;
    });
    const treasury = directTreasury(flaky);

    for (let visit = 0; visit < 6; visit++) {
      expect(await treasury.settle(paid)).toEqual({ state: 'PENDING', doing: 'chain RPC is unavailable' });
    }
    expect(book.rows.get(paid.transactionId)?.tries).toEqual([]);

    isDown = false;
    expect(await treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
  });

  it('has the same effect if KMS is out', async () => {
    const paid = newPayout();
    const { ports } = openTreasury(world, wallet);
    const failing = wrapped(ports, async (label, effect) => {
      if (label === 'signer.sign') throw new Unavailable('KMS');
      return effect();
    });

    expect(await directTreasury(failing).settle(paid)).toEqual({
      state: 'PENDING',
      doing: 'KMS is unavailable',
    });
    expect(await directTreasury(ports).settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  });
});

describe.each(['in memory', 'on DynamoDB'])('twelve payouts with books %s', (books) => {
  it('are each paid once, or failed and not paid, under crashes, outages, lost sends and reorgs', async () => {
    const own = await world.openWallet();
    // The reorgs must not take the wallet's own tokens away.
    await world.mine(3);
    // The clock runs twenty times as fast, so that waits of seconds end sooner.
    const clock = { now: () => Date.now() * 20, minuteMs: 60_000 };
    const book = books === 'in memory' ? memoryBook() : databaseBook();
    const { ports } = openTreasury(world, own, { clock, book, chain: { ...chain, confirmations: 3 } });
    const chaos = directTreasury({ ...wrapped(ports, chaotic), waitsMs: [50, 50] });
    const payouts = Array.from({ length: 12 }, () => newPayout());
    for (const { transactionId } of payouts) await putPurchase(database, transactionId);

    const drives = Promise.all(payouts.map((paid) => driveToTheEnd(chaos, paid)));
    for (let reorgs = 0; reorgs < 3; reorgs++) {
      await wait(150);
      await world.reorg(2);
    }
    const outcomes = await drives;
    await world.mine(3);

    for (const [index, paid] of payouts.entries()) {
      const expected = outcomes[index]?.state === 'CONFIRMED' ? paid.units : 0n;
      expect(await world.balance('USDC', paid.to)).toBe(expected);
    }
    const confirmed = outcomes.filter((outcome) => outcome.state === 'CONFIRMED').length;
    expect(confirmed).toBeGreaterThan(6);
    // Each used nonce belongs to a confirmed payout.
    expect(Number(await world.node('eth_getTransactionCount', [own.address, 'latest']))).toBe(confirmed);
  });
});

async function chaotic(label: string, effect: () => Promise<unknown>): Promise<unknown> {
  const dice = Math.random();
  if (label === 'rpc.call' && dice < 0.01) throw new Unavailable('chain RPC');
  if (label === 'rpc.broadcast' && dice < 0.2) return 'no answer';
  if (label !== 'rpc.call' && dice < 0.08) throw new Death(`before ${label}`);
  const result = await effect();
  if (label !== 'rpc.call' && dice > 0.92) throw new Death(`after ${label}`);
  const isReceipt = typeof result === 'object' && result !== null && 'transactionHash' in result;
  return isReceipt && dice > 0.9 ? null : result;
}

/** Two visitors at a time, like a state machine and a sweeper. */
async function driveToTheEnd(
  treasury: ReturnType<typeof directTreasury>,
  paid: Payout,
): Promise<SettlementOutcome> {
  let last = '';
  for (let visit = 0; visit < 100; visit++) {
    const visits = await Promise.allSettled([treasury.settle(paid), treasury.settle(paid)]);
    for (const each of visits) {
      if (each.status === 'rejected' && !(each.reason instanceof Death)) throw each.reason;
      if (each.status === 'fulfilled' && isOver(each.value)) return each.value;
      if (each.status === 'fulfilled') last = JSON.stringify(each.value);
    }
  }
  throw new Error(`the payout never ended: ${last}`);
}

function isOver(outcome: SettlementOutcome): boolean {
  return outcome.state === 'CONFIRMED' || (outcome.state === 'FAILED' && outcome.triesLeft === 0);
}
