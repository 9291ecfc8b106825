/** The coins of the chain in our wallets, as the books have them. */
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { balancesOf, isBalanced, move, type Posting } from '../../functions/domain/ledger.ts';
import { postingsOf } from '../../functions/domain/purchase/postings.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { gasPosting } from '../../functions/domain/treasury/gas.ts';
import type { WalletCoins } from '../../functions/domain/treasury/outflow-ports.ts';
import { asFinal, openSettlement, withNonce } from '../../functions/domain/treasury/settlement.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { ledgerReader } from '../../operations/stores/ledger-reader.ts';
import { aHash, type Books, HOUR_MS, openBooks } from '../support/books.ts';
import { aClient } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { type DeathAt, mortalClient } from '../support/mortal-client.ts';
import { openPorts, putPurchaseIn } from '../support/ports.ts';
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

type Shown = Pick<WalletCoins, 'coin' | 'amount' | 'nonce'> & { wallet?: string };

/** The chain goes on by a block. Coins that it does not name stay as they were. */
function show({ wallet = WALLET, coin, amount, nonce }: Shown): void {
  block += 10;
  const at = books.ports.clock.now();
  const shown: WalletCoins = { chainId: CHAIN, wallet, coin, block, at, amount, nonce };
  const others = books.ports.outflows.coins.filter((each) => each.wallet !== wallet || each.coin !== coin);
  books.ports.outflows.coins = [...others.map((each) => ({ ...each, block, at })), shown];
}
const showCoins = (amount: bigint, nonce: number, wallet = WALLET) =>
  show({ wallet, coin: 'NATIVE', amount, nonce });
const showTokens = (amount: bigint, nonce: number) => show({ coin: 'USDC', amount, nonce });

/** The service has assigned the nonce, and does not know its gas yet. */
function assign(nonce: number): void {
  const payout = { transactionId: 'tx', asset: 'USDC', units: 1n, to: WALLET } as const;
  books.ports.outflows.owners.set(`${WALLET}#${nonce}`, withNonce(openSettlement(payout, 0), WALLET, nonce));
}

/** The transfer at the nonce is final: its slot and the ledger have its gas. */
async function spendGas(nonce: number, wei: bigint, wallet = WALLET): Promise<void> {
  const slot = { chainId: CHAIN, wallet, nonce, transactionId: 'tx' };
  const posting = gasPosting(slot, { txHash: aHash(), wei, at: books.ports.clock.now() });
  books.ports.outflows.gas.set(`${wallet}#${nonce}`, posting);
  await books.post([posting]);
}

/** Runs the hourly comparison. It counts the reading of the run before. */
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
const bookedTokens = async () => balancesOf(await postings()).get('treasury:USDC USDC') ?? 0n;

async function opened(wei = 1_000n): Promise<void> {
  showCoins(wei, 0);
  await books.run();
  await anHourLater();
  expect(await moves()).toEqual([['TOP_UP', wei]]);
}

// docs/decisions.md, "The books"
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
    expect(top.id).toBe(`${CHAIN}:${WALLET}:NATIVE:10#TOP_UP`);
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

    showCoins(left!.amount + 5n, 0);
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

    expect(
      await books.ports.coinBooks.findAccount({ chainId: CHAIN, wallet: WALLET, coin: 'NATIVE' }),
    ).toBeUndefined();
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

describe('the tokens of a wallet', () => {
  const ENOUGH = 10n ** 9n;
  const kinds = async () => {
    const all = (await postings()).map(({ kind }) => kind).sort();
    return all.filter((kind) => kind !== 'PAYMENT_RECEIVED');
  };

  /** A purchase whose payment is final under the nonce. */
  async function paid(nonce: number): Promise<Transaction> {
    const purchase = await putPurchaseIn(books.ports, 'COMPLETED', { txHash: aHash() });
    const { id: transactionId, clientId, partnerId, asset, quote, walletAddress: to } = purchase;
    await books.ports.clients.create(aClient({ id: clientId, partnerId }));
    const payout = { transactionId, asset, units: quote.assetUnits, to };
    const owner = withNonce(openSettlement(payout, 0), WALLET, nonce);
    const sent = { ...owner, attempts: [], txHash: purchase.txHash! } as never;
    books.ports.outflows.owners.set(`${WALLET}#${nonce}`, asFinal(sent, block));
    return purchase;
  }
  async function deliver(purchase: Transaction): Promise<void> {
    books.show(purchase);
    books.transferOf(purchase);
    await books.post(postingsOf(purchase));
  }
  async function countedTokens(units: bigint): Promise<void> {
    showTokens(units, 0);
    await books.run();
    await anHourLater();
    expect(await bookedTokens()).toBe(units);
  }

  test('open the books with all that ever came: the balance, and what buyers got', async () => {
    const purchase = await paid(0);
    await deliver(purchase);
    showTokens(ENOUGH - purchase.quote.assetUnits, 1);
    await books.run();
    await anHourLater();

    expect(await kinds()).toEqual(['SETTLED', 'TOP_UP']);
    expect(await bookedTokens()).toBe(ENOUGH - purchase.quote.assetUnits);
    const top = (await postings()).find(({ kind }) => kind === 'TOP_UP')!;
    expect(top.id).toBe(`${CHAIN}:${WALLET}:USDC:10#TOP_UP`);
    expect(top.entries).toEqual(move('USDC', ENOUGH, { debit: 'treasury:USDC', credit: 'funding' }));
  });

  test('are posted if they were bought, beside a delivery of the same hour', async () => {
    await countedTokens(ENOUGH);
    const purchase = await paid(0);
    await deliver(purchase);
    const left = ENOUGH + 500n - purchase.quote.assetUnits;
    showTokens(left, 1);
    await anHourLater();
    await anHourLater();

    expect(await kinds()).toEqual(['SETTLED', 'TOP_UP', 'TOP_UP']);
    expect(await bookedTokens()).toBe(left);
    expect(await books.openIds()).toEqual([]);
  });

  test('wait for a delivery that is not posted yet', async () => {
    await countedTokens(ENOUGH);
    const purchase = await paid(0);
    showTokens(ENOUGH - purchase.quote.assetUnits, 1);
    for (let hour = 0; hour < DAY_HOURS - 1; hour++) await anHourLater();
    expect(await kinds()).toEqual(['TOP_UP']);

    await deliver(purchase);
    await anHourLater();

    expect(await kinds()).toEqual(['SETTLED', 'TOP_UP']);
    expect(await bookedTokens()).toBe(ENOUGH - purchase.quote.assetUnits);
  });

  test('are untouched by a nonce that a failed try has left, or that sent another token', async () => {
    await countedTokens(ENOUGH);
    const failed = openSettlement({ transactionId: 'failed', asset: 'USDC', units: 30n, to: WALLET }, 0);
    books.ports.outflows.owners.set(`${WALLET}#0`, failed);
    const other = openSettlement({ transactionId: 'other', asset: 'USDT', units: 30n, to: WALLET }, 0);
    books.ports.outflows.owners.set(`${WALLET}#1`, withNonce(other, WALLET, 1));
    showTokens(ENOUGH, 2);
    await anHourLater();
    await anHourLater();

    expect(await kinds()).toEqual(['TOP_UP']);
    const account = await books.ports.coinBooks.findAccount({ chainId: CHAIN, wallet: WALLET, coin: 'USDC' });
    expect(account).toMatchObject({ counted: { nonce: 2 }, unknown: [] });
  });

  test('that left without a settlement are posted with a case', async () => {
    await countedTokens(ENOUGH);
    showTokens(0n, 1);
    await anHourLater();
    await anHourLater();

    expect(await kinds()).toEqual(['COINS_MISSING', 'TOP_UP']);
    expect(await bookedTokens()).toBe(0n);
    const [id] = await books.openIds();
    expect(id).toBe(`COINS_MISSING#${CHAIN}:${WALLET}:USDC:20`);
    const found = await books.ports.moneyCases.findCase(id!);
    expect(found?.facts).toEqual({
      wallet: WALLET,
      asset: 'USDC',
      units: String(ENOUGH),
      since: 10,
      block: 20,
      unknown: [0],
    });
  });
});

describe('coins that left a wallet other than as gas', () => {
  test('are posted with a case, and raise one alarm', async () => {
    await opened();
    showCoins(900n, 0);
    for (let hour = 0; hour < 3; hour++) await anHourLater();

    const key = `${CHAIN}:${WALLET}:NATIVE:20`;
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
      showTokens(500n, 0);
      await books.run();
      books.ports.clock.advance(HOUR_MS);
      showCoins(900n, 0);
      showTokens(300n, 0);
      ({ isOver } = await runMortal({ call, isAfter }));
      for (let hour = 0; hour < 3; hour++) await anHourLater();

      const all = await postings();
      expect(all.map(({ kind }) => kind).sort(), `call ${call}`).toEqual([
        'COINS_MISSING',
        'COINS_MISSING',
        'TOP_UP',
        'TOP_UP',
      ]);
      expect([await booked(), await bookedTokens()]).toEqual([900n, 300n]);
      expect((await books.openIds()).length).toBe(2);
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
