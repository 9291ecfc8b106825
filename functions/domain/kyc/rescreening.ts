/** Screening again when the lists have changed: docs/decisions.md, "Screening again". */

import { type DecidedPairs, withReviews } from '../screening/review-case.ts';
import type { KycDecision } from './kyc.ts';
import { type ClientVerdict, higherTier, type KycRecord } from './kyc.ts';
import type { Facts } from './kyc-facts.ts';

/** What a new search does to a record. */
export type RecordChange = 'NONE' | 'RAISED' | 'HELD' | 'REJECTED';

/** What the record was decided upon, with another search in place of the one of then. */
export function factsWith(
  last: Facts,
  found: Pick<Facts, 'screening' | 'personHash' | 'companyHash' | 'effects'>,
): Facts {
  return { ...last, ...found };
}

/** What the record was decided upon, with what was decided about its client since. */
export function overruledFacts(
  { screening, personHash, companyHash, ...last }: Facts,
  { rejectedAt, rejectedFor, ...pairs }: ClientVerdict & DecidedPairs,
): Facts {
  const candidates = screening?.candidates ?? [];
  const reviewed =
    personHash === undefined ? candidates : withReviews(candidates, { personHash, companyHash }, pairs);
  return {
    ...{ ...last, personHash, companyHash, screening: screening && { ...screening, candidates: reviewed } },
    overruledBy: { rejectedAt, rejectedFor },
  };
}

type NewDecision = { decision: KycDecision; openPairs: string[] };

/**
 * `openPairs` are those that a person must decide about now. What has left the lists lowers no tier: the client's next
 * submission does.
 */
export function changeOf(
  record: Pick<KycRecord, 'status' | 'riskTier' | 'openPairs'>,
  { decision, openPairs }: NewDecision,
): RecordChange {
  if (decision.status === 'REJECTED') return 'REJECTED';
  if (record.status === 'PENDING') return isSame(openPairs, record.openPairs ?? []) ? 'NONE' : 'HELD';
  if (openPairs.length > 0) return 'HELD';
  return higherTier(record.riskTier, decision.riskTier) === record.riskTier ? 'NONE' : 'RAISED';
}

function isSame(pairs: string[], others: string[]): boolean {
  return pairs.length === others.length && pairs.every((pair) => others.includes(pair));
}
