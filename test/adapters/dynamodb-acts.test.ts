import { describe, expect, test } from 'vitest';
import { actStore } from '../../functions/adapters/dynamodb/acts.ts';
import type { ActEvent } from '../../functions/domain/acts/act.ts';
import { dice as random } from '../support/dice.ts';
import { memoryTables, rowIn, tapped } from '../support/tables.ts';

const WHO = { id: 'ana', roles: ['operator'], via: 'STS', principal: 'arn:ana' } as const;
const AT = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
const WANTED = { name: 'fraud lift', before: { state: 'ACTIVE' }, after: { state: 'LIFTED' } } as const;

const ordered = (act: string, at = AT): ActEvent => ({
  act,
  place: 1,
  subject: 'person',
  at,
  who: WHO,
  kind: 'ORDERED',
  ...WANTED,
});
const done = (act: string, at = AT): ActEvent => ({
  act,
  place: 2,
  subject: 'person',
  at,
  who: WHO,
  kind: 'DONE',
});

function opened(tables = memoryTables()) {
  return { tables, acts: actStore(tables.client, tables.names.acts, random) };
}

describe('the events of an act', () => {
  test('are read as they were written, in their order', async () => {
    const { acts } = opened();
    await acts.add(ordered('A'));
    await acts.add(done('A'));
    await acts.add(ordered('B'));

    const found = await acts.findAct('A');

    expect(found).toEqual({
      id: 'A',
      first: ordered('A'),
      last: done('A'),
      events: [ordered('A'), done('A')],
    });
    expect(await acts.findAct('C')).toBeUndefined();
    expect(await acts.listOfSubject('person')).toHaveLength(3);
    expect(await acts.listOfSubject('nobody')).toEqual([]);
  });

  test('are never replaced', async () => {
    const { acts, tables } = opened();
    await acts.add(ordered('A'));
    const before = await rowIn(tables, 'acts', 'A#1');

    expect(await acts.add({ ...ordered('A'), subject: 'other' })).toBe(false);
    expect(await acts.add(ordered('A'))).toBe(false);

    expect(await rowIn(tables, 'acts', 'A#1')).toEqual(before);
  });

  test('end ten years after the first day of the next year', async () => {
    const { acts, tables } = opened();
    await acts.add(ordered('A'));

    expect(await rowIn(tables, 'acts', 'A#1')).toMatchObject({ ttl: Date.UTC(2037, 0, 1) / 1000 });
  });

  test('of one place have one writer of twenty', async () => {
    const { acts } = opened();

    const wrote = await Promise.all(Array.from({ length: 20 }, () => acts.add(ordered('A'))));

    expect(wrote.filter(Boolean)).toHaveLength(1);
  });
});

describe('a time', () => {
  test('has the events from its start to before its end, over months and years', async () => {
    const { acts } = opened();
    const instants = [AT - 1, AT, AT + 1, Date.UTC(2027, 0, 31), Date.UTC(2027, 1, 28)];
    for (const [index, at] of instants.entries()) await acts.add(ordered(`A${index}`, at));
    const idsIn = async (since: number, until: number) =>
      (await acts.listBetween(since, until)).map(({ act }) => act);

    expect(await idsIn(AT, AT + 1)).toEqual(['A1']);
    expect(await idsIn(AT, AT + 2)).toEqual(['A1', 'A2']);
    expect(await idsIn(AT - 1, Date.UTC(2027, 1, 28))).toEqual(['A0', 'A1', 'A2', 'A3']);
    expect(await idsIn(Date.UTC(2027, 0, 31), Date.UTC(2028, 0))).toEqual(['A3', 'A4']);
    expect(await idsIn(AT + 2, AT + 2)).toEqual([]);
  });
});

describe('a write whose answer is lost', () => {
  test('is not taken for the write of another', async () => {
    const sent: object[] = [];
    const watched = tapped(memoryTables(), (send) => async (command) => {
      sent.push(command);
      return send(command);
    });

    await opened(watched).acts.add(ordered('A'));

    // Only a transaction has a token, by which DynamoDB knows its repetition.
    expect(sent.map((command) => command.constructor.name)).toEqual(['TransactWriteCommand']);
  });

  test('that nobody knows of is told as such, and not as refused', async () => {
    const lost = Object.assign(new Error('lost'), { $fault: 'server', $metadata: {} });
    const { acts } = opened(tapped(memoryTables(), () => async () => Promise.reject(lost)));

    await expect(acts.add(ordered('A'))).rejects.toThrow('acts table is unavailable');
  });
});
