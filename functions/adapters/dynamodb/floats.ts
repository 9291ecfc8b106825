import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Asset } from '../../domain/assets.ts';
import { type Float, type Pause, type Reserved, STALE_AFTER_MS } from '../../domain/treasury/liquidity.ts';
import type { Floats, Liquidity } from '../../domain/treasury/liquidity-ports.ts';
import type { FloatRow } from './rows.ts';
import { find, isConditionFailed, isDone } from './table.ts';

/** The part for operators. */
export type FloatSwitch = {
  pause(asset: Asset, pause: Pause): Promise<void>;
  resume(asset: Asset): Promise<void>;
};

/** There may be many reservations, and only a reading needs them. */
const WITHOUT_TAKEN = 'id, room, largest, readAt, #block, isGasLow, hotWallets, lowSince, paused';
/** An expression may have 4 KB. */
const FORGET_AT_ONCE = 100;
/**
 * The conditions of `hasRoom` on room, wallet, age, gas and pause, as part of the write. Two purchases never reserve
 * the same units.
 */
const HAS_ROOM =
  'room >= :more AND largest >= :units AND readAt >= :oldest AND isGasLow = :no ' +
  'AND attribute_not_exists(paused)';

export function floatStore(client: DynamoDBDocumentClient, table: string): Floats & Liquidity & FloatSwitch {
  const update = (asset: Asset, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
    client.send(new UpdateCommand({ TableName: table, Key: { id: asset }, ...input }));

  /** `had` are the units that were reserved for the purchase before. Undefined: none. */
  const take = (asset: Asset, { id, units }: Reserved, had: bigint | undefined, now: number) => {
    const more = units - (had ?? 0n);
    const isAsBefore = had === undefined ? 'attribute_not_exists(taken.#id)' : 'taken.#id = :had';
    return update(asset, {
      UpdateExpression: 'SET room = room - :more, taken.#id = :units',
      ConditionExpression: `${isAsBefore} AND ${HAS_ROOM}`,
      ExpressionAttributeNames: { '#id': id },
      ExpressionAttributeValues: {
        ':more': more,
        ':units': units,
        ':oldest': now - STALE_AFTER_MS,
        ':no': false,
        ...(had !== undefined && { ':had': had }),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  };

  return {
    async findFloat(asset) {
      const { Item } = await client.send(
        new GetCommand({
          TableName: table,
          Key: { id: asset },
          ConsistentRead: true,
          ProjectionExpression: WITHOUT_TAKEN,
          ExpressionAttributeNames: { '#block': 'block' },
        }),
      );
      return Item && ofRow(Item as FloatRow);
    },

    async findBook(asset) {
      const {
        room = 0,
        readings = 0,
        taken = {},
      }: Partial<FloatRow> = (await find<FloatRow>({ client, table }, asset)) ?? {};
      const reserved = Object.entries(taken).map(([id, units]) => ({ id, units: BigInt(units) }));
      return { room: BigInt(room), readings, reserved };
    },

    // The room changes by the difference, so that concurrent reservations stay deducted.
    save: ({ asset, room, largest, readAt, block, isGasLow, hotWallets }, book) =>
      isDone(
        update(asset, {
          UpdateExpression:
            'SET room = if_not_exists(room, :zero) + :difference, taken = if_not_exists(taken, :none), ' +
            'readings = :next, largest = :largest, readAt = :readAt, #block = :block, isGasLow = :isGasLow ' +
            'ADD hotWallets :hotWallets',
          ConditionExpression: book.readings === 0 ? 'attribute_not_exists(readings)' : 'readings = :last',
          ExpressionAttributeNames: { '#block': 'block' },
          ExpressionAttributeValues: {
            ':zero': 0,
            ':none': {},
            ':difference': room - book.room,
            ':next': book.readings + 1,
            ':largest': largest,
            ':readAt': readAt,
            ':block': block,
            ':isGasLow': isGasLow,
            ':hotWallets': new Set(hotWallets),
            ...(book.readings > 0 && { ':last': book.readings }),
          },
        }),
      ),

    async forget(asset, ids) {
      for (let from = 0; from < ids.length; from += FORGET_AT_ONCE) {
        const some = ids.slice(from, from + FORGET_AT_ONCE).map((id, index) => [`#n${index}`, id] as const);
        await update(asset, {
          UpdateExpression: `REMOVE ${some.map(([name]) => `taken.${name}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(some),
        });
      }
    },

    noteLow: (asset, lowSince) =>
      isDone(
        lowSince === undefined
          ? update(asset, {
              UpdateExpression: 'REMOVE lowSince',
              ConditionExpression: 'attribute_exists(lowSince)',
            })
          : update(asset, {
              UpdateExpression: 'SET lowSince = :since',
              ConditionExpression: 'attribute_not_exists(lowSince)',
              ExpressionAttributeValues: { ':since': lowSince },
            }),
      ),

    async reserve(asset, reserved, now) {
      try {
        await take(asset, reserved, undefined, now);
        return true;
      } catch (error) {
        if (!isConditionFailed(error)) throw error;
        const had = takenIn(error.Item, reserved.id);
        if (had === undefined) return false;
        const isEnough = had >= reserved.units;
        return isDone(take(asset, isEnough ? { ...reserved, units: had } : reserved, had, now));
      }
    },

    async pause(asset, paused) {
      await update(asset, {
        UpdateExpression: 'SET paused = :paused',
        ExpressionAttributeValues: { ':paused': paused },
      });
    },

    async resume(asset) {
      await update(asset, { UpdateExpression: 'REMOVE paused' });
    },
  };
}

/** The row may exist only because the asset was paused before its first reading. */
function ofRow({ id, room = 0, largest = 0, readAt = 0, hotWallets = new Set(), ...row }: FloatRow): Float {
  const { block, isGasLow, lowSince, paused } = row;
  const units = { room: BigInt(room), largest: BigInt(largest) };
  return { asset: id, ...units, readAt, block, isGasLow, hotWallets: [...hotWallets], lowSince, paused };
}

/** The rejected item has the wire form of DynamoDB: `{taken: {M: {id: {N: "100"}}}}`. */
function takenIn(item: Record<string, AttributeValue> | undefined, id: string): bigint | undefined {
  const units = item?.taken?.M?.[id]?.N;
  return units === undefined ? undefined : BigInt(units);
}
