import { ASSET_NAMES, type PerAsset, perAsset } from '../assets.ts';
import type { PriceBounds } from './order-book.ts';

/**
 * The price bounds as a function's environment variable holds them. The bounds that all assets share are
 * written once, because Lambda allows 4 KB of variables.
 */
type PackedBounds = { shared: Partial<PriceBounds>; own: PerAsset<Partial<PriceBounds>> };

export function packBounds(bounds: PerAsset<PriceBounds>): PackedBounds {
  const [first] = ASSET_NAMES.map((asset) => bounds[asset]);
  const isShared = (name: string) =>
    ASSET_NAMES.every(
      (asset) => bounds[asset][name as keyof PriceBounds] === first?.[name as keyof PriceBounds],
    );
  const part = (all: Partial<PriceBounds>, isWanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isWanted(name)));
  return {
    shared: part(first ?? {}, isShared),
    own: perAsset((asset) => part(bounds[asset], (name) => !isShared(name))),
  };
}

export const unpackBounds = ({ shared, own }: PackedBounds): PerAsset<PriceBounds> =>
  perAsset((asset) => ({ ...shared, ...own[asset] }) as PriceBounds);
