import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { type PerAsset, perAsset } from '../../functions/domain/assets.ts';
import { packBounds, unpackBounds } from '../../functions/domain/treasury/packed-bounds.ts';
import type { StageAsset } from '../../infra/assets.ts';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';

const SHARES = {
  gapBasisPoints: 500,
  disagreementBasisPoints: 200,
  venuesBasisPoints: 150,
  moveBasisPoints: 500,
  ptaxBasisPoints: 1000,
  ptaxDays: 7,
};
const { production: ROWS } = readContext().assets as { production: PerAsset<StageAsset> };
const stage = 'production';

async function boundsOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).priceBounds;
}

/** The context with other settings of USDC in production. */
const withUsdc = (changes: Record<string, unknown>) => ({
  stage,
  assets: { production: { ...ROWS, USDC: { ...ROWS.USDC, ...changes } } },
});

describe('an accepted price', () => {
  it.each(STAGES)(
    'is within 2 to 20 BRL, 2 %% of another asset, 1.5 %% of another exchange, 5 %% of an hour and 10 %% of PTAX in %s',
    async (each) => {
      const bounds = perAsset(() => ({ lowest: '2', highest: '20', ...SHARES }));

      expect(await boundsOf({ stage: each })).toEqual(bounds);
    },
  );

  it('has the bounds of its asset and of its stage', async () => {
    const context = withUsdc({ lowestPrice: '3', highestPrice: '20.5' });
    const shares = { ...SHARES, gapBasisPoints: 1 };

    const bounds = await boundsOf({ ...context, priceBounds: { production: shares } });

    expect(bounds.USDC).toEqual({ lowest: '3', highest: '20.5', ...shares });
    expect(bounds.USDT).toEqual({ lowest: '2', highest: '20', ...shares });
  });

  it('reaches the functions with every bound of each asset', () => {
    const all = perAsset((asset) => ({ lowest: '2', highest: asset === 'USDC' ? '19' : '20', ...SHARES }));
    const packed = packBounds(all);

    expect(packed.own).toEqual({ USDT: { highest: '20' }, USDC: { highest: '19' } });
    expect(unpackBounds(packed)).toEqual(all);
  });

  it.each([
    ['no lowest price', { lowestPrice: undefined }, 'USDC must have lowestPrice and highestPrice in BRL'],
    ['a number that JSON may round', { lowestPrice: 2 }, 'USDC must have lowestPrice'],
    ['a negative price', { lowestPrice: '-2' }, 'USDC must have lowestPrice'],
    ['a lowest price of zero', { lowestPrice: '0' }, 'lowestPrice of USDC must be above zero'],
    ['bounds in the wrong order', { lowestPrice: '21' }, 'lowestPrice of USDC must be above zero'],
    ['no highest price', { highestPrice: 'any' }, 'USDC must have lowestPrice and highestPrice'],
  ])('is never configured with %s', async (_, changes, words) => {
    await expect(boundsOf(withUsdc(changes))).rejects.toThrow(words);
  });

  it.each([
    ['without a bound on its move', { moveBasisPoints: undefined }, 'moveBasisPoints must be a whole'],
    ['with a bound of 100 %', { moveBasisPoints: 10_000 }, 'from 1 to 2000, which is 20 %'],
    ['with a share of a point', { disagreementBasisPoints: 0.02 }, 'disagreementBasisPoints must be'],
    ['without a bound by PTAX', { ptaxBasisPoints: undefined }, 'ptaxBasisPoints must be a whole'],
    ['with a PTAX of any age', { ptaxDays: undefined }, 'ptaxDays must be a whole number from 1 to 10'],
    ['with a PTAX of the month', { ptaxDays: 30 }, 'ptaxDays must be a whole number from 1 to 10'],
    ['with a gap of text', { gapBasisPoints: '500' }, 'gapBasisPoints must be a whole number'],
  ])('is never configured %s', async (_, changes, words) => {
    const settings = boundsOf({ stage, priceBounds: { production: { ...SHARES, ...changes } } });

    await expect(settings).rejects.toThrow(words);
  });
});
