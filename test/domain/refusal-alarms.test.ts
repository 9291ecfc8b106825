import { expect, it } from 'vitest';
import { ALARMS } from '../../functions/domain/watching/alarms.ts';

// A single refusal is normal. A burst of one of these stops the sales of an asset, or of all.
it.each([
  ['PROMISES_EXHAUSTED', 'PromisesUsedUp', 10],
  ['PRICE_UNAVAILABLE', 'ManyPricesRefused', 20],
])('a burst of %s calls a person at any hour', (code, id, threshold) => {
  const source = { kind: 'OWN', name: 'Refusals', dimensions: { code }, statistic: 'Sum' };

  expect(ALARMS.find((alarm) => alarm.id === id)).toMatchObject({
    source,
    threshold,
    minutes: 5,
    urgency: 'NOW',
  });
});
