import type { Needs } from '../domain/ports.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { driveDue } from '../entry/drive-due.ts';
import { schedule } from '../entry/schedule.ts';
import { openIfReturnStuck } from '../logic/money/money-cases.ts';
import { UNMATCHED_NEEDS, visitReturn } from '../logic/money/unmatched-payments.ts';

export const needs = [...UNMATCHED_NEEDS, 'dueReturns'] as const;

const BATCH = 100;
const AT_ONCE = 5;
const BUSY_MS = 30_000;

/**
 * Runs each minute. It visits every unmatched payment whose return is due, until the return is `REFUNDED`, or `FAILED`
 * and left to a person. A return that takes longer than a day becomes a case, but is still visited.
 */
export async function returnUnmatchedPayments(ports: Needs<typeof needs>) {
  const { unmatchedPayments, dueReturns, clock, log } = ports;
  const looked = await driveDue(dueReturns.listDue, {
    async look(id) {
      const payment = await unmatchedPayments.findUnmatched(id);
      if (!payment) return;
      await openIfReturnStuck(payment, ports);
      await visitReturn(payment, ports);
    },
    report: (id, error) => raiseOrWarn(log, 'ReturnVisitFailed', { error, fields: { endToEndId: id } }),
    batch: BATCH,
    atOnce: AT_ONCE,
    busyMs: BUSY_MS,
    clock,
  });
  return { looked };
}

export const handler = schedule({ needs }, returnUnmatchedPayments);
