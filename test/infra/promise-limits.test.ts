import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';

const DEFAULTS = { clientBrl: 50_000, walletBrl: 100_000, partnerBrl: 500_000, assetBrl: 1_000_000 };

async function limitsOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).promiseLimits;
}

// docs/decisions.md, "Quotes and open promises"
describe('the largest sums of open promises', () => {
  it.each(STAGES)('are those of docs/security.md in %s', async (stage) => {
    expect(await limitsOf({ stage })).toEqual(DEFAULTS);
  });

  it.each([
    ['left out', undefined, 'client'],
    ['without one of them', { ...DEFAULTS, assetBrl: undefined }, 'asset'],
    ['less than the largest purchase', { ...DEFAULTS, walletBrl: 49_999 }, 'wallet'],
    ['of centavos', { ...DEFAULTS, partnerBrl: 500_000.5 }, 'partner'],
    ['texts', { ...DEFAULTS, partnerBrl: '500000' }, 'partner'],
  ])('are not %s', async (_, production, scope) => {
    const settings = limitsOf({ stage: 'production', promiseLimits: { production } });

    await expect(settings).rejects.toThrow(
      `promiseLimits of production: ${scope}Brl must be whole BRL, 50000 at least`,
    );
  });
});
