import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Rpc } from '../../functions/adapters/chain/rpc.ts';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import type { Payout, SettlementOutcome } from '../../functions/domain/treasury/settlement.ts';
import { BOOK_SETTINGS, type Dynoxide, putPurchase, startDynoxide } from '../support/dynoxide.ts';
import { Death, mortal, wrapped } from '../support/faults.ts';
import { type MemoryBook, memoryBook } from '../support/memory-book.ts';
import { newPayout, openTreasury, openWorld, type Wallet, type World } from '../support/settlement-world.ts';

const UNITS = 1_000_000n;
/** How often one visit calls the node about a wallet and a destination before a nonce is taken. */
const CALLS_OF_A_LOOK = 10;
const BALANCE_OF = '0x70a08231';
const PROMISED = { state: 'PENDING', doing: 'treasury balance is promised' };
const EMPTY = { state: 'PENDING', doing: 'treasury balance' };
const CONFIRMED = expect.objectContaining({ state: 'CONFIRMED' });

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
afterEach(() => world.startMining());
afterAll(() => Promise.all([world.stop(), database.stop()]));

const open = (changes = {}) => openTreasury(world, wallets, { book, ...changes });
const onDynamo = () => settlementBook({ client: database.client, ...BOOK_SETTINGS });
const countSent = async ({ to }: Payout) => {
  const counts = await Promise.all(wallets.map((wallet) => world.countTransfers(wallet, to)));
  return counts.reduce((sum, each) => sum + each, 0);
};
const topUp = (wallet: Wallet, units: bigint) => world.owner('USDC', 'mint', [wallet.address, units]);
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** The number of transactions that the wallets have sent without a transfer. */
async function countReverts(): Promise<number> {
  let reverts = 0;
  for (const { address } of wallets) {
    const sent = Number(await world.node('eth_getTransactionCount', [address, 'latest']));
    const range = { fromBlock: '0x0', toBlock: 'latest' };
    const logs = await world.node<unknown[]>('eth_getLogs', [{ ...range, topics: [null, topic(address)] }]);
    reverts += sent - logs.length;
  }
  return reverts;
}

/** Opens a wallet for each number, with tokens for this many payments. */
async function openWallets(...payments: number[]): Promise<void> {
  const tokens = payments.map((count) => ({ tokenUnits: BigInt(count) * UNITS }));
  wallets = [];
  for (const funds of tokens) wallets.push(await world.openWallet(funds));
  book = memoryBook();
}

async function newPayouts(count: number): Promise<Payout[]> {
  const payouts = Array.from({ length: count }, () => newPayout('USDC', UNITS));
  for (const { transactionId } of payouts) await putPurchase(database, transactionId);
  return payouts;
}

/** Visits the payments until each is confirmed. */
async function settleAll(payouts: Payout[], settle: (paid: Payout) => Promise<SettlementOutcome>) {
  for (let rounds = 0; rounds < 20; rounds++) {
    const outcomes = await Promise.all(payouts.map((paid) => settle(paid)));
    if (outcomes.every(({ state }) => state === 'CONFIRMED')) return outcomes;
  }
  throw new Error('not all are settled');
}

describe('more payments at once than two wallets can pay', () => {
  beforeEach(() => openWallets(3, 2));

  it.each([
    ['in memory', 'one process', 1],
    ['in memory', 'three processes', 3],
    ['on DynamoDB', 'one process', 1],
    ['on DynamoDB', 'three processes', 3],
  ])('wait and go on once a wallet is filled up, with books %s of %s', async (books, _, count) => {
    const shared = books === 'in memory' ? book : onDynamo();
    const processes = Array.from({ length: count }, () => open({ book: shared }));
    const payouts = await newPayouts(9);
    let visits = 0;
    const settle = (paid: Payout) => processes[visits++ % count]!.treasury.settle(paid);
    await world.stopMining();

    const first = await Promise.all(payouts.map(settle));

    const isWaiting = (_paid: Payout, at: number) =>
      'doing' in first[at]! && first[at].doing === PROMISED.doing;
    const waiting = payouts.filter(isWaiting);
    const paying = payouts.filter((paid) => !waiting.includes(paid));
    expect(paying).toHaveLength(5);
    expect(processes.flatMap(({ logged }) => logged)).toEqual([]);
    world.startMining();
    await settleAll(paying, settle);
    for (const paid of waiting) expect(await settle(paid)).toEqual(EMPTY);
    await topUp(wallets[1]!, 4n * UNITS);
    await settleAll(waiting, settle);
    expect(await Promise.all(payouts.map(countSent))).toEqual(Array(9).fill(1));
    expect(await countReverts()).toBe(0);
  });

  it('leave the rest to smaller payments, and the other token untouched', async () => {
    const { treasury } = open({ waitsMs: [] });
    const half = UNITS / 2n;
    const [larger, large, one, small] = [5n, 4n, 2n, 1n].map((halves) => newPayout('USDC', halves * half));
    const other = newPayout('USDT', 2n * UNITS);
    await world.stopMining();

    const outcomes = [];
    for (const paid of [larger, large, one, small, other]) outcomes.push(await treasury.settle(paid!));

    const sent = { state: 'PENDING', doing: 'awaiting confirmations' };
    expect(outcomes).toEqual([sent, sent, PROMISED, sent, sent]);
    world.startMining();
    await settleAll([larger!, large!, small!, other], open().treasury.settle);
    expect(await countReverts()).toBe(0);
  });
});

describe('the tokens of a payment whose visitor died', () => {
  beforeEach(() => openWallets(1));

  it('stay promised if it owns a nonce, whoever comes', async () => {
    const [one, two] = await newPayouts(2);
    const dying = directTreasury(mortal(open().ports, 'after', 'book.assign'));
    await expect(dying.settle(one!)).rejects.toThrow(Death);

    expect(await open().treasury.settle(two!)).toEqual(PROMISED);
    expect(await open().treasury.settle(one!)).toEqual(CONFIRMED);
    expect(await open().treasury.settle(two!)).toEqual(EMPTY);
    expect(await countReverts()).toBe(0);
  });

  it('are available to others if it owns none', async () => {
    const [one, two] = await newPayouts(2);
    const dying = directTreasury(mortal(open().ports, 'before', 'book.assign'));
    await expect(dying.settle(one!)).rejects.toThrow(Death);

    expect(await open().treasury.settle(two!)).toEqual(CONFIRMED);
    expect(await open().treasury.settle(one!)).toEqual(EMPTY);
  });

  it('are available again once its try has failed for good', async () => {
    const [one, two] = await newPayouts(2);
    const dying = directTreasury(mortal(open().ports, 'after', 'book.assign'));
    await expect(dying.settle(one!)).rejects.toThrow(Death);
    await world.owner('USDC', 'blacklist', [one!.to]);

    const failed = () => open().treasury.settle(one!);
    await expect.poll(failed).toMatchObject({ state: 'FAILED', reason: 'REVERTED' });

    expect(await open().treasury.settle(two!)).toEqual(CONFIRMED);
  });
});

/** A gate at which one effect waits until it may go on. */
function openGate() {
  const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = () => {
    arrived.resolve();
    return opened.promise;
  };
  return { arrived: arrived.promise, pass, open: opened.resolve };
}

/** A treasury whose first effect with this label waits at the gate after it is done. Finished effects are counted. */
function gated(label: string, gate: { pass(): Promise<void> }, changes = {}) {
  const counts = new Map<string, number>();
  const ports = wrapped(open(changes).ports, async (called, effect) => {
    const answer = await effect();
    const count = (counts.get(called) ?? 0) + 1;
    counts.set(called, count);
    if (called === label && count === 1) await gate.pass();
    return answer;
  });
  return { treasury: directTreasury(ports), count: (called: string) => counts.get(called) ?? 0 };
}

const isBalance = (method: string, [call]: unknown[]) =>
  method === 'eth_call' && String((call as { data: string }).data).startsWith(BALANCE_OF);
const isCount = (method: string) => method === 'eth_getTransactionCount';

describe('a visit that continues from an earlier reading of the wallet', () => {
  beforeEach(() => openWallets(2));

  it('promises nothing twice if another process was faster', async () => {
    const [one, two, three] = await newPayouts(3);
    const gate = openGate();
    const { treasury } = gated('book.assign', gate);
    const first = treasury.settle(one!);
    await gate.arrived;
    await world.stopMining();
    const second = treasury.settle(two!);
    await open({ waitsMs: [] }).treasury.settle(three!);
    gate.open();

    expect(await second).toEqual(PROMISED);
    world.startMining();
    await settleAll([one!, three!], open().treasury.settle);
    await first;
    expect(await countReverts()).toBe(0);
  });

  it('reads the books if too much seems to be promised', async () => {
    const [one, two] = await newPayouts(2);
    const gate = openGate();
    const { treasury, count } = gated('book.assign', gate);
    const first = treasury.settle(one!);
    await gate.arrived;
    // The first payment has its nonce, and another process completes it. Only then does the second look at the chain.
    expect(await open().treasury.settle(one!)).toEqual(CONFIRMED);
    const before = count('rpc.call');
    const second = treasury.settle(two!);
    await expect.poll(() => count('rpc.call')).toBe(before + CALLS_OF_A_LOOK);
    await new Promise(setImmediate);
    gate.open();

    expect(await Promise.all([first, second])).toEqual([CONFIRMED, CONFIRMED]);
    // The books are read twice when the wallet is opened, and once more for the second payment.
    expect(count('book.findAccounts')).toBe(3);
  });

  it('ignores a mark that is newer than its own look at the chain', async () => {
    const [early, one, two] = await newPayouts(3);
    const [atBalance, atAssign] = [openGate(), openGate()];
    let looks = 0;
    const call: Rpc['call'] = async (method, params) => {
      const answer = await world.rpc.call(method, params);
      if (isBalance(method, params) && ++looks === 1) await atBalance.pass();
      return answer;
    };
    const { treasury } = gated('book.assign', atAssign, { rpc: { ...world.rpc, call } });
    // The late visit has seen the tokens of two payments. Then one payment is made, and one is promised.
    const late = treasury.settle(two!);
    await atBalance.arrived;
    expect(await open().treasury.settle(early!)).toEqual(CONFIRMED);
    await world.stopMining();
    const first = treasury.settle(one!);
    await atAssign.arrived;
    atBalance.open();
    await new Promise(setImmediate);
    atAssign.open();

    expect(await late).toEqual(PROMISED);
    world.startMining();
    await first;
    expect(await open().treasury.settle(two!)).toEqual(EMPTY);
    expect(await countReverts()).toBe(0);
  });
});

describe('a transfer that is mined between two looks at its wallet', () => {
  beforeEach(() => openWallets(2));

  it.each([
    ['counts twice for a moment', UNITS, PROMISED, CONFIRMED],
    ['does not lend its tokens', 2n * UNITS, EMPTY, EMPTY],
  ])('%s', async (_, units, outcome, next) => {
    const [paid] = await newPayouts(1);
    await world.stopMining();
    await open({ waitsMs: [] }).treasury.settle(paid!);
    const between = newPayout('USDC', units);
    let looks = 0;
    const call: Rpc['call'] = async (method, params) => {
      const answer = await world.rpc.call(method, params);
      const isLook = isCount(method) || isBalance(method, params);
      if (isLook && ++looks === 1) await world.mine();
      return answer;
    };

    expect(await open({ rpc: { ...world.rpc, call } }).treasury.settle(between)).toEqual(outcome);

    world.startMining();
    expect(await open().treasury.settle(between)).toEqual(next);
    expect(await countReverts()).toBe(0);
  });
});
