import { type DynamoDBDocumentClient, PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import type { LitigationHold } from '../../domain/kyc/litigation-hold.ts';
import type {
  EndingRow,
  HoldBegun,
  LitigationHolds,
  LitigationHoldsDesk,
} from '../../domain/kyc/litigation-hold-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { type EndingTable, ttlOf } from '../../domain/retention.ts';
import { findAll, listIdsBy } from './find-all.ts';
import type { EventRow, LitigationHoldRow } from './rows.ts';
import {
  find,
  isDone,
  type SharedStore,
  type Store,
  updateOf,
  updateRow,
  type WriteItem,
  writeAll,
  writeRow,
} from './table.ts';
import { usageIdsOf } from './usages.ts';

type Tables = Record<EndingTable, string>;

/** The id of the row with a person's hold. The row is in the table of blocks. */
export const holdRowId = (personId: string) => `HOLD#${personId}`;

export function litigationHoldStore(
  client: DynamoDBDocumentClient,
  tables: Tables,
  random: Random,
): LitigationHolds & LitigationHoldsDesk {
  const store = { client, table: tables.personBlocks, random };
  const rowsIn = async <Row>(table: EndingTable, ids: readonly string[]) => [
    ...(await findAll<Row>({ client, table: tables[table] }, ids)).values(),
  ];
  const listOf = async <Row>(table: EndingTable, clientIds: readonly string[]) => {
    const owned = { client, table: tables[table] };
    const ids = await Promise.all(
      clientIds.map((id) => listIdsBy(owned, { index: 'ofClient', key: 'clientId' }, id)),
    );
    return rowsIn<Row>(table, ids.flat());
  };
  const findHold = (personId: string) => findHoldRow(store, holdRowId(personId));
  const move = (item: WriteItem, check: HoldCheck) =>
    writeIf(client, [checkOf(store.table, check), item], random);

  return {
    findHold,
    async listHeld() {
      const ids = await listIdsBy(store, { index: 'byState', key: 'state' }, 'HELD');
      const found = await Promise.all(ids.map((id) => findHoldRow(store, id)));
      return found.filter((hold) => hold?.state === 'HELD').filter((hold) => hold !== undefined);
    },
    async listBegun({ clientIds }) {
      return {
        purchases: await listOf<HoldBegun['purchases'][number]>('transactions', clientIds),
        records: await listOf<HoldBegun['records'][number]>('kycRecords', clientIds),
      };
    },
    listCounters: ({ personId, clientIds }, days) =>
      rowsIn<EndingRow>(
        'usages',
        [personId, ...clientIds].flatMap((owner) => days.flatMap((day) => usageIdsOf(owner, day))),
      ),
    listEvents: (ids) => rowsIn<EventRow>('events', ids),
    listDeliveries: (ids) => rowsIn<EndingRow>('deliveries', ids),
    async noteLook(personId, keptAt) {
      await isDone(updateRow(store, holdRowId(personId), { ...updateOf({ keptAt }), ...IS_THERE }));
    },
    hold: (wanted) => holdPerson(store, wanted),
    free: (personId, freed) => freePerson(store, personId, freed),
    async park(personId, table, { id, ttl }) {
      if (ttl !== undefined)
        await move(moved(tables[table], id, { from: 'ttl', to: 'heldTtl', end: ttl }), {
          personId,
          state: 'HELD',
        });
    },
    async restore(personId, table, row) {
      const change = restoring(tables[table], row);
      if (change) await move(change, { personId, state: 'FREED' });
    },
  };
}

async function holdPerson(store: SharedStore, wanted: LitigationHold): Promise<LitigationHold> {
  await isDone(putRow(store, holdPut(wanted, store.table)));
  const now = getDefined(await findHoldRow(store, holdRowId(wanted.personId)), 'hold');
  const more = wanted.clientIds.filter((id) => !now.clientIds.includes(id));
  if (more.length === 0) return now;
  const clientIds = [...now.clientIds, ...more];
  await updateRow(store, holdRowId(now.personId), { ...updateOf({ clientIds }), ...IS_THERE });
  return { ...now, clientIds };
}

async function freePerson(
  store: SharedStore,
  personId: string,
  freed: NonNullable<LitigationHold['freed']>,
): Promise<LitigationHold | undefined> {
  const known = await findHoldRow(store, holdRowId(personId));
  if (known?.state === 'HELD') await isDone(putRow(store, freedPut({ ...known, freed }, store.table)));
  return findHoldRow(store, holdRowId(personId));
}

/** Writes the row of a hold. Repeats the put while another transaction checks the hold. */
const putRow = ({ client, random }: SharedStore, put: PutCommandInput) =>
  writeRow(() => client.send(new PutCommand(put)), random);

type HoldCheck = Pick<LitigationHold, 'personId' | 'state'>;

/**
 * Every change of a row's time to live requires the hold's state. A run that began before an operator set or
 * lifted the hold therefore cannot undo the newer order.
 */
const checkOf = (table: string, { personId, state }: HoldCheck): WriteItem => ({
  ConditionCheck: {
    TableName: table,
    Key: { id: holdRowId(personId) },
    ConditionExpression: '#state = :state',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':state': state },
  },
});

/**
 * A refused write needs no repetition: another write has changed the row, or an operator has changed the
 * hold.
 */
async function writeIf(client: DynamoDBDocumentClient, items: WriteItem[], random: Random): Promise<void> {
  if ((await writeAll(client, items, random)) === 'UNKNOWN') throw new Unavailable('the end of a row');
}

type TtlMove = { from: 'ttl' | 'heldTtl'; to: 'ttl' | 'heldTtl'; end: number };

const moved = (table: string, id: string, { from, to, end }: TtlMove): WriteItem => ({
  Update: {
    TableName: table,
    Key: { id },
    UpdateExpression: 'SET #to = :end REMOVE #from',
    ConditionExpression: '#from = :end',
    ExpressionAttributeNames: { '#from': from, '#to': to },
    ExpressionAttributeValues: { ':end': end },
  },
});

/**
 * Gives the row its former time to live back. A row that was written again during the hold has a new `ttl`.
 * In that case `ttl` stays, and `heldTtl` is removed.
 */
function restoring(table: string, { id, ttl, heldTtl }: EndingRow): WriteItem | undefined {
  if (heldTtl === undefined) return undefined;
  if (ttl === undefined) return moved(table, id, { from: 'heldTtl', to: 'ttl', end: heldTtl });
  const ConditionExpression = 'attribute_exists(heldTtl)';
  return {
    Update: { TableName: table, Key: { id }, UpdateExpression: 'REMOVE heldTtl', ConditionExpression },
  };
}

const IS_THERE = { ConditionExpression: 'attribute_exists(id)' };

const FREE = {
  ConditionExpression: 'attribute_not_exists(id) OR #state = :freed',
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: { ':freed': 'FREED' },
};

const holdPut = (hold: LitigationHold, table: string) => ({
  TableName: table,
  Item: toHoldRow(hold),
  ...FREE,
});

/** The check that the person is not held. */
export const notHeld = (table: string, personId: string) => ({
  TableName: table,
  Key: { id: holdRowId(personId) },
  ...FREE,
});

function freedPut(known: LitigationHold & Required<Pick<LitigationHold, 'freed'>>, table: string) {
  return {
    TableName: table,
    Item: { ...toHoldRow({ ...known, state: 'FREED' }), ttl: ttlOf('litigationHolds', known.freed.at) },
    ConditionExpression: '#state = :held AND #at = :at',
    ExpressionAttributeNames: { '#state': 'state', '#at': 'at' },
    ExpressionAttributeValues: { ':held': 'HELD', ':at': known.at },
  };
}

/** The index `byState` lists the row by its `state`. */
const toHoldRow = (hold: LitigationHold): LitigationHoldRow => ({ ...hold, id: holdRowId(hold.personId) });

async function findHoldRow(store: Store, id: string): Promise<LitigationHold | undefined> {
  const row = await find<LitigationHoldRow>(store, id);
  if (!row) return undefined;
  const { id: _, ttl: __, ...hold } = row;
  return hold;
}
