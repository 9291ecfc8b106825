import type {
  CaseDecision,
  Closing,
  DecidedReviewCase,
  EntryGone,
  OpenReviewCase,
  ReviewCase,
} from './review-case.ts';

/** The decisions from `since` to before `until`. */
export type DecidedIn = { since: number; until: number };
/** The newest cases. `isCut` is true if older ones of the period were left out. */
export type DecidedCases = { cases: DecidedReviewCase[]; isCut: boolean };

/** The store of review cases: docs/decisions.md, "Review cases". Only the operators' commands use it. */
export type ReviewCases = {
  findCase(id: string): Promise<ReviewCase | undefined>;
  /** Lists open cases in the order of opening. The index may lag, so the newest may be missing. */
  listOpen(): Promise<OpenReviewCase[]>;
  /** Lists the cases that were decided in a period, the newest first. The index may lag. */
  listDecided(period: DecidedIn): Promise<DecidedCases>;
  /** Lists the decided cases of a client, the newest first. */
  listDecidedOf(clientId: string): Promise<DecidedReviewCase[]>;
  /**
   * Saves a decision. The same write adds the pair to the client's decided pairs. It also makes the
   * client's newest KYC records that wait for the decision due at once. Returns the saved case. If another
   * person decided first, the returned case has that person's decision.
   */
  decide(id: string, decision: CaseDecision): Promise<DecidedReviewCase>;
  /** Closes an open case whose entry has left its list, and returns the saved case. It changes no other case. */
  close(id: string, closing: Omit<Closing, 'entryGone'>): Promise<ReviewCase>;
};

/** Marks the open cases whose entries have left their lists. */
export type CaseMarks = {
  listOpen(): Promise<OpenReviewCase[]>;
  /** Marks the case, or takes its mark away. A case that is no longer open stays as it is. */
  mark(id: string, gone: EntryGone | undefined): Promise<void>;
};
