import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';

async function limitsOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).chargeLimits;
}

describe('the charge limit of a client', () => {
  it.each(STAGES)('is one charge at once and R$ 50,000 a day in %s', async (stage) => {
    expect(await limitsOf({ stage })).toEqual({ openCharges: 1, dailyBrl: 50_000 });
  });

  it('follows the context', async () => {
    const chosen = { openCharges: 3, dailyBrl: 120_000 };

    expect(await limitsOf({ stage: 'production', chargeLimits: { production: chosen } })).toEqual(chosen);
  });

  it.each([
    ['left out', undefined, 'openCharges must be a whole number from 1 to 10'],
    ['no charge at all', { openCharges: 0, dailyBrl: 50_000 }, 'openCharges must be'],
    ['any number of charges', { openCharges: 1000, dailyBrl: 50_000 }, 'openCharges must be'],
    ['half a charge', { openCharges: 1.5, dailyBrl: 50_000 }, 'openCharges must be'],
    ['without a day’s amount', { openCharges: 1 }, 'dailyBrl must be whole BRL, 50 at least'],
    ['less than any purchase', { openCharges: 1, dailyBrl: 49 }, 'dailyBrl must be'],
    ['of centavos', { openCharges: 1, dailyBrl: 100.5 }, 'dailyBrl must be'],
    ['a text', { openCharges: 1, dailyBrl: '50000' }, 'dailyBrl must be'],
  ])('is not %s', async (_, production, words) => {
    const settings = limitsOf({ stage: 'production', chargeLimits: { production } });

    await expect(settings).rejects.toThrow(`chargeLimits of production: ${words}`);
  });
});
