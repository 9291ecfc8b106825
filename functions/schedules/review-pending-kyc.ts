import type { Needs } from '../domain/ports.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { driveDue } from '../entry/drive-due.ts';
import { schedule } from '../entry/schedule.ts';
import { OVERRULE_NEEDS, overruleTokens } from '../logic/kyc/overrule.ts';
import { KYC_REVIEW_NEEDS, newReviewVisit, reviewRecord } from '../logic/kyc/review-pending.ts';

export const needs = [...KYC_REVIEW_NEEDS, ...OVERRULE_NEEDS, 'dueReviews'] as const;

const BATCH = 50;
const AT_ONCE = 10;
/**
 * How long a run begins new reviews, in real time. The function's time-out is much longer, so that a provider that
 * hangs does not cut a review short.
 */
const BUSY_MS = 20_000;

/**
 * Runs each minute. It refuses the older tokens of clients who were refused after these tokens were issued.
 * It also reviews PENDING records that are due, until they expire: docs/decisions.md,
 * "A provider is down".
 */
export async function reviewPendingKyc(ports: Needs<typeof needs>) {
  const limits = { batch: BATCH, atOnce: AT_ONCE, busyMs: BUSY_MS, clock: ports.clock };
  await driveDue(ports.overrulings.listDue, {
    look: (clientId) => overruleTokens(clientId, ports),
    report: (_clientId, error) => raiseOrWarn(ports.log, 'OverrulingFailed', { error }),
    ...limits,
  });
  const visit = newReviewVisit();
  const looked = await driveDue(ports.dueReviews.listDue, {
    look: (token) => reviewRecord(token, visit, ports),
    // The token is not logged, because a log must never contain one.
    report: (_token, error) => raiseOrWarn(ports.log, 'KycReviewFailed', { error }),
    ...limits,
  });
  return { looked };
}

export const handler = schedule({ needs }, reviewPendingKyc);
