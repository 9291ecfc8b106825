import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Transaction } from 'ethers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transferWatch } from '../../functions/adapters/chain/transfer-watch.ts';
import { type Book, settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import type { Log } from '../../functions/domain/ports.ts';
import { type Confirmed, openSettlement, type Payout } from '../../functions/domain/treasury/settlement.ts';
import { watchTransfers } from '../../functions/schedules/watch-transfers.ts';
import {
  chain,
  type Logged,
  newPayout,
  openTreasury,
  openWorld,
  random,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';
import { stubLog } from '../support/stub-log.ts';
import { startTables } from '../support/tables.ts';

const MINUTE_MS = 60_000;
const FINAL = 6;
const deep = { ...chain, confirmations: 1, finality: FINAL };

let world: World;
let tables: Awaited<ReturnType<typeof startTables>>;
let wallet: Wallet;
let book: Book;
let logged: Logged[];
let now = 0;
beforeAll(async () => {
  [world, tables] = await Promise.all([openWorld(), startTables()]);
});
beforeEach(async () => {
  wallet = await world.openWallet();
  await world.stopMining();
  const { client, names } = tables;
  const own = {
    settlementsTable: names.settlements,
    transactionsTable: names.transactions,
    ledgerTable: names.ledger,
  };
  book = settlementBook({ client, ...own, chainId: chain.chainId, random });
  logged = [];
  now += 1_000_000_000;
});
afterEach(() => world.startMining());
afterAll(() => Promise.all([world.stop(), tables.stop()]));

const clock = { now: () => now, minuteMs: MINUTE_MS };
const log: Log = {
  ...stubLog(),
  raise: (condition, _, fields) => void logged.push({ message: condition, fields }),
};

function watch(changes = {}) {
  const { client, names } = tables;
  return transferWatch({
    rpc: world.rpc,
    chain: deep,
    client,
    tables: names,
    clock,
    log,
    random,
    ...changes,
  });
}

const open = (changes = {}) =>
  openTreasury(world, wallet, { book, clock, chain: deep, waitsMs: [], ...changes });
/** The row of a settlement. Every transfer of these tests was confirmed, so the row is that of a confirmed one. */
const rowOf = async (paid: Payout) => (await book.open(openSettlement(paid, 0))) as Confirmed;
const doings = () => logged.map(({ message, fields }) => `${message}: ${fields?.doing}`);

async function purchaseOf({ transactionId: id }: Payout) {
  const command = new GetCommand({ TableName: tables.names.transactions, Key: { id }, ConsistentRead: true });
  return (await tables.client.send(command)).Item;
}

async function putPurchase({ transactionId: id }: Payout, fields: object): Promise<void> {
  await tables.client.send(new PutCommand({ TableName: tables.names.transactions, Item: { id, ...fields } }));
}

/** Pays a purchase whose transfer is mined and reported as completed, but not final. */
async function completed(visits = 1): Promise<Payout> {
  const paid = newPayout();
  await putPurchase(paid, { status: 'PROCESSING' });
  for (let visit = 0; visit < visits; visit++) {
    await open().treasury.settle(paid);
    now += 5_000;
  }
  await world.mine();
  const outcome = await open().treasury.settle(paid);
  if (outcome.state !== 'CONFIRMED') throw new Error(`it is ${outcome.state}`);
  await putPurchase(paid, { status: 'COMPLETED', disposition: 'SETTLE', txHash: outcome.txHash });
  now += MINUTE_MS;
  return paid;
}

describe('a completed transfer', () => {
  it('is watched until it is final, and then never again', async () => {
    const paid = await completed();
    const { transactionId } = paid;
    expect(await watch().listDue(now, 10)).toContain(transactionId);

    expect(await watch().look(transactionId)).toBe('WAIT');
    expect(await watch().listDue(now, 10)).not.toContain(transactionId);
    await world.mine(FINAL);
    now += MINUTE_MS;
    expect(await watch().look(transactionId)).toBe('FINAL');

    expect(await rowOf(paid)).toMatchObject({ state: 'FINAL' });
    expect(await watch().listDue(now + 1e9, 100)).not.toContain(transactionId);
    expect(await watch().look(transactionId)).toBeUndefined();
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(logged).toEqual([]);
  });

  it('is not watched if it is final when it is confirmed', async () => {
    const paid = newPayout();
    await putPurchase(paid, { status: 'PROCESSING' });
    await open().treasury.settle(paid);
    await world.mine(FINAL);

    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await rowOf(paid)).toMatchObject({ state: 'FINAL' });
    expect(await watch().listDue(now + 1e9, 100)).not.toContain(paid.transactionId);
  });

  it('is sent again with the same bytes after a reorganisation, and exists once', async () => {
    const paid = await completed();
    await world.node('anvil_reorg', [1, []]);
    await world.node('anvil_dropAllTransactions');
    expect(await world.countTransfers(wallet, paid.to)).toBe(0);

    expect(await watch().look(paid.transactionId)).toBe('CAST');
    await world.mine(FINAL);
    now += MINUTE_MS;
    expect(await watch().look(paid.transactionId)).toBe('FINAL');

    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
    const { state, txHash, attempts } = await rowOf(paid);
    expect({ state, hashes: attempts.map(({ hash }) => hash) }).toEqual({ state: 'FINAL', hashes: [txHash] });
    expect(await purchaseOf(paid)).toMatchObject({ status: 'COMPLETED', txHash });
    const doing = 'completed transfer was dropped from the chain, and is cast again';
    expect(doings()).toEqual([`TransferChanged: ${doing}`]);
  });

  it('is reported with the hash of another attempt that came back, once it is confirmed', async () => {
    // Four visits without a block sign it twice. The second was mined.
    const paid = await completed(4);
    const { txHash: was, attempts } = await rowOf(paid);
    const other = attempts.find(({ hash }) => hash !== was)!;
    await world.node('anvil_reorg', [1, [[other.raw, 0]]]);

    expect(await watch().look(paid.transactionId)).toBe('MOVED');
    expect(await purchaseOf(paid)).toMatchObject({ txHash: other.hash, formerTxHashes: [was] });
    await world.mine(FINAL);
    now += MINUTE_MS;
    expect(await watch().look(paid.transactionId)).toBe('FINAL');

    expect(await rowOf(paid)).toMatchObject({ state: 'FINAL', txHash: other.hash });
    expect(await world.countTransfers(wallet, paid.to)).toBe(1);
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'CONFIRMED', txHash: other.hash });
  });

  it('is reported at a later look if the machine has not completed its purchase yet', async () => {
    const paid = await completed(4);
    const { txHash: was, attempts } = await rowOf(paid);
    const other = attempts.find(({ hash }) => hash !== was)!;
    await world.node('anvil_reorg', [1, [[other.raw, 0]]]);
    await putPurchase(paid, { status: 'PROCESSING', disposition: 'SETTLE' });

    expect(await watch().look(paid.transactionId)).toBe('MOVED');
    expect(await rowOf(paid)).toMatchObject({ state: 'CONFIRMED', txHash: was });
    await putPurchase(paid, { status: 'COMPLETED', disposition: 'SETTLE', txHash: was });
    expect(await watch().look(paid.transactionId)).toBe('MOVED');

    expect(await purchaseOf(paid)).toMatchObject({ txHash: other.hash, formerTxHashes: [was] });
  });

  it('is lost once another transfer in its place is final, and a person is called', async () => {
    const paid = await completed();
    const { nonce } = await rowOf(paid);
    const foreign = Transaction.from({
      type: 2,
      chainId: chain.chainId,
      nonce,
      to: wallet.address,
      gasLimit: 21_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    });
    const { raw } = await wallet.signer.sign(foreign);
    await world.node('anvil_reorg', [1, [[raw, 0]]]);

    expect(await watch().look(paid.transactionId)).toBe('DOUBT');
    await world.mine(FINAL);
    now += 5 * MINUTE_MS;
    expect(await watch().look(paid.transactionId)).toBe('DOUBT');
    now += 10 * MINUTE_MS;
    expect(await watch({ chain: { ...deep, minimumNodes: 2 } }).look(paid.transactionId)).toBe('DOUBT');
    expect(logged).toEqual([]);
    expect(await watch().look(paid.transactionId)).toBe('LOST');

    expect(doings()).toEqual(['TransferLost: completed transfer is lost']);
    expect(await rowOf(paid)).toMatchObject({ state: 'LOST' });
    expect(await watch().look(paid.transactionId)).toBeUndefined();
    expect(await purchaseOf(paid)).toMatchObject({ status: 'COMPLETED' });
    expect(await open().treasury.settle(paid)).toMatchObject({ state: 'PENDING' });
    expect(await world.countTransfers(wallet, paid.to)).toBe(0);
  });

  it('is written once by two looks at once', async () => {
    const paid = await completed();
    await world.mine(FINAL);

    expect(await Promise.all([watch(), watch()].map((each) => each.look(paid.transactionId)))).toContain(
      'FINAL',
    );
    expect(await rowOf(paid)).toMatchObject({ state: 'FINAL' });
  });
});

describe('the schedule', () => {
  it('looks at everything that is due, and postpones what it cannot read', async () => {
    const [one, two] = [await completed(), await completed()];
    await world.mine(FINAL);
    const looked = watch();
    const transfers = {
      ...looked,
      look: (id: string) => (id === one.transactionId ? watch({ rpc: down }).look(id) : looked.look(id)),
    };
    const call = () => Promise.reject(new Error('broken'));
    const down = { ...world.rpc, call, nodes: call };
    now += MINUTE_MS;

    await watchTransfers({ transfers, clock, log });

    expect(await rowOf(two)).toMatchObject({ state: 'FINAL' });
    expect(await rowOf(one)).toMatchObject({ state: 'CONFIRMED' });
    expect((await rowOf(one)).nextCheckAt).toBeGreaterThan(now);
    expect(logged).toEqual([
      { message: 'TransferWatchFailed', fields: { transactionId: one.transactionId } },
    ]);
  });

  it('looks less often at a transfer that stays open for long', async () => {
    const paid = await completed();
    const pauses = [];
    for (const minutes of [1, 20, 1000]) {
      now += minutes * MINUTE_MS;
      await watch().look(paid.transactionId);
      pauses.push(Math.round(((await rowOf(paid)).nextCheckAt! - now) / MINUTE_MS));
    }

    expect(pauses).toEqual([1, 6, 30]);
  });
});
