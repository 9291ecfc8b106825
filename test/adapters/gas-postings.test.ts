/** The gas of our transactions in the ledger, against the balance of the wallet on a real chain. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outflows } from '../../functions/adapters/chain/outflows.ts';
import type { Node, Rpc } from '../../functions/adapters/chain/rpc.ts';
import { transferWatch } from '../../functions/adapters/chain/transfer-watch.ts';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import { cancellations } from '../../functions/adapters/dynamodb/cancellations.ts';
import { coinBookStore } from '../../functions/adapters/dynamodb/coin-books.ts';
import { ledgerStore, postingRow } from '../../functions/adapters/dynamodb/ledger.ts';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { balancesOf, isBalanced, move, type Posting, postingOf } from '../../functions/domain/ledger.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { gasPosting } from '../../functions/domain/treasury/gas.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { ledgerReader } from '../../operations/stores/ledger-reader.ts';
import { Death, mortal } from '../support/faults.ts';
import { mortalClient } from '../support/mortal-client.ts';
import { newId, openPorts } from '../support/ports.ts';
import {
  chain,
  newPayout,
  openTreasury,
  openWorld,
  random,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';
import { stubLog } from '../support/stub-log.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

const FINAL = 4;
const MINUTE_MS = 60_000;
const FUNDS = 10n ** 18n;
const settings = { ...chain, confirmations: 1, finality: FINAL };

let world: World;
let tables: Tables;
let wallet: Wallet;
let now = Date.parse('2026-11-20T12:00:00Z');
beforeAll(async () => {
  world = await openWorld();
  await world.stopMining();
});
beforeEach(async () => {
  tables = memoryTables();
  wallet = await world.openWallet();
});
afterAll(() => world.stop());

const clock = { now: () => now, minuteMs: MINUTE_MS };

const bookOf = (client = tables.client) =>
  settlementBook({
    client,
    settlementsTable: tables.names.settlements,
    transactionsTable: tables.names.transactions,
    ledgerTable: tables.names.ledger,
    chainId: chain.chainId,
    random,
  });
const open = (client = tables.client, rpc: Rpc = world.rpc) =>
  openTreasury({ rpc }, wallet, { book: bookOf(client), clock, chain: settings, waitsMs: [] });
const watch = (client = tables.client, rpc: Rpc = world.rpc) =>
  transferWatch({ rpc, chain: settings, client, tables: tables.names, clock, log: stubLog(), random });

async function newPurchase(): Promise<Payout> {
  const paid = newPayout();
  const Item = { id: paid.transactionId, status: 'PROCESSING' };
  await tables.client.send(new PutCommand({ TableName: tables.names.transactions, Item }));
  return paid;
}

/** A transfer that is confirmed, and due to be looked at. It is not final. */
async function confirmed(rpc = world.rpc): Promise<Payout> {
  const paid = await newPurchase();
  await open(tables.client, rpc).treasury.settle(paid);
  await world.mine();
  expect(await open(tables.client, rpc).treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
  now += MINUTE_MS;
  return paid;
}

/** The token refuses the client after the nonce was assigned, so the transfer is mined and reverts. */
async function reverting(): Promise<Payout> {
  const paid = await newPurchase();
  const dying = directTreasury(mortal(open().ports, 'after', 'book.assign'));
  await expect(dying.settle(paid)).rejects.toThrow(Death);
  await world.owner('USDC', 'blacklist', [paid.to]);
  await open().treasury.settle(paid);
  await world.mine(FINAL + 1);
  return paid;
}

const posted = () => ledgerStore(tables.client, tables.names.ledger).listDay(dayInBrasilia(now));
const weiOf = ({ entries }: Posting) => entries.find(({ account }) => account === 'gas')!.amount;

/** The wallet's coins that the chain has taken so far. */
async function spent(): Promise<bigint> {
  return FUNDS - BigInt(await world.node<string>('eth_getBalance', [wallet.address, 'latest']));
}

/**
 * Expects one posting for the only nonce. It has exactly the cost on the chain, and equals the one that the slot asks
 * for.
 */
async function expectPostedOnce(paid: Payout): Promise<Posting> {
  const postings = await posted();
  expect(postings).toHaveLength(1);
  const [only] = postings as [Posting];
  expect(only).toMatchObject({ kind: 'GAS_SPENT', transactionId: paid.transactionId });
  expect(weiOf(only)).toBe(await spent());
  expect(isBalanced(only)).toBe(true);
  expect(await bookOf().findGasPosting(wallet.address, 0)).toEqual(only);
  return only;
}

describe('the gas of a transfer', () => {
  // docs/decisions.md, "The books"
  it('is posted when the transfer is final, not earlier', async () => {
    const paid = await confirmed();
    expect(await posted()).toEqual([]);
    await world.mine(FINAL);

    expect(await watch().look(paid.transactionId)).toBe('FINAL');

    const { id, txHash } = await expectPostedOnce(paid);
    expect(id).toBe(`${chain.chainId}:${wallet.address.toLowerCase()}:0#GAS_SPENT`);
    expect(txHash).toBe(((await bookOf().find(paid.transactionId)) as { txHash?: string }).txHash);
  });

  it('is posted by the confirmation itself, if the transfer is final by then', async () => {
    const paid = await newPurchase();
    await open().treasury.settle(paid);
    await world.mine(FINAL + 1);

    const outcomes = await Promise.all(Array.from({ length: 5 }, () => open().treasury.settle(paid)));

    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['CONFIRMED']));
    await expectPostedOnce(paid);
  });

  it('is posted once by twenty looks at the same time', async () => {
    const paid = await confirmed();
    await world.mine(FINAL);

    await Promise.all(Array.from({ length: 20 }, () => watch().look(paid.transactionId)));

    await expectPostedOnce(paid);
  });

  describe.each([
    ['before', false],
    ['after', true],
  ])('whose look dies %s', (_, isAfter) => {
    it.each([1, 2])('call %d of the tables is posted once by the next', async (call) => {
      const paid = await confirmed();
      await world.mine(FINAL);

      await watch(mortalClient(tables.client, { call, isAfter }))
        .look(paid.transactionId)
        .catch(() => undefined);
      await watch().look(paid.transactionId);
      await watch().look(paid.transactionId);

      await expectPostedOnce(paid);
    });
  });

  it('leaves a transfer final that nodes show without its gas, and posts nothing', async () => {
    const rpc = withoutGas(world.rpc);
    const paid = await confirmed(rpc);
    await world.mine(FINAL);

    expect(await watch(tables.client, rpc).look(paid.transactionId)).toBe('FINAL');

    expect(await bookOf().find(paid.transactionId)).toMatchObject({ state: 'FINAL' });
    expect(await posted()).toEqual([]);
  });

  it('that is posted already stops no settlement', async () => {
    const paid = await confirmed();
    const slot = { chainId: chain.chainId, wallet: wallet.address, nonce: 0, transactionId: 'other' };
    const planted = gasPosting(slot, { txHash: '0xaa', wei: 1n, at: now });
    const Item = postingRow(planted);
    await tables.client.send(new PutCommand({ TableName: tables.names.ledger, Item }));
    await world.mine(FINAL);

    expect(await watch().look(paid.transactionId)).toBe('FINAL');

    expect(await bookOf().find(paid.transactionId)).toMatchObject({ state: 'FINAL' });
    expect(await posted()).toEqual([planted]);
  });
});

describe('the gas of a try that fails', () => {
  it('is posted with the revert, by any number of visits', async () => {
    const paid = await reverting();

    await Promise.all(Array.from({ length: 5 }, () => open().treasury.settle(paid)));

    expect(await bookOf().find(paid.transactionId)).toMatchObject({
      tries: expect.arrayContaining(['REVERTED']),
    });
    await expectPostedOnce(paid);
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('is posted once if the process dies %s any call of the tables', async (_, isAfter) => {
    const paid = await reverting();

    for (let call = 1; call <= 4; call++)
      await open(mortalClient(tables.client, { call, isAfter }))
        .treasury.settle(paid)
        .catch(() => undefined);
    await open().treasury.settle(paid);

    await expectPostedOnce(paid);
  });

  it('is that of the cancel, if the cancel was mined instead of the payment', async () => {
    const paid = await newPurchase();
    await open().treasury.settle(paid);
    const { ask } = cancellations(tables.client, tables.names.settlements, random);
    expect(await ask(paid.transactionId, { reason: 'SANCTIONS_HIT', at: now })).toBe(true);
    now += MINUTE_MS;
    await open().treasury.settle(paid);
    await world.mine(FINAL + 1);

    await open().treasury.settle(paid);

    expect(await bookOf().find(paid.transactionId)).toMatchObject({ state: 'FAILED', tries: ['CANCELLED'] });
    await expectPostedOnce(paid);
  });
});

// docs/decisions.md, "The books"
describe('the coins of the wallet in the ledger', () => {
  it('equal those on the chain, after payments, a revert and a top-up', async () => {
    const { moneyCases, ledger } = tables.names;
    const coinBooks = coinBookStore(tables.client, { moneyCases, ledger }, random);
    const flows = outflows({ rpc: world.rpc, signers: [wallet.signer], chain: settings, book: bookOf() });
    const ports = { ...openPorts(tables), outflows: flows, coinBooks };
    ports.clock.advance(now - ports.clock.now());
    /** A reading of the coins is counted by the next run. */
    const count = async () => {
      await world.mine(FINAL);
      for (let run = 0; run < 2; run++) await reconcileBooks(ports);
    };

    const paid = await confirmed();
    await world.mine(FINAL);
    await watch().look(paid.transactionId);
    const entries = move('USDC', paid.units, { debit: 'delivered:USDC', credit: 'treasury:USDC' });
    const delivery = postingOf(paid.transactionId, 'SETTLED', now, { transactionId: newId(), entries });
    await tables.client.send(new PutCommand({ TableName: ledger, Item: postingRow(delivery) }));
    await count();
    const failed = await reverting();
    await open().treasury.settle(failed);
    await world.topUp(wallet, 5n * 10n ** 17n);
    await count();

    const postings: Posting[] = [];
    const { readBefore } = ledgerReader(tables.client, ledger);
    await readBefore(Number.MAX_SAFE_INTEGER, (some) => void postings.push(...some));
    const kinds = postings.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['GAS_SPENT', 'GAS_SPENT', 'SETTLED', ...Array(4).fill('TOP_UP')]);
    const booked = balancesOf(postings);
    expect(booked.get('treasury:NATIVE NATIVE')).toBe(
      BigInt(await world.node<string>('eth_getBalance', [wallet.address, 'latest'])),
    );
    expect(booked.get('treasury:USDC USDC')).toBe(1_000_000_000n - paid.units);
    expect(booked.get('treasury:USDT USDT')).toBe(1_000_000_000n);
  });
});

/** The same nodes, whose receipts have no price. */
function withoutGas(rpc: Rpc): Rpc {
  const bare = (node: Node): Node => ({
    async call(method, params) {
      const answer = await node.call(method, params);
      if (method !== 'eth_getTransactionReceipt' || answer === null) return answer;
      const { effectiveGasPrice: _, ...receipt } = answer as Record<string, unknown>;
      return receipt;
    },
  });
  return { ...rpc, ...bare(rpc), nodes: async () => (await rpc.nodes()).map(bare) };
}
