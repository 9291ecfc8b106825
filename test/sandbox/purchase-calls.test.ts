import { beforeAll, expect, test } from 'vitest';
import { countPurchase } from '../../benchmarks/counted-purchase.ts';
import type { Counts } from '../../benchmarks/prices.ts';
import { CEILINGS } from '../../benchmarks/purchase-aims.ts';
import { deepestOf, type Purchase, paidToSent, transitionsOf } from '../../benchmarks/purchase-calls.ts';
import { depthOf } from '../../benchmarks/traced-call.ts';

let purchase: Purchase;
let counts: Counts;
beforeAll(async () => {
  ({ purchase, counts } = await countPurchase());
});

// docs/decisions.md, "Limits of a partner"
test.each(Object.entries(CEILINGS.depth))('%s makes at most %i calls in a row', (name, most) => {
  const visit = deepestOf(purchase).get(name);

  expect(visit?.calls).not.toHaveLength(0);
  expect(depthOf(visit?.calls ?? [])).toBeLessThanOrEqual(most);
});

test('a payment waits for a bounded number of calls in a row until its transfer is sent', () => {
  const inARow = paidToSent(purchase).reduce((sum, { calls }) => sum + depthOf(calls), 0);

  expect(inARow).toBeLessThanOrEqual(CEILINGS.paidToSent);
});

test('a purchase whose transfer is soon deep enough takes no retry', () => {
  expect(transitionsOf(purchase)).toBeLessThanOrEqual(CEILINGS.transitions);
});

test('a purchase takes a bounded number of write units', () => {
  expect(counts.writeUnits).toBeGreaterThan(100);
  expect(counts.writeUnits).toBeLessThanOrEqual(CEILINGS.writeUnits);
});
