/** Whether each asset is sold now, in the words of operators. */
import { ASSET_NAMES, type Asset } from '../functions/domain/assets.ts';
import { type Float, isStale } from '../functions/domain/treasury/liquidity.ts';
import { DISTRUST_WORDS } from '../functions/domain/treasury/order-book.ts';
import type { PriceHistory } from '../functions/domain/treasury/price.ts';
import type { Desk } from './desk.ts';

type Read = { float?: Float; history: PriceHistory };

export function stateOf({ float, history }: Read, now: number): string {
  if (!float) return 'never read';
  if (isStale(float, now)) return 'STALE';
  if (float.lowSince !== undefined) return 'LOW';
  return history.distrust ? 'NO PRICE' : 'OK';
}

/** Why the asset is not sold now. Undefined if it is sold, even if only in small amounts. */
function whyUnsold({ float, history: { distrust } }: Read, now: number): string | undefined {
  if (!float) return 'the treasury was never read';
  if (float.paused) return `${float.paused.by} paused it`;
  if (isStale(float, now)) return 'the treasury was not read for some minutes';
  if (float.shortfall) return 'the Pix account does not cover the open refunds';
  if (float.unproven) return `a stranger's payment might pass (${float.unproven.reason})`;
  if (float.isGasLow) return 'no wallet has enough gas';
  return distrust && DISTRUST_WORDS[distrust];
}

/** The assets that are not sold, each with its reason. */
export async function findUnsold({ floats, priceHistories, clock }: Desk): Promise<[Asset, string][]> {
  const found = await Promise.all(
    ASSET_NAMES.map(async (asset) => {
      const [float, history] = await Promise.all([
        floats.findFloat(asset),
        priceHistories.findHistory(asset),
      ]);
      return [asset, whyUnsold({ float, history }, clock.now())] as const;
    }),
  );
  return found.flatMap(([asset, why]) => (why === undefined ? [] : [[asset, why]]));
}
