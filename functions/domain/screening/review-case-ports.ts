import type { CaseDecision, DecidedReviewCase, OpenReviewCase, ReviewCase } from './review-case.ts';

/** The store of review cases: docs/decisions.md, "Review cases". Only the operators' commands use it. */
export type ReviewCases = {
  findCase(id: string): Promise<ReviewCase | undefined>;
  /** Lists open cases in the order of opening. The index may lag, so the newest may be missing. */
  listOpen(): Promise<OpenReviewCase[]>;
  /** Lists decided cases in the order of decision. The index may lag, so the newest may be missing. */
  listDecided(): Promise<DecidedReviewCase[]>;
  /**
   * Saves a decision. The same write adds the pair to the client's decided pairs. It also makes the
   * client's newest KYC records that wait for the decision due at once. Returns the saved case. If another
   * person decided first, the returned case has that person's decision.
   */
  decide(id: string, decision: CaseDecision): Promise<DecidedReviewCase>;
};
