import type {
  CaseAssignee,
  CaseClosing,
  CaseDecision,
  DecidedReviewCase,
  EntryGone,
  OpenReviewCase,
  ReviewCase,
} from './review-case.ts';

/** A period in epoch milliseconds: decisions at `since` or later, and before `until`. */
export type DecidedIn = { since: number; until: number };
/** The newest decided cases of the period. `isCut`: there were too many, so the older ones were left out. */
export type DecidedCases = { cases: DecidedReviewCase[]; isCut: boolean };

/**
 * The store of review cases: docs/operations.md, "Review cases". Only the operators' commands and the
 * console use it.
 */
export type ReviewCases = {
  findCase(id: string): Promise<ReviewCase | undefined>;
  /**
   * Lists open cases in the order of opening. DynamoDB updates the index of cases late, so the newest case
   * may be missing for some seconds.
   */
  listOpen(): Promise<OpenReviewCase[]>;
  /**
   * Lists the cases that were decided in a period, the newest first. DynamoDB updates the index of cases
   * late, so the newest decision may be missing for some seconds.
   */
  listDecided(period: DecidedIn): Promise<DecidedCases>;
  /** Lists the decided cases of a client, the newest first. */
  listDecidedOf(clientId: string): Promise<DecidedReviewCase[]>;
  /**
   * Saves a decision, and adds the case's `pair` to the client's `DecidedPairs` in the same write. That write
   * also makes the client's newest KYC records that wait for the decision due at once for the schedule
   * `ReviewPendingKyc`. Returns the saved case. If another person decided first, the returned case has that
   * person's decision.
   */
  decide(id: string, decision: CaseDecision): Promise<DecidedReviewCase>;
  /**
   * Takes a confirmation back. The pair moves from the client's confirmed pairs to the cleared ones, and the client's
   * older tokens stay refused. If the confirmation is no longer the latest decision, nothing changes. Returns the
   * stored case.
   */
  undo(id: string, decision: UndoDecision): Promise<ReviewCase>;
  /**
   * Assigns an open case to a person, or to nobody, and returns the saved case. If another person has changed the
   * assignment `was`, or has decided, the case stays as it is.
   */
  assign(id: string, change: { was?: CaseAssignee; now?: CaseAssignee }): Promise<ReviewCase>;
  /**
   * Closes an open case whose entry has left its list. Any other case stays as it is. Returns the stored
   * case.
   */
  close(id: string, closing: Omit<CaseClosing, 'entryGone'>): Promise<ReviewCase>;
};

/** A clearance, with the confirmation that it takes back. */
export type UndoDecision = CaseDecision & { status: 'CLEARED'; undone: CaseDecision };

/** Sets and removes `entryGone`, the mark of an open case whose entry has left its list. */
export type CaseMarks = {
  listOpen(): Promise<OpenReviewCase[]>;
  /** Sets `entryGone`, or removes it if `gone` is undefined. A case that is no longer open stays as it is. */
  mark(id: string, gone: EntryGone | undefined): Promise<void>;
};
