import type { Candidate, IndexInUse } from './screening.ts';

/**
 * A client who came close to somebody on a list that refuses, or was refused for it, waiting for a person to look:
 * docs/decisions.md, "Review cases". One client and one entry are one case, however often they meet.
 */
export type ReviewCase = {
  id: string;
  /** See `pairOf`: what the decision is about, and how long it holds. */
  pair: string;
  clientId: string;
  partnerId: string;
  /** The latest KYC record that the pair was found for; its evidence has the rest. */
  token: string;
  candidate: Candidate;
  index: IndexInUse;
  /** Whether the client waits for the decision with that record, or was refused. */
  opened: 'PENDING' | 'REJECTED';
  status: 'OPEN' | 'CLEARED' | 'CONFIRMED';
  openedAt: number;
  decidedBy?: string;
  decidedAt?: number;
  reason?: string;
};

export type CaseStatus = ReviewCase['status'];

/** What a person decided, and why. Together they name one decision: nobody decides twice in one millisecond. */
export type CaseDecision = {
  status: Exclude<CaseStatus, 'OPEN'>;
  decidedBy: string;
  decidedAt: number;
  reason: string;
};

/** A clearance that was wrong is overruled by a confirmation; a confirmation stays. */
export const DECIDED_FROM: Record<CaseDecision['status'], readonly CaseStatus[]> = {
  CLEARED: ['OPEN'],
  CONFIRMED: ['OPEN', 'CLEARED'],
};

export function isDecidable({ status }: Pick<ReviewCase, 'status'>, to: CaseDecision['status']): boolean {
  return DECIDED_FROM[to].includes(status);
}

/** Whether the case stands as this very decision left it: after a lost answer, or after a race, only that tells. */
export function isDecidedSo(
  known: ReviewCase,
  { status, decidedBy, decidedAt, reason }: CaseDecision,
): boolean {
  return (
    known.status === status &&
    known.decidedBy === decidedBy &&
    known.decidedAt === decidedAt &&
    known.reason === reason
  );
}

/** What was decided about a client's pairs before. */
export type DecidedPairs = { clearedPairs?: string[]; confirmedPairs?: string[] };

/** Whether one of the pairs has not been looked at yet, and none makes that needless. */
export function isUndecided(pairs: string[] = [], { clearedPairs = [], confirmedPairs = [] }: DecidedPairs) {
  const isRefused = pairs.some((pair) => confirmedPairs.includes(pair));
  return !isRefused && pairs.some((pair) => !clearedPairs.includes(pair));
}

const HASH_DIGITS = 16;

/** Keyed hashes of the person that the lists were searched for, and of the company: see `Facts`. */
export type SearchedHashes = { personHash: string; companyHash?: string };

/**
 * Names one person or company, as the registry knows them, and one entry, as the list has it: where either changes it is
 * another pair, and an earlier clearance says nothing of it.
 */
export function pairOf(
  { personHash, companyHash = personHash }: SearchedHashes,
  { list, entryId, entryVersion, of }: Candidate,
): string {
  const hash = of === 'COMPANY' ? companyHash : personHash;
  return [list, entryId, entryVersion ?? '-', hash.slice(0, HASH_DIGITS)].join(' ');
}

/** A pair without the version of the entry. */
function unversioned(pair: string): string {
  const [list, entryId, , client] = pair.split(' ');
  return [list, entryId, client].join(' ');
}

/**
 * The candidates, each with what a person has decided about it. A confirmation outlives a clearance, and a change of
 * the entry's data: it is the same listed person. A clearance does not outlive either.
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
