import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';

async function quotaOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).registryQuota;
}

// docs/decisions.md, "Limits of a partner"
describe('the quota of paid look-ups', () => {
  it('is 2,000 a day for each partner in production', async () => {
    expect(await quotaOf({ stage: 'production' })).toBe(2_000);
  });

  it.each([undefined, null, 0, -1, 1.5, 'many', 1_000_001])('is never %s', async (production) => {
    await expect(quotaOf({ stage: 'production', registryQuota: { production } })).rejects.toThrow(
      'registryQuota of production must be a whole number of look-ups a day, from 1 to 1000000',
    );
  });
});
