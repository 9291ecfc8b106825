import type { ReviewHours } from '../review-hours.ts';
import { HOUR_MS } from '../time.ts';
import type { Candidate, IndexInUse } from './screening.ts';

type CaseFacts = {
  id: string;
  /**
   * Identifies the data of the client and of the entry that the decision is about: see `pairOf`. If the
   * client's data change, no decision holds any more. If the entry's data change, a clearance no longer
   * holds, but a confirmation does.
   */
  pair: string;
  clientId: string;
  partnerId: string;
  /** The token of the latest KYC record with this pair. The evidence of that record has the other facts. */
  token: string;
  candidate: Candidate;
  index: IndexInUse;
  /**
   * The status of the KYC record of `token` when the case was opened. `PENDING`: the client waits for the
   * decision. `REJECTED`: the entry has refused the client.
   */
  opened: 'PENDING' | 'REJECTED';
  openedAt: number;
};

/**
 * A refresh of the lists no longer found the entry on its list. `at` is when it noticed that, and `edition`
 * is the version of the edition in force at that time.
 */
export type EntryGone = { at: number; edition: string };

/**
 * A person's decision and its reason. Two decisions are the same if all four fields are equal, because nobody
 * decides twice in one millisecond.
 */
export type CaseDecision = {
  status: 'CLEARED' | 'CONFIRMED';
  decidedBy: string;
  decidedAt: number;
  reason: string;
  /** The wrong confirmation that this clearance takes back: docs/operations.md, "Review cases". */
  undone?: Omit<CaseDecision, 'undone'>;
};

/** The reviewer who shall decide the case, named by another person or by themselves. */
export type CaseAssignee = { to: string; by: string; at: number };

/**
 * A person has closed the case, because its entry has left the list. The closing neither clears nor confirms
 * the client.
 */
export type CaseClosing = Omit<CaseDecision, 'status'> & { status: 'CLOSED'; entryGone: EntryGone };

/**
 * `entryGone` is set if the entry has left the list. `closing` is set if the case was closed for that reason,
 * and a later search has found the entry again.
 */
export type OpenReviewCase = CaseFacts & {
  status: 'OPEN';
  entryGone?: EntryGone;
  closing?: CaseClosing;
  assigned?: CaseAssignee;
};
export type JudgedReviewCase = CaseFacts & CaseDecision;
type ClosedReviewCase = CaseFacts & CaseClosing;
export type DecidedReviewCase = JudgedReviewCase | ClosedReviewCase;

/**
 * The case of a client who resembles an entry of a list that refuses clients, or whom such an entry has
 * refused. A person must decide: docs/operations.md, "Review cases". A pair of a client and an entry has only
 * one case, however often searches find it.
 */
export type ReviewCase = OpenReviewCase | DecidedReviewCase;

type CaseStatus = ReviewCase['status'];

/**
 * For each decision, the statuses of a case in which a person may make it. A confirmation may replace a wrong
 * clearance. A clearance never replaces a confirmation, which only `reviews undo` takes back.
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
 * True if the stored case has exactly this decision. The answer to the write may be lost, or another person
 * may decide first. Only the stored case then shows whether this decision was saved.
 */
export function isDecidedSo(
  known: DecidedReviewCase,
  { status, decidedBy, decidedAt, reason }: CaseDecision | Omit<CaseClosing, 'entryGone'>,
): boolean {
  return (
    known.status === status &&
    known.decidedBy === decidedBy &&
    known.decidedAt === decidedAt &&
    known.reason === reason
  );
}

/**
 * The deadline of an open case. If the case was closed and has opened again, the time counts from the
 * closing.
 */
export function dueAtOf({ opened, openedAt, closing }: OpenReviewCase, hours: ReviewHours): number {
  return Math.max(openedAt, closing?.decidedAt ?? 0) + hours[opened] * HOUR_MS;
}

/** Sorts open cases by their deadlines. Those whose entry has left the list come last. */
export function byUrgency(cases: readonly OpenReviewCase[], hours: ReviewHours): OpenReviewCase[] {
  const order = (one: OpenReviewCase, other: OpenReviewCase) =>
    Number(isGone(one)) - Number(isGone(other)) || dueAtOf(one, hours) - dueAtOf(other, hours);
  return cases.toSorted(order);
}

export const isGone = ({ entryGone }: Pick<OpenReviewCase, 'entryGone'>): boolean => entryGone !== undefined;

/** The pairs (`pairOf`) of a client about which reviewers have decided. */
export type DecidedPairs = { clearedPairs?: string[]; confirmedPairs?: string[] };

/**
 * True if a person must still decide about one of the pairs. False if all pairs are cleared. Also false if
 * one pair is confirmed, because a confirmed pair refuses the client anyway.
 */
export function hasUndecidedPair(
  pairs: readonly string[],
  { clearedPairs = [], confirmedPairs = [] }: DecidedPairs,
) {
  const isRefused = pairs.some((pair) => confirmedPairs.includes(pair));
  return !isRefused && pairs.some((pair) => !clearedPairs.includes(pair));
}

const HASH_DIGITS = 16;

/**
 * Keyed hashes of the person and of the company that the search looked for: `KycFacts` in `kyc/kyc-facts.ts`.
 */
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
 * The text of a pair (`pairOf`) without the entry's version. It finds a confirmation again after the entry's
 * data have changed.
 */
function unversioned(pair: string): string {
  const [list, entryId, , client] = pair.split(' ');
  return [list, entryId, client].join(' ');
}

/**
 * Adds to each candidate the reviewer's decision about it. A confirmation outranks a clearance. If the
 * entry's data change, a confirmation stays valid, because the listed person is the same. A clearance does
 * not.
 *
 * `isUnnamed` is true for a candidate whose registry is silent. The pair is then unknown, and a clearance of the entry
 * holds for any name, because nobody is refused for silence. No such record is approved before the registry answers.
 */
export function withReviews(
  candidates: Candidate[],
  hashes: SearchedHashes,
  { clearedPairs = [], confirmedPairs = [] }: DecidedPairs,
  isUnnamed: (candidate: Candidate) => boolean = () => false,
): Candidate[] {
  const confirmed = confirmedPairs.map(unversioned);
  const isOfEntry = (pairs: string[], words: string[]) =>
    pairs.some((each) => each.startsWith(`${words.join(' ')} `));
  return candidates.map((candidate) => {
    const { list, entryId, entryVersion = '-' } = candidate;
    const pair = pairOf(hashes, candidate);
    if (confirmed.includes(unversioned(pair))) return { ...candidate, review: 'CONFIRMED' };
    const isCleared = isUnnamed(candidate)
      ? isOfEntry(clearedPairs, [list, entryId, entryVersion]) && !isOfEntry(confirmedPairs, [list, entryId])
      : clearedPairs.includes(pair);
    return isCleared ? { ...candidate, review: 'CLEARED' } : candidate;
  });
}
