import { decimalOf, unitsOf } from './money.ts';

/**
 * The facts about an asset that are the same on every stage. The contract, its block list, the limits of
 * our stock and the price bounds differ between stages. `cdk.json` has these, and `infra/assets.ts` checks
 * them. To add an asset, see CONTRIBUTING.md, "Add an asset".
 */
type AssetDescription = {
  /**
   * The decimals of the token's contract: one token is 10^decimals base units.
   * `adapters/chain/preflight.ts` reads the contract's own number, and throws if the two differ.
   */
  decimals: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18;
  /**
   * The currency to which the token is pegged. The service sells an asset only if its price is near the
   * price of another asset of the same currency: `isConfirmed` in `treasury/price.ts`. The currency must be
   * the US dollar, because PTAX, the official price of a dollar, also bounds the price.
   */
  currency: 'USD';
  /** The name of the asset's market against BRL at Binance. */
  market: string;
};

/** The assets that we sell, by the name that partners use. */
export const ASSETS = {
  USDT: { decimals: 6, currency: 'USD', market: 'USDTBRL' },
  USDC: { decimals: 6, currency: 'USD', market: 'USDCBRL' },
} as const satisfies Record<string, AssetDescription>;

export type Asset = keyof typeof ASSETS;
export type PerAsset<Value> = Readonly<Record<Asset, Value>>;

export const ASSET_NAMES = Object.keys(ASSETS) as readonly Asset[];

/**
 * The function of a token's contract that tells whether the issuer blocks an address. `none`: the issuer
 * blocks nobody.
 */
export const BLOCK_LISTS = ['isBlackListed', 'isBlacklisted', 'isBlocked', 'none'] as const;
export type BlockList = (typeof BLOCK_LISTS)[number];

export function isAsset(text: string): text is Asset {
  return Object.hasOwn(ASSETS, text);
}

export function perAsset<Value>(make: (asset: Asset) => Value): PerAsset<Value> {
  const entries = ASSET_NAMES.map((asset) => [asset, make(asset)]);
  return Object.fromEntries(entries) as PerAsset<Value>;
}

/** Loads a value for each asset, all at the same time. Fails if one of them fails. */
export async function loadPerAsset<Value>(load: (asset: Asset) => Promise<Value>): Promise<PerAsset<Value>> {
  const entries = await Promise.all(ASSET_NAMES.map(async (asset) => [asset, await load(asset)] as const));
  return Object.fromEntries(entries) as PerAsset<Value>;
}

/** Base units as decimal text, with all decimals of the asset: 45566968 units of USDC are `45.566968`. */
export function assetAmountOf(asset: Asset, units: bigint): string {
  return decimalOf(units, ASSETS[asset].decimals);
}

/** Base units from decimal text. Throws if the text is not an amount, or has more decimals than the asset. */
export function requireAssetUnits(asset: Asset, text: string): bigint {
  const { decimals } = ASSETS[asset];
  const units = unitsOf(text, decimals);
  if (units === undefined) throw new Error(`${text} is no amount with ${decimals} decimals`);
  return units;
}
