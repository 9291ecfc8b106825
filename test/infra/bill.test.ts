import { describe, expect, it } from 'vitest';
import { billOf, plus, totalOf } from '../../benchmarks/bill.ts';
import { billedFor } from '../../benchmarks/counted-calls.ts';
import { fixedOf, resourcesIn } from '../../benchmarks/fixed-costs.ts';
import { PRICES, REGIONS } from '../../benchmarks/prices.ts';
import { synthesized } from './synthesized.ts';

const billed = (operation: string, { service = 'dynamodb', units = 0 } = {}) =>
  billedFor({ service, operation }, units);

describe('the billed units of a call', () => {
  it.each(['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query'])('are reads for %s', (operation) => {
    expect(billed(operation, { units: 0.5 })).toEqual({ readUnits: 0.5 });
  });

  it.each(['PutItem', 'UpdateItem', 'TransactWriteItems'])('are writes for %s', (operation) => {
    expect(billed(operation, { units: 8 })).toEqual({ writeUnits: 8 });
  });

  it('tell signatures from other requests of KMS', () => {
    expect(billed('Sign', { service: 'kms' })).toEqual({ signatures: 1 });
    expect(billed('Decrypt', { service: 'kms' })).toEqual({ keyRequests: 1 });
  });
});

describe('a bill', () => {
  it('multiplies counts by prices, the dearest first', () => {
    const lines = billOf({ lambdaRequests: 1000, transitions: 12_000 }, 'us-east-1');

    expect(lines.map(({ item }) => item)).toEqual(['transitions', 'lambdaRequests']);
    expect(totalOf(lines)).toBeCloseTo(0.3 + 0.0002);
  });

  it('adds counts of the same item', () => {
    expect(plus({ transitions: 1 }, { transitions: 2, traces: 1 }, 3)).toEqual({ transitions: 7, traces: 3 });
  });

  it('has a price of each item in each region', () => {
    for (const price of Object.values(PRICES))
      for (const region of REGIONS) expect(price[region]).toBeGreaterThan(0);
  });
});

describe('the fixed costs of a month in production', () => {
  it('count the stacks inside the service’s stack, with the most of the alarms', async () => {
    const { outdir, resources } = await synthesized('production');
    const { alarmMonths, keyMonths, dashboardMonths } = fixedOf(resourcesIn(outdir));

    expect(alarmMonths).toBeGreaterThanOrEqual(Object.keys(resources('AWS::CloudWatch::Alarm')).length);
    expect(keyMonths).toBe(Object.keys(resources('AWS::KMS::Key')).length);
    expect(dashboardMonths).toBe(1);
  });

  // docs/capacity.md, "The bill": the aim is US$ 25, and 2.80 of it are left for the schedules' calls.
  it('leave what the calls of the schedules may cost', async () => {
    const { outdir } = await synthesized('production');

    expect(totalOf(billOf(fixedOf(resourcesIn(outdir)), 'us-east-1'))).toBeLessThanOrEqual(25 - 2.8);
  });
});
