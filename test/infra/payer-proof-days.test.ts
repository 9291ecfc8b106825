import { App } from 'aws-cdk-lib/core';
import { expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';

async function daysOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).payerProofDays;
}

it('lets a proof of the payer be valid for a quarter in production', async () => {
  expect(await daysOf({ stage: 'production' })).toBe(90);
});

it.each([[undefined], [0], [1.5], [366], ['90'], [null]])(
  'refuses %j as the days of a proof',
  async (production) => {
    await expect(daysOf({ stage: 'production', payerProofDays: { production } })).rejects.toThrow(
      'payerProofDays of production must be a whole number of days, from 1 to 365',
    );
  },
);
