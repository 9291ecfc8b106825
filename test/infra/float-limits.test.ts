import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { ASSET_NAMES, type PerAsset } from '../../functions/domain/assets.ts';
import type { StageAsset } from '../../infra/assets.ts';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';

const { production: ROWS } = readContext().assets as { production: PerAsset<StageAsset> };
const stage = 'production';

async function limitsOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).floatLimits;
}

/** The context with other settings of USDC in production. */
const withUsdc = (changes: Record<string, unknown>) => ({
  stage,
  assets: { production: { ...ROWS, USDC: { ...ROWS.USDC, ...changes } } },
});

describe('the reserve of the treasury', () => {
  it.each(STAGES)('is chosen for each asset of %s', async (each) => {
    const limits = await limitsOf({ stage: each });

    for (const asset of ASSET_NAMES) expect(limits[asset]).toMatchObject({ largestPurchase: '15000' });
  });

  it('follows the context', async () => {
    const context = withUsdc({ reserve: '0.5', largestPurchase: '7', hourlyPayout: '8', walletCeiling: '9' });

    const limits = await limitsOf({ ...context, minimumGas: { production: '3' } });

    expect(limits.USDC).toEqual({
      reserve: '0.5',
      largestPurchase: '7',
      hourlyPayout: '8',
      walletCeiling: '9',
      minimumGas: '3',
    });
    expect(limits.USDT).toEqual({
      reserve: '10000',
      largestPurchase: '15000',
      hourlyPayout: '100000',
      walletCeiling: '200000',
      minimumGas: '3',
    });
  });

  it.each([
    ['no reserve', { reserve: undefined }],
    ['a reserve that is a number', { reserve: 1000 }],
    ['a negative reserve', { reserve: '-1' }],
    ['a reserve with more decimals than the asset has', { reserve: '0.0000001' }],
    ['no largest purchase', { largestPurchase: undefined }],
    ['a largest purchase that is no amount', { largestPurchase: 'much' }],
    ['no ceiling of a wallet', { walletCeiling: undefined }],
    ['no ceiling of an hour', { hourlyPayout: undefined }],
    ['a ceiling of an hour that is a number', { hourlyPayout: 1000 }],
  ])('is refused with %s', async (_, changes) => {
    await expect(limitsOf(withUsdc(changes))).rejects.toThrow(
      'USDC must have reserve, largestPurchase, hourlyPayout, walletCeiling, with at most 6 decimals',
    );
  });

  it('is refused with a ceiling of an hour below the largest purchase', async () => {
    await expect(limitsOf(withUsdc({ hourlyPayout: '14999.999999' }))).rejects.toThrow(
      'hourlyPayout of USDC is below largestPurchase',
    );
  });

  it('is refused with a ceiling of a wallet below the largest purchase and the reserve', async () => {
    expect(await limitsOf(withUsdc({ walletCeiling: '25000' }))).toMatchObject({
      USDC: { walletCeiling: '25000' },
    });
    await expect(limitsOf(withUsdc({ walletCeiling: '24999.999999' }))).rejects.toThrow(
      'walletCeiling of USDC is below largestPurchase and reserve together',
    );
  });

  it.each([undefined, 'much', '-1', 50])('is refused with the minimum gas %j', async (production) => {
    const limits = limitsOf({ stage, minimumGas: { production } });

    await expect(limits).rejects.toThrow('minimumGas of production must be a decimal text');
  });
});
