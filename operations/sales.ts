/** Whether each asset is sold now, in the words of operators. */
import { ASSET_NAMES, type Asset } from '../functions/domain/assets.ts';
import { type Float, isStale } from '../functions/domain/treasury/liquidity.ts';
import { DISTRUST_WORDS } from '../functions/domain/treasury/order-book.ts';
import type { PriceHistory } from '../functions/domain/treasury/price.ts';
import type { Desk } from './desk.ts';

type SaleRead = { float?: Float; history: PriceHistory };

function saleState({ float, history }: SaleRead, now: number): string {
  if (!float) return 'never read';
  if (isStale(float, now)) return 'STALE';
  if (float.lowSince !== undefined) return 'LOW';
  if (history.distrust) return 'NO PRICE';
  return whyUnsold({ float, history }, now).length > 0 ? 'NOT SOLD' : 'OK';
}

/** Why the asset is not sold now. Empty if it is sold, even if only in small amounts. */
function whyUnsold({ float, history: { distrust } }: SaleRead, now: number): string[] {
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

/** How an asset is sold now. `why` has the reasons if it is not sold. */
export type Sale = SaleRead & { asset: Asset; state: string; why: string[] };

/** Reads how each asset is sold now. */
export function listSales({ floats, priceHistories, clock }: Desk): Promise<Sale[]> {
  return Promise.all(
    ASSET_NAMES.map(async (asset) => {
      const [float, history] = await Promise.all([
        floats.findFloat(asset),
        priceHistories.findHistory(asset),
      ]);
      const [read, now] = [{ float, history }, clock.now()];
      return { asset, ...read, state: saleState(read, now), why: whyUnsold(read, now) };
    }),
  );
}

/** The assets that are not sold, each with its reasons. */
export const unsoldIn = (sales: readonly Sale[]): [Asset, string][] =>
  sales.flatMap(({ asset, why }) => (why.length === 0 ? [] : [[asset, why.join('; ')]]));
