import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { floatStore } from '../functions/adapters/dynamodb/floats.ts';
import { find, type WriteItem } from '../functions/adapters/dynamodb/table.ts';
import { TABLES } from '../functions/tables.ts';
import { itemBytes } from '../sandbox/cloud/item-size.ts';
import type { Fields } from '../sandbox/cloud/wire.ts';
import { dice } from '../test/support/dice.ts';
import { memoryTables, type Tables } from '../test/support/tables.ts';

const UNIT_BYTES = 1024;
/** A transaction costs twice. */
const TRANSACTION = 2;
const NOW = Date.UTC(2026, 0, 1);
const INDEXES = Object.keys(TABLES.reservations.indexes).length;

export type FloatUnits = { open: number; reserve: number; raise: number; release: number; read: number };

/**
 * Counts the DynamoDB write units of four acts: one more reservation, its increase by one unit, its release, and
 * saving a reading of the treasury. `open` other reservations exist before. A write counts by
 * the size of its rows after it. A row counts once more for each index of its table. Refused writes do not
 * count.
 */
export async function floatUnits(open: number): Promise<FloatUnits> {
  const tables = memoryTables();
  const counted = counting(tables);
  const store = floatStore(counted.client, tables.names, dice);
  const reading = {
    asset: 'USDC',
    free: 10n ** 24n,
    largest: 10n ** 20n,
    hourlyPayout: 10n ** 20n,
    readAt: NOW,
    block: 1,
  } as const;
  const save = async () => {
    const revision = await store.findRevision('USDC');
    await store.save({ ...reading, isGasLow: false, hotWallets: ['0xA'] }, { revision, over: [] });
  };
  await save();
  for (let index = 0; index < open; index++)
    await store.reserve('USDC', { id: `01JD4F${String(index).padStart(20, '0')}`, units: 45_566_968n }, NOW);
  const one = { id: '01JD4G00000000000000000000', units: 45_566_968n };
  const raised = { ...one, units: one.units + 1n };
  return {
    open,
    reserve: await counted.unitsOf(() => store.reserve('USDC', one, NOW)),
    raise: await counted.unitsOf(() => store.reserve('USDC', raised, NOW)),
    release: await counted.unitsOf(() => store.release('USDC', [raised], NOW)),
    read: await counted.unitsOf(save),
  };
}

type Input = { TransactItems?: WriteItem[]; UpdateExpression?: string } & Target;
type Target = { TableName?: string; Key?: { id: string }; Item?: { id?: unknown } };

function counting(tables: Tables) {
  let units = 0;
  const unitsOfRow = async ({ TableName: table = '', Key, Item }: Target) => {
    const row = await find<Fields>({ client: tables.client, table }, String(Key?.id ?? Item?.id));
    const size = Math.ceil(itemBytes(marshall(row, { removeUndefinedValues: true })) / UNIT_BYTES);
    return size * (table === tables.names.reservations ? 1 + INDEXES : 1);
  };
  const send = async (command: { input: Input }) => {
    const answer = await tables.client.send(command as never);
    const { TransactItems, ...plain } = command.input;
    const written = TransactItems ?? (plain.UpdateExpression ? [{ Update: plain }] : []);
    for (const { Put, Update } of written as { Put?: Target; Update?: Target }[])
      units += (TransactItems ? TRANSACTION : 1) * (await unitsOfRow(Put ?? Update ?? {}));
    return answer;
  };
  const client = Object.assign(Object.create(tables.client) as DynamoDBDocumentClient, { send });
  const unitsOf = async (act: () => Promise<unknown>) => {
    const before = units;
    await act();
    return units - before;
  };
  return { client, unitsOf };
}
