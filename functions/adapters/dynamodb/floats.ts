import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Asset } from '../../domain/assets.ts';
import type { Random } from '../../domain/ports.ts';
import type { Basis, Float, FloatReading, Pause } from '../../domain/treasury/liquidity.ts';
import type { Floats, Liquidity, PayerWatch, RefundCover } from '../../domain/treasury/liquidity-ports.ts';
import { type FloatTables, reservationStore } from './reservations.ts';
import type { FloatRow } from './rows.ts';
import { find, isDone, type RowUpdate, updateRow } from './table.ts';

/** The methods of `treasury pause` and `treasury resume`. Only the operators' command and the console call them. */
type FloatSwitch = {
  pause(asset: Asset, pause: Pause): Promise<void>;
  resume(asset: Asset): Promise<void>;
};

export function floatStore(
  client: DynamoDBDocumentClient,
  tables: FloatTables,
  random: Random,
): Floats & Liquidity & RefundCover & PayerWatch & FloatSwitch {
  const store = { client, table: tables.floats, random };
  const findRow = (asset: Asset) => find<FloatRow>(store, asset);
  const update = async (asset: Asset, changes: RowUpdate) => void (await updateRow(store, asset, changes));

  return {
    ...reservationStore(client, tables, random),
    async findFloat(asset) {
      const row = await findRow(asset);
      return row && floatOf(row);
    },
    findRevision: async (asset) => (await findRow(asset))?.revision ?? 0,
    save: (reading, basis) => isDone(updateRow(store, reading.asset, readingUpdate(reading, basis))),
    noteLow: (asset, lowSince) => isDone(updateRow(store, asset, lowUpdate(lowSince))),
    note: (asset, shortfall) => update(asset, setOrRemove('shortfall', shortfall)),
    noteDoubt: (asset, doubt) =>
      update(asset, setOrRemove('unproven', doubt, ['unproven', 'payerUnknownSince'])),
    async noteUnknown(asset, now) {
      const { Attributes } = await updateRow(store, asset, {
        UpdateExpression: 'SET payerUnknownSince = if_not_exists(payerUnknownSince, :now)',
        ExpressionAttributeValues: { ':now': now },
        ReturnValues: 'UPDATED_NEW',
      });
      return Number(Attributes?.payerUnknownSince);
    },
    pause: (asset, paused) => update(asset, setOrRemove('paused', paused)),
    resume: (asset) => update(asset, setOrRemove('paused', undefined)),
  };
}

/**
 * `room` is the amount that can still be sold, in base units. The write itself subtracts `taken`, the sum of the
 * reservations in the row. Reservations that were made after the treasury was read therefore stay deducted.
 */
function readingUpdate(reading: FloatReading, { revision, over }: Basis): RowUpdate {
  const { free, largest, hourlyPayout, readAt, block, isGasLow, hotWallets } = reading;
  const released = over.reduce((sum, { units }) => sum + units, 0n);
  return {
    UpdateExpression:
      'SET room = :free - if_not_exists(taken, :zero), taken = if_not_exists(taken, :zero), ' +
      'revision = :next, largest = :largest, hourlyPayout = :hourlyPayout, readAt = :readAt, ' +
      '#block = :block, isGasLow = :isGasLow ' +
      'ADD hotWallets :hotWallets',
    ConditionExpression: revision === 0 ? 'attribute_not_exists(revision)' : 'revision = :last',
    ExpressionAttributeNames: { '#block': 'block' },
    ExpressionAttributeValues: {
      ':zero': 0,
      ':free': free + released,
      ':next': revision + 1,
      ':largest': largest,
      ':hourlyPayout': hourlyPayout,
      ':readAt': readAt,
      ':block': block,
      ':isGasLow': isGasLow,
      ':hotWallets': new Set(hotWallets),
      ...(revision > 0 && { ':last': revision }),
    },
  };
}

/**
 * The update that sets or removes `lowSince`, the instant since which the treasury is low. It is refused if the row
 * already says so.
 */
function lowUpdate(lowSince: number | undefined): RowUpdate {
  const condition = lowSince === undefined ? 'attribute_exists(lowSince)' : 'attribute_not_exists(lowSince)';
  return { ...setOrRemove('lowSince', lowSince), ConditionExpression: condition };
}

/**
 * Converts a row to a float. The row has no amounts if an operator paused the asset before the treasury was first read.
 * The missing amounts count as zero.
 */
function floatOf({ id, readAt = 0, hotWallets = new Set(), ...row }: FloatRow): Float {
  const { room = 0, largest = 0, hourlyPayout = 0 } = row;
  const { block, isGasLow, lowSince, paused, shortfall, unproven } = row;
  const units = { room: BigInt(room), largest: BigInt(largest), hourlyPayout: BigInt(hourlyPayout) };
  const pauses = { lowSince, paused, shortfall, unproven };
  return { asset: id, ...units, readAt, block, isGasLow, hotWallets: [...hotWallets], ...pauses };
}

/** Sets the attribute. Without a value, it removes the attributes in `removed`. */
function setOrRemove(name: string, value: unknown, removed: readonly string[] = [name]): RowUpdate {
  return value !== undefined
    ? { UpdateExpression: `SET ${name} = :value`, ExpressionAttributeValues: { ':value': value } }
    : { UpdateExpression: `REMOVE ${removed.join(', ')}` };
}
