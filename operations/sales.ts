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
  if (history.distrust) return 'NO PRICE';
  return whyUnsold({ float, history }, now).length > 0 ? 'NOT SOLD' : 'OK';
}

/** Why the asset is not sold now. Empty if it is sold, even if only in small amounts. */
function whyUnsold({ float, history: { distrust } }: Read, now: number): string[] {
  if (!float) return ['the treasury was never read'];
  const { paused, shortfall, unproven, isGasLow } = float;
  return [
    paused && `${paused.by} paused it`,
    isStale(float, now) && 'the treasury was not read for some minutes',
    shortfall && 'the Pix account does not cover the open refunds',
    unproven && `a stranger's payment might pass (${unproven.reason})`,
    isGasLow && 'no wallet has enough gas',
    distrust && DISTRUST_WORDS[distrust],
  ].filter((why) => typeof why === 'string');
}

/** The assets that are not sold, each with its reasons. */
export async function findUnsold({ floats, priceHistories, clock }: Desk): Promise<[Asset, string][]> {
  const found = await Promise.all(
    ASSET_NAMES.map(async (asset) => {
      const [float, history] = await Promise.all([
        floats.findFloat(asset),
        priceHistories.findHistory(asset),
      ]);
      return { asset, why: whyUnsold({ float, history }, clock.now()) };
    }),
  );
  return found.flatMap(({ asset, why }) => (why.length === 0 ? [] : [[asset, why.join('; ')]]));
}
