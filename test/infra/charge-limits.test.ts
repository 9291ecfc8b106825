import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, limitsFrom } from '../../functions/domain/purchase/charge-limits.ts';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';

async function limitsOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return limitsFrom((await readSettings(app.node)).chargeLimits);
}

describe('the charge limits of a stage', () => {
  it.each(STAGES)('are the defaults in %s', async (stage) => {
    expect(await limitsOf({ stage })).toEqual(DEFAULT_LIMITS);
  });

  it('have the changes of the context, and the defaults otherwise', async () => {
    const production = { tiers: { PEP: { dailyBrl: 1_000 } }, firstDays: { days: 0 } };

    expect(await limitsOf({ stage: 'production', chargeLimits: { production } })).toEqual({
      ...DEFAULT_LIMITS,
      tiers: { ...DEFAULT_LIMITS.tiers, PEP: { ...DEFAULT_LIMITS.tiers.PEP, dailyBrl: 1_000 } },
      firstDays: { ...DEFAULT_LIMITS.firstDays, days: 0 },
    });
  });

  it.each([
    ['no charge at all', { tiers: { HIGH: { openCharges: 0 } } }, 'HIGH: openCharges must be'],
    ['less than any purchase', { everywhere: { dailyBrl: 49 } }, 'everywhere: dailyBrl must be'],
    ['a text', { tiers: { HIGH: { yearlyBrl: '50000' } } }, 'HIGH: yearlyBrl must be'],
    ['half a day', { afterMed: { days: 0.5 } }, 'afterMed: days must be'],
    ['a mistyped cap', { tiers: { HIGH: { dayBrl: 50 } } }, 'HIGH: nothing is called dayBrl'],
    ['a mistyped tier', { tiers: { LOW: { dailyBrl: 50 } } }, 'nothing is called LOW'],
    ['the setting of before', { openCharges: 1, dailyBrl: 50_000 }, 'nothing is called openCharges'],
  ])('are not %s', async (_, production, words) => {
    const settings = limitsOf({ stage: 'production', chargeLimits: { production } });

    await expect(settings).rejects.toThrow(`chargeLimits of production`);
    await expect(settings).rejects.toThrow(words);
  });
});
