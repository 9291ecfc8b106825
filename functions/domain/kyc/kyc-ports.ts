import type { DomainEvent } from '../partners/events.ts';
import type { OpenReviewCase } from '../screening/review-case.ts';
import type { ClientVerdict, KeptInputs, KycOutcome, KycRecord } from './kyc.ts';
import type { KycEvidence } from './kyc-decision.ts';
import type { Facts } from './kyc-facts.ts';
import type { KycSource } from './kyc-reasons.ts';

/**
 * One use of a partner's KYC token, with keyed hashes of the token's id and of the request: docs/decisions.md,
 * "Partner KYC tokens (Model 2)".
 */
export type TokenUse = { partnerId: string; tokenIdHash: string; requestHash: string };

export type KycRecords = {
  findRecord(token: string): Promise<KycRecord | undefined>;
  /**
   * Put-if-absent, in one write with the evidence, the use of a partner's token and the cases. Returns the record that
   * is there now, from this try, an earlier try, or an earlier request with the same use. Undefined: the partner's
   * token was used for another request, and nothing was written.
   */
  create(
    record: KycRecord,
    evidence: KycEvidence,
    beside?: { use?: TokenUse; cases?: OpenReviewCase[] },
  ): Promise<KycRecord | undefined>;
};

/** A PENDING record's later outcome, as one write. */
export type KycSettlement = {
  token: string;
  outcome: KycOutcome;
  evidence: KycEvidence;
  event: DomainEvent;
  cases?: OpenReviewCase[];
  screened?: Pick<KycRecord, 'identityCipher' | 'screenedWith'>;
};

/** The questions that keep a record PENDING. */
export type StillOpen = {
  unanswered: KycSource[];
  openPairs: string[];
  screened?: Pick<KycRecord, 'identityCipher' | 'screenedWith'>;
  /** The evidence for the pairs that a reviewer must newly decide. Absent where no pair is new. */
  evidence?: KycEvidence;
};

export type KycReviews = {
  /** Tokens of PENDING records past their `nextCheckAt`, the oldest first. The index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Tokens of a client's PENDING records, the newest first. The index may be stale. */
  listOfClient(clientId: string, limit: number): Promise<string[]>;
  /** Writes outcome, evidence and event. False: the record is no longer PENDING, and nothing was written. */
  settle(settlement: KycSettlement): Promise<boolean>;
  /** Plans the next look at a record that is still PENDING. */
  postpone(token: string, nextCheckAt: number, checks: number): Promise<void>;
  /** Saves the open questions of a PENDING record, and opens the missing cases of its pairs. */
  saveOpen(token: string, open: StillOpen, cases: OpenReviewCase[]): Promise<void>;
  /** Ends the looks at an expired record. Its status stays. */
  abandon(token: string): Promise<void>;
};

/** Another decision about a record after the lists have changed, as one write. */
export type KycRevision = {
  /** The record as it was read. */
  record: KycRecord;
  set: Partial<KycRecord>;
  evidence: KycEvidence;
  event?: DomainEvent;
  cases: OpenReviewCase[];
};

/** A page of records. `next` is the store's own position in the index. */
export type StalePage = { tokens: string[]; next?: Record<string, unknown> };

export type StaleRecords = {
  /**
   * Tokens of records that are not rejected and were searched in an older index than `version`. The oldest index comes
   * first. The index of records may be stale, and it has expired records until they are retired.
   */
  listStale(version: string, limit: number, from?: StalePage['next']): Promise<StalePage>;
  /** Ends the searches for an expired record. */
  retire(token: string): Promise<void>;
};

export type KycRescreenings = {
  /** The facts of the record's last decision. */
  findFacts(record: KycRecord): Promise<{ facts: Facts; inputs: KeptInputs } | undefined>;
  /** Saves that a new search has changed nothing. False: the record is no longer as it was read. */
  keep(record: KycRecord, screenedWith: string): Promise<boolean>;
  /** False: the record is no longer as it was read, and nothing was written. */
  revise(revision: KycRevision): Promise<boolean>;
};

/** Clients whom a decision has refused, until their older tokens are refused too. Saving the verdict makes them due. */
export type Overrulings = {
  /** Clients past their `nextCheckAt`, the oldest first. The index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** A client's tokens of a period, the newest first. The index may lack the newest. */
  listIssued(clientId: string, time: { from: number; until: number }): Promise<string[]>;
  /** Plans the next look at a client, unless it was refused again since it was read. */
  postpone(client: RefusedClient, nextCheckAt: number, checks: number): Promise<void>;
  /** Ends the looks at a client whose tokens are all refused, unless it was refused again since it was read. */
  finish(client: RefusedClient): Promise<void>;
};

export type RefusedClient = { id: string } & Pick<ClientVerdict, 'rejectedAt'>;
