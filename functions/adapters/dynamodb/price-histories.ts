import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Asset } from '../../domain/assets.ts';
import type { AcceptedSpan } from '../../domain/treasury/price.ts';
import type { PriceHistories } from '../../domain/treasury/price-ports.ts';
import type { PriceHistoryRow } from './rows.ts';
import { find, isDone } from './table.ts';

/** The method of `treasury reprice`. Only the operators' command and the console call it. */
type PriceReset = {
  /** Deletes the accepted prices of the asset, so that the next reading is not compared with them. */
  forget(asset: Asset): Promise<void>;
};

/** Stores the accepted prices of each asset, in one row for each asset in the table of the floats. */
export function priceHistoryStore(
  client: DynamoDBDocumentClient,
  table: string,
): PriceHistories & PriceReset {
  const idOf = (asset: Asset) => `price#${asset}`;
  return {
    async findHistory(asset) {
      const row = await find<PriceHistoryRow>({ client, table }, idOf(asset));
      if (!row) return { asset, spans: [], asks: [], revision: 0 };
      // The row has no asks if `forget` wrote it before any price was saved.
      const { spans, asks = [], ptax, distrust, revision } = row;
      const read = asks.map(({ venue, ask, at }) => ({ venue, ask: BigInt(ask), at }));
      return {
        asset,
        spans: spans.map(acceptedSpanOf),
        asks: read,
        ...(ptax && { ptax: { ...ptax, rate: BigInt(ptax.rate) } }),
        ...(distrust && { distrust }),
        revision,
      };
    },

    save({ asset, spans, asks, ptax, distrust, revision }) {
      const isNext = revision === 1 ? 'attribute_not_exists(revision)' : 'revision = :was';
      return isDone(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: { id: idOf(asset) },
            UpdateExpression: `SET spans = :spans, asks = :asks, revision = :revision${
              ptax ? ', ptax = :ptax' : ''
            }${distrust ? ', distrust = :why' : ' REMOVE distrust'}`,
            ConditionExpression: isNext,
            ExpressionAttributeValues: {
              ':spans': spans,
              ':asks': asks,
              ':revision': revision,
              ...(revision > 1 && { ':was': revision - 1 }),
              ...(ptax && { ':ptax': ptax }),
              ...(distrust && { ':why': distrust }),
            },
          }),
        ),
      );
    },

    async forget(asset) {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { id: idOf(asset) },
          // `forget` raises the revision. A reading that was compared with the deleted prices is then not
          // saved.
          UpdateExpression: 'SET spans = :none ADD revision :one',
          ExpressionAttributeValues: { ':none': [], ':one': 1 },
        }),
      );
    },
  };
}

function acceptedSpanOf({ from, lowest, highest }: PriceHistoryRow['spans'][number]): AcceptedSpan {
  return { from, lowest: BigInt(lowest), highest: BigInt(highest) };
}
