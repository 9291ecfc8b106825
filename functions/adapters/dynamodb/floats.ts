import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Asset } from '../../domain/assets.ts';
import type { Random } from '../../domain/ports.ts';
import type { Float, Pause } from '../../domain/treasury/liquidity.ts';
import type { Floats, Liquidity, PayerWatch, RefundCover } from '../../domain/treasury/liquidity-ports.ts';
import { type FloatTables, reservationStore } from './reservations.ts';
import type { FloatRow } from './rows.ts';
import { find, isDone, writeRow } from './table.ts';

/** The methods for operators. */
type FloatSwitch = {
  pause(asset: Asset, pause: Pause): Promise<void>;
  resume(asset: Asset): Promise<void>;
};

export function floatStore(
  client: DynamoDBDocumentClient,
  tables: FloatTables,
  random: Random,
): Floats & Liquidity & RefundCover & PayerWatch & FloatSwitch {
  const table = tables.floats;
  const update = (asset: Asset, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
    writeRow(
      () => client.send(new UpdateCommand({ TableName: table, Key: { id: asset }, ...input })),
      random,
    );
  const findRow = (asset: Asset) => find<FloatRow>({ client, table }, asset);

  return {
    ...reservationStore(client, tables, random),

    async findFloat(asset) {
      const row = await findRow(asset);
      return row && floatOf(row);
    },

    async findRevision(asset) {
      return (await findRow(asset))?.revision ?? 0;
    },

    // `room` is the amount that can still be sold, in base units. The write itself subtracts `taken`, the sum
    // of the reservations in the row. Reservations that were made after the treasury was read therefore stay
    // deducted.
    save({ asset, free, largest, hourlyPayout, readAt, block, isGasLow, hotWallets }, { revision, over }) {
      const released = over.reduce((sum, { units }) => sum + units, 0n);
      const write = update(asset, {
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
      });
      return isDone(write);
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

    async note(asset, shortfall) {
      await update(asset, setOrRemove('shortfall', shortfall));
    },

    async noteDoubt(asset, doubt) {
      await update(asset, setOrRemove('unproven', doubt, ['unproven', 'payerUnknownSince']));
    },

    async noteUnknown(asset, now) {
      const { Attributes } = await update(asset, {
        UpdateExpression: 'SET payerUnknownSince = if_not_exists(payerUnknownSince, :now)',
        ExpressionAttributeValues: { ':now': now },
        ReturnValues: 'UPDATED_NEW',
      });
      return Number(Attributes?.payerUnknownSince);
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

/** The row has no amounts if an operator paused the asset before the treasury was first read. */
function floatOf({ id, readAt = 0, hotWallets = new Set(), ...row }: FloatRow): Float {
  const { room = 0, largest = 0, hourlyPayout = 0 } = row;
  const { block, isGasLow, lowSince, paused, shortfall, unproven } = row;
  const units = { room: BigInt(room), largest: BigInt(largest), hourlyPayout: BigInt(hourlyPayout) };
  const pauses = { lowSince, paused, shortfall, unproven };
  return { asset: id, ...units, readAt, block, isGasLow, hotWallets: [...hotWallets], ...pauses };
}

/** Sets the attribute. Without a value, it removes the attributes in `removed`. */
function setOrRemove(name: string, value: unknown, removed: readonly string[] = [name]) {
  return value
    ? { UpdateExpression: `SET ${name} = :value`, ExpressionAttributeValues: { ':value': value } }
    : { UpdateExpression: `REMOVE ${removed.join(', ')}` };
}
