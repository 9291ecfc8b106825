/**
 * Rules for searching the sanctions and PEP lists again after they have changed: docs/decisions.md,
 * "Screening again".
 */

import { type DecidedPairs, withReviews } from '../screening/review-case.ts';
import type { KycDecision } from './kyc.ts';
import { type ClientVerdict, higherTier, type KycRecord } from './kyc.ts';
import type { KycFacts } from './kyc-facts.ts';

/**
 * The change of a KYC record after the changed lists were searched. `RAISED`: the record gets a higher risk
 * tier. `HELD`: the record waits for a reviewer.
 */
export type RecordChange = 'NONE' | 'RAISED' | 'HELD' | 'REJECTED';

/** The facts of the last decision, with the result of the new search in place of the old one. */
export function factsWith(
  last: KycFacts,
  found: Pick<KycFacts, 'screening' | 'personHash' | 'companyHash' | 'effects'>,
): KycFacts {
  return { ...last, ...found };
}

/** The facts of the last decision, together with later decisions about the client. */
export function overruledFacts(
  { screening, personHash, companyHash, ...last }: KycFacts,
  { rejectedAt, rejectedFor, ...pairs }: ClientVerdict & DecidedPairs,
): KycFacts {
  const candidates = screening?.candidates ?? [];
  const reviewed =
    personHash === undefined ? candidates : withReviews(candidates, { personHash, companyHash }, pairs);
  return {
    ...last,
    personHash,
    companyHash,
    screening: screening && { ...screening, candidates: reviewed },
    overruledBy: { rejectedAt, rejectedFor },
  };
}

type NewDecision = { decision: KycDecision; openPairs: string[] };

/**
 * Computes the change of the record. `openPairs` are the pairs of an identity and a list entry that a
 * reviewer must decide now. If an entry was removed from a list, the tier stays. Only the client's next
 * submission can lower it.
 */
export function recordChangeOf(record: KycRecord, { decision, openPairs }: NewDecision): RecordChange {
  if (decision.status === 'REJECTED') return 'REJECTED';
  if (record.status === 'PENDING') return hasSamePairs(openPairs, record.openPairs) ? 'NONE' : 'HELD';
  if (openPairs.length > 0) return 'HELD';
  return higherTier(record.riskTier, decision.riskTier) === record.riskTier ? 'NONE' : 'RAISED';
}

function hasSamePairs(pairs: string[], others: string[]): boolean {
  return pairs.length === others.length && pairs.every((pair) => others.includes(pair));
}
