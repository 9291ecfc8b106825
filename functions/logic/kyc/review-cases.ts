import type { KycDecision, KycRecord } from '../../domain/kyc/kyc.ts';
import type { KycFacts } from '../../domain/kyc/kyc-facts.ts';
import type { Log, Needs } from '../../domain/ports.ts';
import { type OpenReviewCase, pairOf } from '../../domain/screening/review-case.ts';
import { type Candidate, hitsOf, reviewsOf } from '../../domain/screening/screening.ts';

const CASE_NEEDS = ['lookup', 'clock'] as const;
type Ports = Pick<Needs<typeof CASE_NEEDS>, 'lookup' | 'clock'>;

const ID_DIGITS = 16;

/**
 * The review cases that a KYC decision opens. If the client must wait, a case opens for each list entry that
 * a reviewer must compare with the client. If an entry has refused the client, a case opens for that entry.
 */
export async function reviewCasesOf(
  { token, clientId, partnerId }: Pick<KycRecord, 'token' | 'clientId' | 'partnerId'>,
  { facts, decision }: { facts: KycFacts; decision: KycDecision },
  { lookup, clock }: Ports,
): Promise<OpenReviewCase[]> {
  const { screening, personHash, companyHash } = facts;
  if (!screening?.index || personHash === undefined) return [];
  const { index } = screening;
  const opened = decision.status === 'REJECTED' ? 'REJECTED' : 'PENDING';
  return Promise.all(
    candidatesOf(facts, decision).map(async (candidate) => {
      const pair = pairOf({ personHash, companyHash }, candidate);
      const id = (await lookup.fingerprint(`case ${clientId} ${pair}`)).slice(0, ID_DIGITS);
      const openedAt = clock.now();
      return { id, pair, clientId, partnerId, token, candidate, index, opened, status: 'OPEN', openedAt };
    }),
  );
}

/** Counts the cases of a decision in a metric, after the decision was written. */
export function reportHits(cases: readonly OpenReviewCase[], log: Pick<Log, 'measure'>): void {
  const [first] = cases;
  if (first) log.measure('ScreeningHits', cases.length, { status: first.opened });
}

function candidatesOf({ screening, effects }: KycFacts, { status, reason }: KycDecision): Candidate[] {
  const candidates = screening?.candidates ?? [];
  if (status === 'PENDING') return reviewsOf(candidates, effects);
  if (reason !== 'SANCTIONS_HIT') return [];
  // If a reviewer has already confirmed that the list entry names the client, no new case is needed.
  return hitsOf(candidates, effects)
    .filter(({ effect, review }) => effect === 'REJECT' && !review)
    .map(({ effect: _, ...candidate }) => candidate);
}

/** The pairs of client and list entry that a reviewer must decide before the record can leave PENDING. */
export function openPairsOf({ screening, personHash, companyHash, effects }: KycFacts): string[] {
  if (personHash === undefined) return [];
  return reviewsOf(screening?.candidates ?? [], effects).map((each) =>
    pairOf({ personHash, companyHash }, each),
  );
}
