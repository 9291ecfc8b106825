import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DossierRow, type DossierTable, dossier } from '../../operations/stores/dossier.ts';
import { newId } from '../support/ports.ts';
import { startTables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const reads = () => dossier(tables.client, tables.names);
async function put(table: DossierTable, row: DossierRow): Promise<DossierRow> {
  const Item = { id: newId(), ...row };
  await tables.client.send(new PutCommand({ TableName: tables.names[table], Item }));
  return Item;
}

describe('rows', () => {
  test('are read by their ids, in order, each once, if they exist', async () => {
    const [first, second] = [await put('events', { at: 1 }), await put('events', { at: 2 })];
    const ids = [second.id, 'unknown', first.id, second.id] as string[];

    expect(await reads().listRows('events', ids)).toEqual([second, first]);
    expect(await reads().listRows('events', [])).toEqual([]);
  });

  test('are read if there are more than one call may request, or if DynamoDB leaves some', async () => {
    const rows = await Promise.all(Array.from({ length: 130 }, (_, at) => put('events', { at })));
    const ids = rows.map(({ id }) => String(id));
    let asked = 0;
    const leaving = tapped(tables, (send) => async (command) => {
      const { input } = command as { input: { RequestItems: Record<string, { Keys: unknown[] }> } };
      const { Keys } = input.RequestItems.events!;
      const kept = asked++ === 0 ? Keys.slice(0, 7) : Keys;
      const left = Keys.slice(kept.length);
      input.RequestItems.events!.Keys = kept;
      const answer = (await send(command)) as object;
      return { ...answer, ...(left.length > 0 && { UnprocessedKeys: { events: { Keys: left } } }) };
    });

    expect(await dossier(leaving.client, tables.names).listRows('events', ids)).toEqual(rows);
    expect(asked).toBeGreaterThan(2);
  });
});

describe('an index', () => {
  test.each([
    ['transactions', 'ofClient', 'clientId', 'createdAt'],
    ['kycRecords', 'ofClient', 'clientId', 'issuedAt'],
    ['cases', 'ofClient', 'clientId', 'openedAt'],
    ['unmatchedPayments', 'ofTransaction', 'transactionId', 'foundAt'],
    ['evidence', 'client', 'clientId', 'at'],
    ['evidence', 'subject', 'subject', 'at'],
  ] as const)(
    'of %s by %s finds whole rows of one subject, the oldest first',
    async (table, index, key, instant) => {
      const whose = newId();
      const later = await put(table, { [key]: whose, [instant]: 20, more: 'later' });
      const sooner = await put(table, { [key]: whose, [instant]: 10, more: 'sooner' });
      await put(table, { [key]: newId(), [instant]: 15 });

      expect(await reads().listBy(table, index as never, whose)).toEqual([sooner, later]);
      expect(await reads().listBy(table, index as never, 'nobody')).toEqual([]);
    },
  );
});

test('rows without an index are found by a read of the whole table', async () => {
  const wanted = await put('callbacks', { hints: [{ txid: 'T1' }], at: 1 });
  await put('callbacks', { hints: [{ txid: 'T2' }], at: 2 });

  const found = await reads().listWhere('callbacks', ({ hints }) => JSON.stringify(hints).includes('T1'));

  expect(found).toEqual([wanted]);
});
