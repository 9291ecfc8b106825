import { expect, test } from 'vitest';
import { findingsIn } from '../../benchmarks/load-checks.ts';
import { runLoad } from '../../benchmarks/load-run.ts';
import type { FailureReason } from '../../functions/domain/purchase/return-reasons.ts';
import { aTransaction } from '../support/builders.ts';

const PURCHASES = 12;

test('twelve purchases at once all end, and purchases, chain, ledger and webhooks agree', async () => {
  const { findings, ends, failures, webhooks } = await runLoad({
    purchases: PURCHASES,
    atOnce: 8,
    say: () => undefined,
  });

  expect(findings).toEqual([]);
  expect(ends).toEqual({ COMPLETED: PURCHASES - 2, 'FAILED REFUNDED': 2 });
  expect(failures.map((line) => line.split(' ').slice(1).join(' ')).sort()).toEqual([
    'PAYER_MISMATCH',
    'SETTLEMENT_FAILED REVERTED REVERTED REVERTED REVERTED',
  ]);
  expect(webhooks.received).toBe(webhooks.events);
});

test('a purchase that fails is a finding, unless its client forces that very reason', () => {
  const purchase = aTransaction({
    status: 'FAILED',
    sequence: 0,
    failure: { reason: 'SETTLEMENT_FAILED' },
    refund: {
      status: 'REFUNDED',
      refundedAt: 1,
      endToEndId: 'E1',
      amountCentavos: 250_00,
      reason: 'SETTLEMENT_FAILED',
      tries: 1,
    },
  });
  const findingsFor = (failure?: FailureReason) =>
    findingsIn({
      buyers: [{ partnerId: 'acme', cpf: '1', wallet: '0x', transactionId: purchase.id, failure }],
      purchases: [purchase],
      events: [],
      postings: [],
      received: new Set(),
      balances: new Map(),
    });

  expect(findingsFor()).toEqual([`${purchase.id} ended with SETTLEMENT_FAILED, not none`]);
  expect(findingsFor('PAYER_MISMATCH')).toHaveLength(1);
  expect(findingsFor('SETTLEMENT_FAILED')).toEqual([]);
});
