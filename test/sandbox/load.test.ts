import { expect, test } from 'vitest';
import { runLoad } from '../../benchmarks/load-run.ts';

const PURCHASES = 30;

test('thirty purchases at once all end, and purchases, chain, ledger and webhooks agree', async () => {
  const { findings, ends, webhooks } = await runLoad({
    purchases: PURCHASES,
    atOnce: 8,
    say: () => undefined,
  });

  expect(findings).toEqual([]);
  expect(ends).toEqual({ COMPLETED: PURCHASES - 2, 'FAILED REFUNDED': 2 });
  expect(webhooks.received).toBe(webhooks.events);
});
