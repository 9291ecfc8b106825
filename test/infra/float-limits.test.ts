import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';

const GOOD = { reserve: { USDT: '10000', USDC: '0.5' }, minimumGas: '50', largestPurchase: '15000' };

async function limitsOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).floatLimits;
}

describe('what a deployment keeps back', () => {
  it.each(STAGES)('is chosen for %s', async (stage) => {
    expect(await limitsOf({ stage })).toMatchObject({ largestPurchase: '15000' });
  });

  it('is what the context says', async () => {
    expect(await limitsOf({ stage: 'production', floatLimits: { production: GOOD } })).toEqual(GOOD);
  });

  it.each([
    ['nothing', undefined],
    ['no reserve', { ...GOOD, reserve: undefined }],
    ['a reserve of one asset', { ...GOOD, reserve: { USDT: '1' } }],
    ['gas that is no amount', { ...GOOD, minimumGas: 'much' }],
    ['less than nothing', { ...GOOD, minimumGas: '-1' }],
    ['no largest purchase', { ...GOOD, largestPurchase: undefined }],
  ])('is not %s', async (_, production) => {
    const settings = limitsOf({ stage: 'production', floatLimits: { production } });

    await expect(settings).rejects.toThrow('floatLimits of production must be decimals');
  });
});
