import type { CaseDecision, DecidedReviewCase, OpenReviewCase, ReviewCase } from './review-case.ts';

/** The reviewers' desk: docs/decisions.md, "Review cases". Only operations has it. */
export type ReviewCases = {
  findCase(id: string): Promise<ReviewCase | undefined>;
  /** In the order of opening. The newest may not be in the index yet. */
  listOpen(): Promise<OpenReviewCase[]>;
  /** In the order of decision. The newest may not be in the index yet. */
  listDecided(): Promise<DecidedReviewCase[]>;
  /**
   * Saves in one write the decision, the client's mark, and the next look at the records that wait for it. Returns
   * the case as it is then. If another person decided first, the case has that person's decision.
   */
  decide(id: string, decision: CaseDecision): Promise<DecidedReviewCase>;
};
