import type { Node } from 'constructs';
import type { ChainToken } from '../functions/adapters/chain/chain.ts';
import {
  ASSETS,
  BLOCK_LISTS,
  isAsset,
  type PerAsset,
  perAsset,
  requireAssetUnits,
} from '../functions/domain/assets.ts';
import { GAS_DECIMALS, RATE_DECIMALS, unitsOf } from '../functions/domain/money.ts';
import type { FloatLimits } from '../functions/domain/treasury/liquidity.ts';
import type { PriceBounds } from '../functions/domain/treasury/order-book.ts';
import type { Stage } from './stage.ts';

/**
 * The settings of one asset on a stage: its row in `assets` of `cdk.json`. Amounts are decimal strings, in tokens or in
 * BRL per token. The sandbox deploys its own contracts, so it has neither `contract` nor `blockList`.
 */
export type StageAsset = {
  /** The address of the token's contract on the stage's chain. */
  contract: string;
  blockList: ChainToken['blockList'];
  reserve: string;
  largestPurchase: string;
  hourlyPayout: string;
  walletCeiling: string;
  lowestPrice: string;
  highestPrice: string;
};
/** A row of `cdk.json`, not checked yet. */
type WrittenRow = Partial<Record<keyof StageAsset, unknown>>;
type Rows = Partial<Record<string, WrittenRow>>;

/**
 * Reads the contract and the block list of each asset. Throws if one is missing or malformed. With a wrong block list,
 * wallets that the issuer has frozen would be paid. With a wrong contract, another token would be sent.
 */
export function tokensOf(stage: Stage, node: Node): PerAsset<ChainToken> {
  const rows = assetRows(stage, node);
  return perAsset((asset) => {
    const { contract, blockList } = rows[asset] ?? {};
    if (!/^0x[0-9a-fA-F]{40}$/.test(String(contract)))
      refuseAssets(stage, `${asset} must have its contract's address, not ${String(contract)}`);
    const known = BLOCK_LISTS.find((each) => each === blockList);
    return {
      address: contract as string,
      blockList: known ?? refuseAssets(stage, `${asset} must name its blockList: ${BLOCK_LISTS.join(', ')}`),
    };
  });
}

const FLOAT_AMOUNTS = ['reserve', 'largestPurchase', 'hourlyPayout', 'walletCeiling'] as const;

/**
 * Reads the limits of the treasury. Throws if one is missing or malformed. A missing reserve would count as no reserve,
 * and a wrong one would be noticed only when the treasury is empty.
 */
export function floatLimitsOf(stage: Stage, node: Node): PerAsset<FloatLimits> {
  const rows = assetRows(stage, node);
  const minimumGas = contextOf<unknown>('minimumGas', stage, node);
  if (!isDecimal(minimumGas, GAS_DECIMALS)) throw new Error(`minimumGas of ${stage} must be a decimal text`);
  return perAsset((asset) => {
    const { decimals } = ASSETS[asset];
    const amounts = FLOAT_AMOUNTS.map((name) => [name, rows[asset]?.[name]] as const);
    if (!amounts.every(([, amount]) => isDecimal(amount, decimals)))
      refuseAssets(
        stage,
        `${asset} must have ${FLOAT_AMOUNTS.join(', ')}, with at most ${decimals} decimals`,
      );
    const limits = { ...(Object.fromEntries(amounts) as FloatLimits), minimumGas };
    const unitsOf = (name: (typeof FLOAT_AMOUNTS)[number]) => requireAssetUnits(asset, limits[name]);
    // A purchase above `hourlyPayout` could be sold, but never paid out.
    if (unitsOf('hourlyPayout') < unitsOf('largestPurchase'))
      refuseAssets(stage, `hourlyPayout of ${asset} is below largestPurchase`);
    // A wallet that can pay the largest purchase beside the reserve would always raise the alarm.
    if (unitsOf('walletCeiling') < unitsOf('largestPurchase') + unitsOf('reserve'))
      refuseAssets(stage, `walletCeiling of ${asset} is below largestPurchase and reserve together`);
    return limits;
  });
}

/**
 * The settings that limit how far prices may be apart, in basis points (10,000 are 100 %). Each applies to
 * every asset of the stage.
 */
const SHARES = [
  'gapBasisPoints',
  'disagreementBasisPoints',
  'venuesBasisPoints',
  'moveBasisPoints',
  'ptaxBasisPoints',
] as const;
type Shares = Pick<PriceBounds, (typeof SHARES)[number]>;
const MOST_BASIS_POINTS = 2_000;
/**
 * The most that `ptaxDays` may be. The service asks the Central Bank only for the last ten days, and no run of holidays
 * is longer.
 */
const MOST_PTAX_DAYS = 10;

/**
 * Reads the price bounds. Throws where one is missing or malformed, because without bounds one false price could sell
 * the treasury.
 */
export function priceBoundsOf(stage: Stage, node: Node): PerAsset<PriceBounds> {
  const rows = assetRows(stage, node);
  const shares = priceShares(stage, node);
  const ptaxDays = ptaxDaysOf(stage, node);
  return perAsset((asset) => {
    const { lowestPrice: lowest, highestPrice: highest } = rows[asset] ?? {};
    if (!isDecimal(lowest, RATE_DECIMALS) || !isDecimal(highest, RATE_DECIMALS))
      refuseAssets(stage, `${asset} must have lowestPrice and highestPrice in BRL per token, as "5.43"`);
    if (!(0 < Number(lowest) && Number(lowest) < Number(highest)))
      refuseAssets(stage, `lowestPrice of ${asset} must be above zero and below highestPrice`);
    return { lowest, highest, ...shares, ptaxDays };
  });
}

function priceShares(stage: Stage, node: Node): Shares {
  const bounds = contextOf<Partial<Shares>>('priceBounds', stage, node);
  const entries = SHARES.map((name) => {
    const share = bounds?.[name] ?? Number.NaN;
    if (!Number.isInteger(share) || share < 1 || share > MOST_BASIS_POINTS)
      throw new Error(
        `priceBounds of ${stage}: ${name} must be a whole number from 1 to 2000, which is 20 %`,
      );
    return [name, share];
  });
  return Object.fromEntries(entries) as Shares;
}

function ptaxDaysOf(stage: Stage, node: Node): number {
  const days = contextOf<Partial<PriceBounds>>('priceBounds', stage, node)?.ptaxDays ?? Number.NaN;
  if (Number.isInteger(days) && days >= 1 && days <= MOST_PTAX_DAYS) return days;
  throw new Error(`priceBounds of ${stage}: ptaxDays must be a whole number from 1 to ${MOST_PTAX_DAYS}`);
}

/**
 * Reads the rows of the assets. Throws if a row names an asset that the product does not sell, because that must be a
 * typing error.
 */
function assetRows(stage: Stage, node: Node): Rows {
  const rows = contextOf<Rows>('assets', stage, node) ?? {};
  const unknown = Object.keys(rows).find((name) => !isAsset(name));
  if (unknown !== undefined) refuseAssets(stage, `${unknown} is not in functions/domain/assets.ts`);
  return rows;
}

function contextOf<Value>(name: string, stage: Stage, node: Node): Value | undefined {
  return (node.tryGetContext(name) as Partial<Record<Stage, Value>> | undefined)?.[stage];
}

const isDecimal = (text: unknown, decimals: number): text is string =>
  typeof text === 'string' && unitsOf(text, decimals) !== undefined;

function refuseAssets(stage: Stage, reason: string): never {
  throw new Error(`assets of ${stage} in cdk.json: ${reason}`);
}
