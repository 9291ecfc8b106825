import type { Candidate, IndexInUse } from './screening.ts';

type CaseFacts = {
  id: string;
  /** The subject of the decision, and the time for which it holds: see `pairOf`. */
  pair: string;
  clientId: string;
  partnerId: string;
  /** The latest KYC record with this pair. Its evidence has the rest. */
  token: string;
  candidate: Candidate;
  index: IndexInUse;
  /** Status of that record: the client waits for the decision, or was refused. */
  opened: 'PENDING' | 'REJECTED';
  openedAt: number;
};

/** A person's decision and its reason. Together they identify it: nobody decides twice in one millisecond. */
export type CaseDecision = {
  status: 'CLEARED' | 'CONFIRMED';
  decidedBy: string;
  decidedAt: number;
  reason: string;
};

export type OpenReviewCase = CaseFacts & { status: 'OPEN' };
export type DecidedReviewCase = CaseFacts & CaseDecision;

/**
 * A client who is close to an entry of a list that refuses, or was refused for it. A person must decide:
 * docs/decisions.md, "Review cases". One pair of a client and an entry is one case, however often it is found.
 */
export type ReviewCase = OpenReviewCase | DecidedReviewCase;

export type CaseStatus = ReviewCase['status'];

/** A confirmation overrules a wrong clearance. A confirmation stays. */
export const DECIDED_FROM: Record<CaseDecision['status'], readonly CaseStatus[]> = {
  CLEARED: ['OPEN'],
  CONFIRMED: ['OPEN', 'CLEARED'],
};

export function isDecided(known: ReviewCase): known is DecidedReviewCase {
  return known.status !== 'OPEN';
}

export function isDecidable({ status }: Pick<ReviewCase, 'status'>, to: CaseDecision['status']): boolean {
  return DECIDED_FROM[to].includes(status);
}

/** True if this very decision made the case what it is. After a lost answer or a race, nothing else shows it. */
export function isDecidedSo(
  known: DecidedReviewCase,
  { status, decidedBy, decidedAt, reason }: CaseDecision,
): boolean {
  return (
    known.status === status &&
    known.decidedBy === decidedBy &&
    known.decidedAt === decidedAt &&
    known.reason === reason
  );
}

/** Earlier decisions about a client's pairs. */
export type DecidedPairs = { clearedPairs?: string[]; confirmedPairs?: string[] };

/**
 * True if a person must still decide about one of the pairs. False if all are cleared or if one is confirmed, because
 * a confirmed pair refuses the client.
 */
export function isUndecided(pairs: string[] = [], { clearedPairs = [], confirmedPairs = [] }: DecidedPairs) {
  const isRefused = pairs.some((pair) => confirmedPairs.includes(pair));
  return !isRefused && pairs.some((pair) => !clearedPairs.includes(pair));
}

const HASH_DIGITS = 16;

/** Keyed hashes of the person and the company that were searched for: see `Facts`. */
export type SearchedHashes = { personHash: string; companyHash?: string };

/**
 * Identifies one person or company with the registry's data, and one entry with the list's data. If either changes, it
 * is another pair, and an earlier clearance does not cover it.
 */
export function pairOf(
  { personHash, companyHash = personHash }: SearchedHashes,
  { list, entryId, entryVersion, of }: Candidate,
): string {
  const hash = of === 'COMPANY' ? companyHash : personHash;
  return [list, entryId, entryVersion ?? '-', hash.slice(0, HASH_DIGITS)].join(' ');
}

/**
 * The text of a pair (`pairOf`) without the entry's version. A confirmation stays valid when the entry's data change.
 */
function unversioned(pair: string): string {
  const [list, entryId, , client] = pair.split(' ');
  return [list, entryId, client].join(' ');
}

/**
 * Adds to each candidate the decision of a reviewer about it. A confirmation outranks a clearance. It also stays valid
 * when the entry's data change, because the listed person is the same. A clearance does not.
 */
export function withReviews(
  candidates: Candidate[],
  hashes: SearchedHashes,
  { clearedPairs = [], confirmedPairs = [] }: DecidedPairs,
): Candidate[] {
  const confirmed = confirmedPairs.map(unversioned);
  return candidates.map((candidate) => {
    const pair = pairOf(hashes, candidate);
    if (confirmed.includes(unversioned(pair))) return { ...candidate, review: 'CONFIRMED' };
    return clearedPairs.includes(pair) ? { ...candidate, review: 'CLEARED' } : candidate;
  });
}
