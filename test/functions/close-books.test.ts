/** The stored sums of closed days, against the sums of all postings. */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { daySumStore } from '../../functions/adapters/dynamodb/day-sums.ts';
import { postingRow } from '../../functions/adapters/dynamodb/ledger.ts';
import { dayAfter } from '../../functions/domain/books/manifest.ts';
import { type Posting, takenBack } from '../../functions/domain/ledger.ts';
import { dayInBrasilia, periodInBrasilia } from '../../functions/domain/time.ts';
import { gasPosting } from '../../functions/domain/treasury/gas.ts';
import { closeBooks } from '../../functions/logic/money/close-books.ts';
import { booksCommands } from '../../operations/books.ts';
import { readBalances, recompute } from '../../operations/ledger-balances.ts';
import { shownLines } from '../../operations/shown.ts';
import { ledgerReader } from '../../operations/stores/ledger-reader.ts';
import { dice } from '../support/dice.ts';
import { mortalClient } from '../support/mortal-client.ts';
import { openPorts, START_AT, type TestPorts } from '../support/ports.ts';
import { memoryTables, rowIn, type Tables } from '../support/tables.ts';

const DAY_MS = 24 * 60 * 60_000;
const FIRST = '2099-01-01';

let tables: Tables;
let ports: TestPorts;
beforeEach(() => {
  tables = memoryTables();
  ports = openPorts(tables);
});

const deskOf = (from = tables) =>
  ({ ...ports, ledgerReader: ledgerReader(from.client, from.names.ledger) }) as never;
const close = (client = tables.client, inRow?: number) =>
  closeBooks(
    { clock: ports.clock, daySums: daySumStore(client, tables.names, inRow) },
    Number.POSITIVE_INFINITY,
  );

const random = (below: number) => new DataView(dice.bytes(4).buffer).getUint32(0) % below;

let made = 0;
/** A posting of one of two partners, or the gas of a nonce, which belongs to none. */
function aPosting(at: number): Posting {
  const number = ++made;
  const slot = { chainId: 1, wallet: '0xa', nonce: number, transactionId: `t${number}` };
  if (number % 3 === 0) return gasPosting(slot, { txHash: '0xb', wei: BigInt(random(1000) + 1), at });
  const amountCentavos = random(1000) + 1;
  const partnerId = number % 2 ? 'acme' : 'demo';
  return takenBack({
    returnId: `D${number}`,
    endToEndId: 'E',
    partnerId,
    amountCentavos,
    at,
    from: 'losses',
  });
}

async function post(at: number, recordedAt = at): Promise<Posting> {
  const posting = aPosting(at);
  const Item = postingRow(posting, recordedAt);
  await tables.client.send(new PutCommand({ TableName: tables.names.ledger, Item }));
  return posting;
}

/** Each of these days has some postings. */
async function ordinary(days: number): Promise<Posting[]> {
  const posted: Posting[] = [];
  for (let day = 0; day < days; day++)
    for (let each = 0; each < 4; each++) posted.push(await post(START_AT + day * DAY_MS + random(DAY_MS)));
  return posted;
}

/** Compares the balances of a period from the sums with those from all postings. */
async function expectEqual(first: string, last: string): Promise<void> {
  const period = { from: periodInBrasilia(first)!.from, to: periodInBrasilia(last)!.to };
  for (const byPartner of [true, false])
    expect(await readBalances({ period, byPartner }, deskOf()), `${first} to ${last}`).toEqual(
      await recompute({ period, byPartner }, deskOf()),
    );
}

async function verify(): Promise<string> {
  const command = booksCommands.find(({ name }) => name === 'books verify')!;
  const shown = await command.run({ words: [], flags: {}, ask: async () => '' }, deskOf());
  return shownLines(shown as never).join('\n');
}

// docs/decisions.md, "The books"
describe('the sums of closed days', () => {
  test('give every period the balances of all postings, with late ones too', async () => {
    const days: string[] = [];
    for (let hour = 0; hour < 30 * 24; hour += 8) {
      ports.clock.advance(DAY_MS / 3);
      const now = ports.clock.now();
      for (let each = 0; each < random(4); each++) await post(now - random(2 * DAY_MS), now);
      if (random(6) === 0) await post(now - random(20 * DAY_MS), now);
      await close();
      if (days.at(-1) !== dayInBrasilia(now)) days.push(dayInBrasilia(now));
    }
    const closed = (await ports.daySums.findClosed())!;

    expect(days).toContain(closed);
    for (let round = 0; round < 60; round++) {
      const [first, last] = [random(days.length), random(days.length)].sort((a, b) => a - b);
      await expectEqual(days[first!]!, days[last!]!);
    }
    await expectEqual('2098-01', '2100-12');
    expect(await verify()).toContain(`The sums until ${closed} are those of all postings`);
  });

  test('begin before the first posting of an older ledger', async () => {
    await ordinary(40);
    ports.clock.advance(40 * DAY_MS);

    await close();

    expect((await ports.daySums.findClosed())! > '2099-02-01').toBe(true);
    expect(await ports.daySums.listSums('2098-12-30')).toEqual([]);
    await expectEqual('2099-01', '2099-02');
    await expectEqual('2098-12-31', '2099-01-17');
  });

  // docs/decisions.md, "The books"
  test('need one read of the ledger before the first closing', async () => {
    await ordinary(3);
    ports.clock.advance(3 * DAY_MS);
    let reads = 0;
    const { readBefore } = ledgerReader(tables.client, tables.names.ledger);
    const counted = (end: number, see: never) => ++reads && readBefore(end, see);
    const noDay = () => Promise.reject(new Error('a day'));
    const desk = {
      ...ports,
      daySums: { ...ports.daySums, listInTime: noDay },
      ledgerReader: { readBefore: counted, readLate: noDay },
    };
    const period = { from: START_AT, to: START_AT + 3 * DAY_MS };
    const balances = await readBalances({ period, byPartner: true }, desk as never);

    expect(reads).toBe(1);
    await close();
    expect(balances).toEqual(await readBalances({ period, byPartner: true }, deskOf()));
    expect(balances.length).toBeGreaterThan(2);
  });

  test('of a new ledger begin with one closed day: no day is added up', async () => {
    const closedDays: string[] = [];
    const closing = (day: string, sums: [], was?: string) => {
      closedDays.push(day);
      return ports.daySums.close(day, sums, was);
    };
    await post(START_AT);
    const daySums = { ...ports.daySums, close: closing };
    await closeBooks({ clock: ports.clock, daySums } as never, Number.POSITIVE_INFINITY);

    expect(closedDays).toEqual(['2098-12-26']);
    await expectEqual('2098-12', '2099-01');
  });

  test('wait four days for postings', async () => {
    await close();
    await ordinary(1);
    ports.clock.advance(4 * DAY_MS);
    await close();
    expect((await ports.daySums.findClosed())! < FIRST).toBe(true);

    ports.clock.advance(2 * DAY_MS);
    await close();

    expect((await ports.daySums.findClosed())! >= FIRST).toBe(true);
  });

  test('need no more reads for a longer ledger: two sums, and the open days', async () => {
    await close();
    await ordinary(30);
    ports.clock.advance(30 * DAY_MS);
    await close();
    let reads = 0;
    const counting = {
      ...ports.daySums,
      listSums: (day: string) => ++reads && ports.daySums.listSums(day),
      listInTime: (day: string, after?: never) => ++reads && ports.daySums.listInTime(day, after),
    };
    const noScan = { readBefore: () => Promise.reject(new Error('a scan')) };
    const { readLate } = ledgerReader(tables.client, tables.names.ledger);
    const desk = { ...ports, daySums: counting, ledgerReader: { ...noScan, readLate } };

    const period = { from: START_AT + 5 * DAY_MS, to: START_AT + 25 * DAY_MS };
    await readBalances({ period, byPartner: false }, desk as never);
    expect(reads).toBe(2);
    await readBalances({ period: { ...period, to: ports.clock.now() }, byPartner: false }, desk as never);
    expect(reads).toBeLessThan(4 + 6);
  });

  test('are in as many rows as they need, and written once', async () => {
    await close(tables.client, 2);
    await ordinary(3);
    ports.clock.advance(9 * DAY_MS);
    await close(tables.client, 2);
    const part = await rowIn(tables, 'moneyCases', `SUMS#${FIRST}#0`);
    expect(part).toMatchObject({ isCut: true, sums: { length: 2 } });
    await expectEqual(FIRST, '2099-01-03');

    const closed = await ports.daySums.findClosed();
    expect(await ports.daySums.close(dayAfter(FIRST), [], FIRST)).toBe(false);
    expect(await ports.daySums.findClosed()).toBe(closed);
    await expectEqual(FIRST, '2099-01-03');
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('are complete in the end, whichever call the run dies %s', async (_, isAfter) => {
    await ordinary(3);
    ports.clock.advance(8 * DAY_MS);
    for (let call = 1, isOver = false; !isOver; call += 5)
      isOver = await close(mortalClient(tables.client, { call, isAfter }), 2).then(
        () => true,
        () => false,
      );

    await expectEqual(FIRST, '2099-01-09');
    expect(await verify()).toContain('are those of all postings');
  });

  test('are right after twenty runs at the same time', async () => {
    await ordinary(5);
    ports.clock.advance(12 * DAY_MS);

    await Promise.all(Array.from({ length: 20 }, () => close()));

    await expectEqual(FIRST, '2099-01-05');
    expect(await verify()).toContain('are those of all postings');
  });
});

describe('books verify', () => {
  test('says that no day is closed yet', async () => {
    expect(await verify()).toBe('No day is closed yet.');
  });

  test('names the accounts of a posting that was removed from a closed day', async () => {
    const [posted] = await ordinary(1);
    ports.clock.advance(6 * DAY_MS);
    await close();
    const Key = { id: posted!.id };
    await tables.client.send(new DeleteCommand({ TableName: tables.names.ledger, Key }));

    await expect(verify()).rejects.toThrow(
      /differ from the postings: (acme|demo|-) (gas|losses|pix|treasury)/,
    );
  });
});
