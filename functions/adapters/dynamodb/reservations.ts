import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Asset, perAsset } from '../../domain/assets.ts';
import { batchesOf } from '../../domain/batches.ts';
import { Unavailable } from '../../domain/errors.ts';
import { largerOf } from '../../domain/money.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { type Reserved, STALE_AFTER_MS } from '../../domain/treasury/liquidity.ts';
import type { Floats, Liquidity } from '../../domain/treasury/liquidity-ports.ts';
import { HELD } from '../../tables/sharded.ts';
import { findAll } from './find-all.ts';
import type { ReservationRow } from './rows.ts';
import { keyIn, listAll, rowIds } from './shards.ts';
import { find, putNew, updateOf, type WriteItem, type Written, writeKnowingly } from './table.ts';

export type FloatTables = { floats: string; reservations: string };

/**
 * The most reservations that one transaction releases. A DynamoDB transaction has at most 100 items, and one
 * of them is the float.
 */
const RELEASED_AT_ONCE = 99;
/**
 * How often a reservation is tried that others change at the same time. The requests of one purchase that come at once
 * may each have another price, and a reading may release the reservation.
 */
const TURNS = 10;
/**
 * The write itself checks the room of the float, as `hasRoom` in domain/treasury/liquidity.ts does before.
 * Two purchases at the same time therefore never reserve the same units.
 */
const HAS_ROOM =
  'room >= :more AND largest >= :units AND readAt >= :oldest AND isGasLow = :no ' +
  'AND attribute_not_exists(paused) AND attribute_not_exists(shortfall) AND attribute_not_exists(unproven)';

/**
 * Stores one row for each reservation. Each transaction that makes, raises or releases reservations changes
 * the float's `taken` by the same units. Therefore `taken` is always the sum of the held reservations, and
 * the row of the float stays small.
 */
export function reservationStore(
  client: DynamoDBDocumentClient,
  tables: FloatTables,
  random: Random,
): Liquidity & Pick<Floats, 'listReserved' | 'release'> {
  const store = () => ({ client, table: tables.reservations });
  const change = (asset: Asset, float: Changes, rows: WriteItem[]) =>
    writeKnowingly(client, [floatWrite(tables, asset, float), ...rows], random);

  const raise = (asset: Asset, { had, units, now }: { had: Reserved; units: bigint; now: number }) =>
    change(asset, taking(units - had.units, units, now), [ifHeld(tables, had, updateOf({ units }))]);

  return {
    async reserve(asset, { id, units }, now) {
      const first = reservationWrites({ asset, id, units }, tables, now);
      let before: Reserved | undefined;
      for (let turn = 0; turn < TURNS; turn++) {
        if (isReservationWritten(await writeKnowingly(client, first, random))) return true;
        const row = await find<ReservationRow>(store(), id);
        if (!row) return false;
        const had = heldOf(row);
        if (had && isReservationWritten(await raise(asset, { had, units: largerOf(had.units, units), now })))
          return true;
        // If nobody has changed the reservation since the last turn, the float has refused the write: it has no room.
        if (turn > 0 && had?.units === before?.units) return false;
        before = had;
      }
      return false;
    },

    async listReserved() {
      const ids = new Set(rowIds(await listAll(store(), { index: HELD })));
      // The index is eventually consistent and may still list a reservation that was released. Therefore each
      // row is read again from the table.
      const rows = [...(await findAll<ReservationRow>(store(), [...ids])).values()];
      return perAsset((asset) =>
        rows.filter((row) => row.asset === asset).flatMap((row) => heldOf(row) ?? []),
      );
    },

    async release(asset, over, now) {
      const removed = updateOf({ ttl: ttlOf('reservations', now) }, ['heldKey']);
      for (const some of batchesOf(over, RELEASED_AT_ONCE)) {
        const sum = some.reduce((total, { units }) => total + units, 0n);
        // `room` is not changed here: `save`, which is called just before, has already added these units to it.
        const float = {
          UpdateExpression: 'SET taken = taken - :sum ADD revision :one',
          ExpressionAttributeValues: { ':sum': sum, ':one': 1 },
        };
        await change(
          asset,
          float,
          some.map((each) => ifHeld(tables, each, removed)),
        );
      }
    },
  };
}

/** The writes that reserve units for a purchase without a held reservation. */
export function reservationWrites(
  { asset, id, units }: Reserved & { asset: Asset },
  tables: FloatTables,
  now: number,
): WriteItem[] {
  const row = { id, asset, units, reservedAt: now, heldKey: keyIn(HELD, id) };
  const ConditionExpression = 'attribute_not_exists(heldKey)';
  return [
    floatWrite(tables, asset, taking(units, units, now)),
    { Put: { ...putNew(tables.reservations, row), ConditionExpression } },
  ];
}

const floatWrite = ({ floats }: FloatTables, asset: Asset, changes: Changes): WriteItem => ({
  Update: { TableName: floats, Key: { id: asset }, ...changes },
});

type Changes = { UpdateExpression: string } & Partial<ReturnType<typeof updateOf>> & {
    ConditionExpression?: string;
  };

const taking = (more: bigint, units: bigint, now: number) => ({
  UpdateExpression: 'SET room = room - :more, taken = taken + :more',
  ConditionExpression: HAS_ROOM,
  ExpressionAttributeValues: {
    ':more': more,
    ':units': units,
    ':oldest': now - STALE_AFTER_MS,
    ':no': false,
  },
});

/** Changes the reservation only if it is not released and still has exactly these units. */
function ifHeld(
  { reservations }: FloatTables,
  { id, units }: Reserved,
  changes: ReturnType<typeof updateOf>,
) {
  return {
    Update: {
      TableName: reservations,
      Key: { id },
      ...changes,
      ConditionExpression: '#had = :had AND attribute_exists(heldKey)',
      ExpressionAttributeNames: { ...changes.ExpressionAttributeNames, '#had': 'units' },
      ExpressionAttributeValues: { ...changes.ExpressionAttributeValues, ':had': units },
    },
  };
}

/** False if a condition was not met. Throws `Unavailable` if the outcome of the write is unknown. */
function isReservationWritten(written: Written): boolean {
  if (written === 'UNKNOWN') throw new Unavailable('the float');
  return written === 'WRITTEN';
}

function heldOf(row: ReservationRow | undefined): Reserved | undefined {
  return row?.heldKey === undefined ? undefined : { id: row.id, units: BigInt(row.units) };
}
