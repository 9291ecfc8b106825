import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';

async function limitsOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).keyLimits;
}

// docs/decisions.md, "API keys"
describe('the limits of keys that partners make', () => {
  it('are an hour after the news, and witnesses of a day, in production', async () => {
    const production = { delayMinutes: 60, witnessMinutes: 1440, mostDays: 90 };

    expect(await limitsOf({ stage: 'production' })).toEqual(production);
    expect((await limitsOf({ stage: 'sandbox' })).delayMinutes).toBeLessThan(60);
  });

  it.each([
    ['left out', undefined, 'delayMinutes must be 60 at least'],
    ['a shorter wait', { delayMinutes: 59, witnessMinutes: 1440, mostDays: 90 }, 'delayMinutes must be 60'],
    ['younger witnesses', { delayMinutes: 60, witnessMinutes: 59, mostDays: 90 }, 'witnessMinutes must not'],
    ['keys without an end', { delayMinutes: 60, witnessMinutes: 60 }, 'mostDays must be a whole number'],
    ['keys of years', { delayMinutes: 60, witnessMinutes: 60, mostDays: 366 }, 'mostDays must be'],
  ])('are not %s', async (_, production, words) => {
    const settings = limitsOf({ stage: 'production', keyLimits: { production } });

    await expect(settings).rejects.toThrow(`keyLimits of production: ${words}`);
  });
});
