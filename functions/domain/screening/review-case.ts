import type { Candidate, IndexInUse } from './screening.ts';

type CaseFacts = {
  id: string;
  /**
   * Identifies the client's data and the entry's data that the decision is about: see `pairOf`. A clearance
   * no longer holds if the data of either change. A confirmation no longer holds if the client's data
   * change.
   */
  pair: string;
  clientId: string;
  partnerId: string;
  /** The token of the latest KYC record with this pair. The evidence of that record has the other facts. */
  token: string;
  candidate: Candidate;
  index: IndexInUse;
  /**
   * The status of the record of `token` when the case was opened: the client waits for the decision, or was
   * refused.
   */
  opened: 'PENDING' | 'REJECTED';
  openedAt: number;
};

/** The refresh that no longer found the entry on its list: its instant, and the version of its edition. */
export type EntryGone = { at: number; edition: string };

/**
 * A person's decision and its reason. All fields together identify it, because no one decides twice in one millisecond.
 */
export type CaseDecision = {
  status: 'CLEARED' | 'CONFIRMED';
  decidedBy: string;
  decidedAt: number;
  reason: string;
};

/** A person has closed the case, because its entry has left the list. It judges nobody. */
export type Closing = Omit<CaseDecision, 'status'> & { status: 'CLOSED'; entryGone: EntryGone };

/**
 * `entryGone` marks a case whose entry has left the list. `closing`: the case was closed for that, and a later search
 * has found the entry again.
 */
export type OpenReviewCase = CaseFacts & { status: 'OPEN'; entryGone?: EntryGone; closing?: Closing };
export type JudgedReviewCase = CaseFacts & CaseDecision;
export type ClosedReviewCase = CaseFacts & Closing;
export type DecidedReviewCase = JudgedReviewCase | ClosedReviewCase;

/**
 * The case of a client who resembles an entry of a list that refuses clients, or whom such an entry has
 * refused. A person must decide: docs/decisions.md, "Review cases". A pair of a client and an entry has only
 * one case, however often searches find it.
 */
export type ReviewCase = OpenReviewCase | DecidedReviewCase;

export type CaseStatus = ReviewCase['status'];

/**
 * From which statuses a person may decide. A confirmation may replace a wrong clearance, but a clearance never replaces
 * a confirmation.
 */
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

/**
 * True if the case holds exactly this decision. If the answer to the write was lost, or another person was
 * faster, only the stored case tells.
 */
export function isDecidedSo(
  known: DecidedReviewCase,
  { status, decidedBy, decidedAt, reason }: CaseDecision | Omit<Closing, 'entryGone'>,
): boolean {
  return (
    known.status === status &&
    known.decidedBy === decidedBy &&
    known.decidedAt === decidedAt &&
    known.reason === reason
  );
}

/** Sorts open cases: those whose entry has left the list come last. Otherwise the order stays. */
export function byUrgency<Each extends Pick<OpenReviewCase, 'entryGone'>>(cases: readonly Each[]): Each[] {
  return cases.toSorted((one, other) => Number(isGone(one)) - Number(isGone(other)));
}

export const isGone = ({ entryGone }: Pick<OpenReviewCase, 'entryGone'>): boolean => entryGone !== undefined;

/** The pairs of a client that reviewers have already decided. */
export type DecidedPairs = { clearedPairs?: string[]; confirmedPairs?: string[] };

/**
 * True if a person must still decide about one of the pairs. False if all are cleared. Also false if one is confirmed,
 * because a confirmed pair refuses the client.
 */
export function isUndecided(pairs: string[] = [], { clearedPairs = [], confirmedPairs = [] }: DecidedPairs) {
  const isRefused = pairs.some((pair) => confirmedPairs.includes(pair));
  return !isRefused && pairs.some((pair) => !clearedPairs.includes(pair));
}

const HASH_DIGITS = 16;

/** Keyed hashes of the person and the company that the search looked for: see `Facts`. */
export type SearchedHashes = { personHash: string; companyHash?: string };

/**
 * Identifies a pair: one person or company with the registry's data, and one entry with the list's data. If any of
 * these data change, it is another pair, and an earlier clearance does not cover it.
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
 * Adds to each candidate the reviewer's decision about it. A confirmation outranks a clearance. A
 * confirmation stays valid when the entry's data change, because the listed person is the same. A clearance
 * ends then.
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
