import { expect, it } from 'vitest';
import { floatUnits } from '../../benchmarks/float-units.ts';

// docs/decisions.md, "Quotes and open promises"
it('a reservation costs the same write units beside 10 and beside 10,000 open ones', async () => {
  const [few, many] = [await floatUnits(10), await floatUnits(10_000)];

  expect({ ...many, open: few.open }).toEqual(few);
  expect(few).toEqual({ open: 10, reserve: 6, raise: 6, release: 6, read: 1 });
});
