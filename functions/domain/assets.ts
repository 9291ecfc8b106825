import { decimalOf, unitsOf } from './money.ts';

/**
 * An asset as it is on every stage. Each stage has its own contract, block list, float and price bounds: these are in
 * `cdk.json`, and `infra/assets.ts` checks them. To add an asset: CONTRIBUTING.md, "Add an asset".
 */
type AssetDescription = {
  /** Decimals of the token's contract: one token is 10^decimals base units. The treasury checks it on the chain. */
  decimals: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18;
  /**
   * The currency that one token stands for. Assets of one currency confirm each other's price. PTAX bounds it, which is
   * the price of a US dollar: another currency needs another bound.
   */
  currency: 'USD';
  /** The exchange's market of the asset against BRL. */
  market: string;
};

/** The assets that we sell, by the symbol that partners write. */
export const ASSETS = {
  USDT: { decimals: 6, currency: 'USD', market: 'USDTBRL' },
  USDC: { decimals: 6, currency: 'USD', market: 'USDCBRL' },
} as const satisfies Record<string, AssetDescription>;

export type Asset = keyof typeof ASSETS;
export type PerAsset<Value> = Readonly<Record<Asset, Value>>;

export const ASSET_NAMES = Object.keys(ASSETS) as readonly Asset[];

/** The contract's function that tells whether its issuer blocks an address. `none`: the issuer blocks nobody. */
export const BLOCK_LISTS = ['isBlackListed', 'isBlacklisted', 'isBlocked', 'none'] as const;
export type BlockList = (typeof BLOCK_LISTS)[number];

export function isAsset(text: string): text is Asset {
  return Object.hasOwn(ASSETS, text);
}

export function perAsset<Value>(make: (asset: Asset) => Value): PerAsset<Value> {
  const entries = ASSET_NAMES.map((asset) => [asset, make(asset)]);
  return Object.fromEntries(entries) as PerAsset<Value>;
}

/** Loads a value for each asset at once. Rejects when one of them cannot be loaded. */
export async function loadPerAsset<Value>(load: (asset: Asset) => Promise<Value>): Promise<PerAsset<Value>> {
  const entries = await Promise.all(ASSET_NAMES.map(async (asset) => [asset, await load(asset)] as const));
  return Object.fromEntries(entries) as PerAsset<Value>;
}

/** Base units as a decimal text with all decimals of the asset: 45566968 units of USDC are `45.566968`. */
export function assetAmountOf(asset: Asset, units: bigint): string {
  return decimalOf(units, ASSETS[asset].decimals);
}

/** A decimal text as base units of the asset. Throws if it is no amount, or has more decimals than the asset. */
export function requireAssetUnits(asset: Asset, text: string): bigint {
  const { decimals } = ASSETS[asset];
  const units = unitsOf(text, decimals);
  if (units === undefined) throw new Error(`${text} is no amount with ${decimals} decimals`);
  return units;
}
