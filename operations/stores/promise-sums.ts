import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { find } from '../../functions/adapters/dynamodb/table.ts';
import { loadPerAsset, type PerAsset } from '../../functions/domain/assets.ts';
import { assetSumOf, type PromiseLimits } from '../../functions/domain/purchase/open-promise.ts';

/** The sum of an asset's open promises, and its limit. */
export type PromiseUse = { openCentavos: number; limitCentavos: number };
type PromiseSums = { findSums(): Promise<PerAsset<PromiseUse>> };

type At = { client: DynamoDBDocumentClient; table: string; limits: PromiseLimits };

/** Reads, for each asset, the sum of open promises that its next quote or charge must fit into. */
export function promiseSums({ client, table, limits }: At): PromiseSums {
  return {
    findSums: () =>
      loadPerAsset(async (asset) => {
        const row = await find<{ centavos?: number }>({ client, table }, assetSumOf(asset).id);
        return { openCentavos: Number(row?.centavos ?? 0), limitCentavos: limits.assetBrl * 100 };
      }),
  };
}
