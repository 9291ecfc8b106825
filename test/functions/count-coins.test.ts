/** The coins of the chain in our wallets, as the books have them. */
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { balancesOf, isBalanced, type Posting } from '../../functions/domain/ledger.ts';
import { gasPosting } from '../../functions/domain/treasury/gas.ts';
import type { WalletCoins } from '../../functions/domain/treasury/outflow-ports.ts';
import { openSettlement, withNonce } from '../../functions/domain/treasury/settlement.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { ledgerReader } from '../../operations/stores/ledger-reader.ts';
import { aHash, type Books, HOUR_MS, openBooks } from '../support/books.ts';
import { dice } from '../support/dice.ts';
import { type DeathAt, mortalClient } from '../support/mortal-client.ts';
import { openPorts } from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

const CHAIN = 31337;
const WALLET = `0x${'ab'.repeat(20)}`;
const DAY_HOURS = 24;

let tables: Tables;
let books: Books;
let block: number;
beforeEach(async () => {
  tables = memoryTables();
  books = await openBooks(tables);
  block = 0;
});

/** The chain goes on by a block. Wallets that it does not name stay as they were. */
function showCoins(wei: bigint, nonce: number, wallet = WALLET): void {
  block += 10;
  const at = books.ports.clock.now();
  const shown: WalletCoins = { chainId: CHAIN, wallet, block, at, wei, nonce };
  const others = books.ports.outflows.coins.filter((each) => each.wallet !== wallet);
  books.ports.outflows.coins = [...others.map((each) => ({ ...each, block, at })), shown];
}

/** The service has assigned the nonce, and does not know its gas yet. */
function assign(nonce: number): void {
  const payout = { transactionId: 'tx', asset: 'USDC', units: 1n, to: WALLET } as const;
  books.ports.outflows.owners.set(`${WALLET}#${nonce}`, withNonce(openSettlement(payout), WALLET, nonce));
}

/** The transfer at the nonce is final: its slot and the ledger have its gas. */
async function spendGas(nonce: number, wei: bigint, wallet = WALLET): Promise<void> {
  const slot = { chainId: CHAIN, wallet, nonce, transactionId: 'tx' };
  const posting = gasPosting(slot, { txHash: aHash(), wei, at: books.ports.clock.now() });
  books.ports.outflows.gas.set(`${wallet}#${nonce}`, posting);
  await books.post([posting]);
}

/** The hourly comparison. A reading is counted by the run after it. */
async function anHourLater() {
  books.ports.clock.advance(HOUR_MS);
  return books.run();
}

async function postings(): Promise<Posting[]> {
  const all: Posting[] = [];
  const { readBefore } = ledgerReader(tables.client, tables.names.ledger);
  await readBefore(Number.MAX_SAFE_INTEGER, (some) => void all.push(...some));
  for (const each of all) expect(isBalanced(each)).toBe(true);
  return all;
}
const moves = async () =>
  (await postings())
    .filter(({ kind }) => kind !== 'GAS_SPENT')
    .sort((one, other) => one.at - other.at)
    .map(({ kind, entries }) => [kind, amountIn(entries)]);
const amountIn = (entries: Posting['entries']) =>
  entries.find(({ account }) => account === 'treasury:NATIVE')!.amount;
const booked = async () => balancesOf(await postings()).get('treasury:NATIVE NATIVE') ?? 0n;

async function opened(wei = 1_000n): Promise<void> {
  showCoins(wei, 0);
  await books.run();
  await anHourLater();
  expect(await moves()).toEqual([['TOP_UP', wei]]);
}

// docs/decisions.md, "Top-ups of gas"
describe('the coins of a wallet', () => {
  test('open the books with all that ever came: the balance, and the gas that was paid', async () => {
    await spendGas(0, 30n);
    await spendGas(1, 20n);
    showCoins(950n, 2);

    await books.run();
    expect(await moves()).toEqual([]);
    await anHourLater();

    expect(await moves()).toEqual([['TOP_UP', 1_000n]]);
    expect(await booked()).toBe(950n);
    const top = (await postings()).find(({ kind }) => kind === 'TOP_UP')!;
    expect(top.id).toBe(`${CHAIN}:${WALLET}:10#TOP_UP`);
    expect(top.entries).toMatchObject([{ account: 'treasury:NATIVE' }, { account: 'funding' }]);
  });

  test('are posted if they came from outside, beside the gas of the same hour', async () => {
    await opened();
    await spendGas(0, 7n);
    showCoins(1_493n, 1);

    await anHourLater();
    await anHourLater();

    expect(await moves()).toEqual([
      ['TOP_UP', 1_000n],
      ['TOP_UP', 500n],
    ]);
    expect(await booked()).toBe(1_493n);
    expect(await books.openIds()).toEqual([]);
  });

  test('that only paid gas, or did not move, have no posting', async () => {
    await opened();
    await spendGas(0, 7n);
    showCoins(993n, 1);
    await anHourLater();
    showCoins(993n, 1);
    for (let hour = 0; hour < 3; hour++) await anHourLater();

    expect(await moves()).toHaveLength(1);
    expect(await booked()).toBe(993n);
    expect(await books.openIds()).toEqual([]);
  });

  test('wait for gas that is not posted yet', async () => {
    await opened();
    assign(0);
    showCoins(893n, 1);
    for (let hour = 0; hour < DAY_HOURS - 1; hour++) await anHourLater();
    expect(await moves()).toHaveLength(1);

    await spendGas(0, 107n);
    await anHourLater();

    expect(await moves()).toHaveLength(1);
    expect(await booked()).toBe(893n);
  });

  test('of a wallet that has left the settings stay as they were, and are counted when it comes back', async () => {
    await opened();
    const [left] = books.ports.outflows.coins;
    books.ports.outflows.coins = [];
    for (let hour = 0; hour < 3; hour++) await anHourLater();
    expect(await booked()).toBe(1_000n);

    showCoins(left!.wei + 5n, 0);
    await anHourLater();
    await anHourLater();

    expect(await booked()).toBe(1_005n);
  });

  test('are not read while restored tables are held, nor for the time that an operator asks for', async () => {
    showCoins(1_000n, 0);
    books.ports.holds.hold = 'RESTORED';
    await books.run();
    books.ports.holds.hold = undefined;
    const from = new Date(books.ports.clock.now() - HOUR_MS).toISOString();
    await books.run({ from, to: new Date(books.ports.clock.now()).toISOString() });

    expect(await books.ports.coinBooks.findAccount({ chainId: CHAIN, wallet: WALLET })).toBeUndefined();
  });

  test('equal the chain’s at each reading, whatever came, left and was spent', async () => {
    const coins = new Map([WALLET, `0x${'cd'.repeat(20)}`].map((each) => [each, { wei: 0n, nonce: 0 }]));
    for (let hour = 0; hour < 60; hour++) {
      for (const [wallet, has] of coins) {
        const [came = 0, gas = 0, kind = 0] = dice.bytes(3);
        has.wei += kind % 3 === 0 ? BigInt(came) : kind % 7 === 0 ? -BigInt(came % 5) : 0n;
        if (kind % 2) await spendGas(has.nonce++, BigInt(gas), wallet);
        if (kind % 2) has.wei -= BigInt(gas);
        showCoins(has.wei, has.nonce, wallet);
      }
      await anHourLater();
    }
    await anHourLater();
    await anHourLater();

    expect(await booked()).toBe([...coins.values()].reduce((sum, { wei }) => sum + wei, 0n));
  });
});

describe('coins that left a wallet other than as gas', () => {
  test('are posted with a case, and raise one alarm', async () => {
    await opened();
    showCoins(900n, 0);
    for (let hour = 0; hour < 3; hour++) await anHourLater();

    const key = `${CHAIN}:${WALLET}:20`;
    expect(await books.openIds()).toEqual([`COINS_MISSING#${key}`]);
    const found = await books.ports.moneyCases.findCase(`COINS_MISSING#${key}`);
    expect(found?.facts).toEqual({ wallet: WALLET, wei: '100', since: 10, block: 20, unknown: [] });
    expect(await moves()).toContainEqual(['COINS_MISSING', -100n]);
    expect(await booked()).toBe(900n);
    const alarms = books.ports.log.lines.filter((line) => line.includes('COINS_MISSING'));
    expect(alarms).toHaveLength(1);
    expect(books.ports.log.raised).toEqual(['TransferWrong']);
  });

  test('with a nonce that the service never assigned are a case at once', async () => {
    await opened();
    showCoins(893n, 1);
    await anHourLater();
    await anHourLater();

    const [id] = await books.openIds();
    const found = await books.ports.moneyCases.findCase(id!);
    expect(found).toMatchObject({ kind: 'COINS_MISSING', facts: { wei: '107', unknown: [0] } });
  });

  test('with a nonce whose gas nobody knows are a case after a day, and its late gas is counted', async () => {
    await opened();
    assign(0);
    showCoins(893n, 1);
    await anHourLater();
    for (let hour = 0; hour < DAY_HOURS; hour++) await anHourLater();

    const [id] = await books.openIds();
    const found = await books.ports.moneyCases.findCase(id!);
    expect(found).toMatchObject({ kind: 'COINS_MISSING', facts: { wei: '107', unknown: [0] } });
    await spendGas(0, 107n);
    showCoins(893n, 1);
    await anHourLater();
    await anHourLater();

    expect(await booked()).toBe(893n);
  });
});

describe('the count of coins', () => {
  const replay = async (ports: Books['ports']) => {
    const { coins, gas } = books.ports.outflows;
    const own = openPorts(tables);
    own.clock.advance(ports.clock.now() - own.clock.now());
    Object.assign(own.outflows, { coins, gas });
    return own;
  };

  /** A run of a process that dies at a call of the tables. */
  async function runMortal(death: DeathAt) {
    const { clock, outflows } = await replay(books.ports);
    const mortal = openPorts({ ...tables, client: mortalClient(tables.client, death) });
    const isOver = await reconcileBooks({ ...mortal, clock, outflows }).then(
      () => true,
      () => false,
    );
    return { isOver, raised: mortal.log.raised };
  }

  test.each([
    ['before', false],
    ['after', true],
  ])('raises the alarm of coins that left, whichever call of the tables it dies %s', async (_, isAfter) => {
    for (let call = 1, isOver = false; !isOver; call++) {
      tables = memoryTables();
      books = await openBooks(tables);
      await opened();
      showCoins(900n, 0);
      await anHourLater();
      books.ports.clock.advance(HOUR_MS);
      const died = await runMortal({ call, isAfter });
      isOver = died.isOver;
      await anHourLater();

      expect((await books.openIds()).length).toBe(1);
      expect([...died.raised, ...books.ports.log.raised], `call ${call}`).toContain('TransferWrong');
    }
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('posts once, whichever call of the tables it dies %s', async (_, isAfter) => {
    for (let call = 1, isOver = false; !isOver; call++) {
      tables = memoryTables();
      books = await openBooks(tables);
      showCoins(1_000n, 0);
      await books.run();
      books.ports.clock.advance(HOUR_MS);
      showCoins(900n, 0);
      ({ isOver } = await runMortal({ call, isAfter }));
      for (let hour = 0; hour < 3; hour++) await anHourLater();

      expect(await moves(), `call ${call}`).toEqual([
        ['TOP_UP', 1_000n],
        ['COINS_MISSING', -100n],
      ]);
      expect((await books.openIds()).length).toBe(1);
    }
  });

  test('posts once by twenty runs at the same time', async () => {
    await opened();
    showCoins(1_400n, 0);
    await anHourLater();
    books.ports.clock.advance(HOUR_MS);

    await Promise.all(Array.from({ length: 20 }, () => books.run().catch(() => undefined)));

    expect(await moves()).toEqual([
      ['TOP_UP', 1_000n],
      ['TOP_UP', 400n],
    ]);
  });
});

describe('the posting of a top-up', () => {
  const remove = (id: string) =>
    tables.client.send(new DeleteCommand({ TableName: tables.names.ledger, Key: { id } }));

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['POSTING_MISSING', remove],
    ['POSTING_ALTERED', (id) => books.setPosting(id, 'SET txHash = :other', { ':other': 'x' })],
    [
      'POSTING_EXTRA',
      async (id) => {
        const Key = { id: `COINS_MOVED#${id.replace('#TOP_UP', '')}` };
        await tables.client.send(new DeleteCommand({ TableName: tables.names.moneyCases, Key }));
      },
    ],
  ])('that differs from its movement is a case of the kind %s', async (kind, change) => {
    await opened();
    const [{ id } = { id: '' }] = await postings();
    await change(id);

    await anHourLater();
    await anHourLater();

    expect(await books.openIds()).toEqual([`${kind}#${id}`]);
  });
});
