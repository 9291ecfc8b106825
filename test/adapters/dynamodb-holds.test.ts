import { type GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { holdStore } from '../../functions/adapters/dynamodb/holds.ts';
import { transactionStore } from '../../functions/adapters/dynamodb/transactions.ts';
import { type Dynoxide, startDynoxide } from '../support/dynoxide.ts';
import { random } from '../support/settlement-world.ts';

const namesOf = (index: number) => ({
  settlements: `settlements-${index}`,
  transactions: `transactions-${index}`,
  witness: `witness-${index}`,
});

let database: Dynoxide;
let worlds = 0;
let names: ReturnType<typeof namesOf>;
beforeAll(async () => {
  const all = Array.from({ length: 12 }, (_, index) => Object.values(namesOf(index)));
  database = await startDynoxide(all.flat());
});
beforeEach(() => {
  names = namesOf(worlds++);
});
afterAll(() => database.stop());

const open = () => holdStore(database.client, names, random);
const held = { by: 'ana', reason: 'restore', at: 5 };

/** The table as it was at that instant, as far as any reader sees. */
const restore = (table: keyof typeof names, at: number) =>
  database.client.send(new PutCommand({ TableName: names[table], Item: { id: 'CLOCK', at } }));

describe('the marks of the tables', () => {
  test('have the same instant, which never goes back', async () => {
    const holds = open();

    expect(await holds.keepTime(100)).toBeUndefined();
    expect(await holds.keepTime(60)).toBeUndefined();

    expect(await holds.findMarks()).toEqual({
      witness: { id: 'CLOCK', at: 101 },
      tables: [
        { id: 'CLOCK', at: 101 },
        { id: 'CLOCK', at: 101 },
      ],
    });
    expect(await holds.findHold()).toBeUndefined();
  });

  test('stay equal if three processes keep the time at once', async () => {
    const holds = open();
    await holds.keepTime(1);

    await Promise.all([holds.keepTime(100), open().keepTime(101), open().keepTime(102)]);

    const { witness, tables } = await holds.findMarks();
    expect(tables.map(({ at }) => at)).toEqual([witness.at, witness.at]);
    expect(await holds.findHold()).toBeUndefined();
  });

  test.each(['settlements', 'transactions'] as const)(
    'hold the money once the table of %s was taken back, until a person marks it',
    async (table) => {
      const holds = open();
      await holds.keepTime(100);
      await holds.keepTime(200);

      await restore(table, 100);

      expect(await holds.findHold()).toBe('RESTORED');
      expect(await holds.keepTime(300)).toBe('RESTORED');
      expect(await holds.findHold()).toBe('RESTORED');
    },
  );

  test('hold nothing while they are written one after the other, as a reader may see a transaction', async () => {
    await open().keepTime(100);
    await restore('witness', 200);
    const commit = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await Promise.all([restore('settlements', 200), restore('transactions', 200)]);
    };

    const [seen] = await Promise.all([open().findHold(), commit()]);

    expect(seen).toBeUndefined();
  });

  test('hold nothing if the first mark comes after the witness was read', async () => {
    let isFirst = true;
    const late = async (command: GetCommand) => {
      const answer = await database.client.send(command);
      if (isFirst) {
        isFirst = false;
        await open().keepTime(100);
      }
      return answer;
    };
    const client = { send: late } as unknown as typeof database.client;

    expect(await holdStore(client, names, random).findHold()).toBeUndefined();
  });

  test('catch up once after a person has seen them, and show since when nothing is lost', async () => {
    const holds = open();
    await holds.keepTime(100);
    await restore('settlements', 50);
    const seen = await holds.findMarks();

    expect(await holds.catchUp(seen, 400)).toBe(true);
    expect(await holds.catchUp(seen, 500)).toBe(false);

    expect(await holds.findHold()).toBeUndefined();
    expect(await holds.findReplayedAt()).toBe(400);
    expect(await holds.keepTime(450)).toBeUndefined();
    expect(await holds.findReplayedAt()).toBe(400);
  });

  test('catch up after their witness was lost, too', async () => {
    const holds = open();
    await restore('settlements', 50);
    await restore('transactions', 50);
    expect(await holds.findHold()).toBe('RESTORED');

    expect(await holds.catchUp(await holds.findMarks(), 400)).toBe(true);

    expect(await holds.findHold()).toBeUndefined();
  });
});

describe('the mark among the purchases', () => {
  test('is no purchase, whoever asks for it by its name', async () => {
    const others = { events: 'events', ledger: 'ledger', promises: 'promises', usages: 'usages' };
    const tables = { ...names, ...others, evidence: 'evidence' };
    await open().keepTime(100);

    const store = transactionStore(database.client, tables, random);

    expect(await store.findTransaction('CLOCK')).toBeUndefined();
  });
});

describe('an operator', () => {
  test('holds and releases the money even if that meets the mark of the minute', async () => {
    let met = 0;
    const busy = async (command: GetCommand) => {
      if (!(command.constructor.name === 'UpdateCommand' && met++ % 2 === 0))
        return database.client.send(command);
      throw Object.assign(new Error('met'), { name: 'TransactionConflictException' });
    };
    const holds = holdStore({ send: busy } as unknown as typeof database.client, names, random);

    expect(await holds.hold(held)).toBe(true);
    expect(await holds.release(await holds.findMarks())).toBe(true);
    expect(met).toBe(4);
  });

  test('holds the money once, and releases only the state that was seen', async () => {
    const holds = open();
    await holds.keepTime(100);

    expect(await holds.hold(held)).toBe(true);
    expect(await holds.hold({ ...held, at: 6 })).toBe(false);
    expect(await holds.keepTime(200)).toBe('HELD');
    const seen = await holds.findMarks();
    expect(await holds.release({ ...seen, witness: { held: { ...held, at: 4 } } })).toBe(false);
    expect(await holds.findHold()).toBe('HELD');

    expect(await holds.release(seen)).toBe(true);
    expect(await holds.keepTime(300)).toBeUndefined();
  });

  test('holds the money before any mark exists', async () => {
    const holds = open();

    expect(await holds.hold(held)).toBe(true);

    expect(await holds.findHold()).toBe('HELD');
    expect(await holds.keepTime(1)).toBe('HELD');
    expect(await holds.release(await holds.findMarks())).toBe(true);
    expect(await holds.keepTime(2)).toBeUndefined();
  });
});
