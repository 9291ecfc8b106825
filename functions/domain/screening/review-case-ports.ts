import type { CaseDecision, ReviewCase } from './review-case.ts';

/** The reviewers' desk: docs/decisions.md, "Review cases". No function has it. */
export type ReviewCases = {
  findCase(id: string): Promise<ReviewCase | undefined>;
  /** OPEN ones, the oldest first; the newest may not be in the index yet. */
  listOpen(): Promise<ReviewCase[]>;
  /** CLEARED and CONFIRMED ones, those that were decided first at first; the newest may not be in the index yet. */
  listDecided(): Promise<ReviewCase[]>;
  /**
   * The decision, the client's mark and the next look at the records that wait for it, as one write. The answer is the
   * case as it is then: as somebody else has decided it, where that came first.
   */
  decide(id: string, decision: CaseDecision): Promise<ReviewCase>;
};
