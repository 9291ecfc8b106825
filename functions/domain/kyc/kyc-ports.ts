import type { DomainEvent } from '../partners/events.ts';
import type { OpenReviewCase } from '../screening/review-case.ts';
import type { ClientVerdict, KeptBiometric, KycOutcome, KycRecord } from './kyc.ts';
import type { KycEvidence } from './kyc-decision.ts';
import type { Facts } from './kyc-facts.ts';
import type { KycSource } from './kyc-reasons.ts';

/**
 * One use of a partner's KYC token: whose, a keyed hash of its id, and one of the request that it came with:
 * docs/decisions.md, "Partner KYC tokens (Model 2)".
 */
export type TokenUse = { partnerId: string; tokenIdHash: string; requestHash: string };

export type KycRecords = {
  findRecord(token: string): Promise<KycRecord | undefined>;
  /**
   * Put-if-absent, with the evidence, the use of a partner's token and the cases in the same write. The answer is the record that
   * is there now: that of an earlier try, or of an earlier request with the same use. Undefined: the partner's token
   * was used for another request, and nothing was written.
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

/** What keeps a record PENDING. */
export type StillOpen = {
  unanswered: KycSource[];
  openPairs: string[];
  screened?: Pick<KycRecord, 'identityCipher' | 'screenedWith'>;
  /** Where a person is asked anew: what they are asked upon. */
  evidence?: KycEvidence;
};

export type KycReviews = {
  /** Tokens of PENDING records past their `nextCheckAt`, oldest first; the index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Tokens of a client's PENDING records, newest first; the index may be stale. */
  listOfClient(clientId: string, limit: number): Promise<string[]>;
  /** Outcome, evidence and event. False: the record is no longer PENDING, and nothing was written. */
  settle(settlement: KycSettlement): Promise<boolean>;
  /** Plans the next look at a record that is still PENDING. */
  postpone(token: string, nextCheckAt: number, checks: number): Promise<void>;
  /** Notes what a record that is PENDING still waits for, and opens the cases of its pairs where there are none. */
  saveOpen(token: string, open: StillOpen, cases: OpenReviewCase[]): Promise<void>;
  /** The record's time is over: it stays as it is, and nobody looks at it any more. */
  abandon(token: string): Promise<void>;
};

/** Another decision about a record, after the lists have changed, as one write. */
export type KycRevision = {
  /** The record as it was read. */
  record: KycRecord;
  set: Partial<KycRecord>;
  evidence: KycEvidence;
  event?: DomainEvent;
  cases: OpenReviewCase[];
};

/** The place in the index where a page of records begins: the store's own. */
export type StalePage = { tokens: string[]; next?: Record<string, unknown> };

export type StaleRecords = {
  /**
   * Tokens of unrejected records that were searched for in an older index than `version`, those of the oldest first; the
   * index may be stale, and has expired ones until they are retired.
   */
  listStale(version: string, limit: number, from?: StalePage['next']): Promise<StalePage>;
  /** The record's time is over: it is not searched for again. */
  retire(token: string): Promise<void>;
};

export type KycRescreenings = {
  /** The facts that the record was last decided upon. */
  findFacts(record: KycRecord): Promise<{ facts: Facts; biometric: KeptBiometric } | undefined>;
  /** Notes that the record was searched for anew and nothing has changed. False: it is no longer as it was read. */
  keep(record: KycRecord, screenedWith: string): Promise<boolean>;
  /** False: the record is no longer as it was read, and nothing was written. */
  revise(revision: KycRevision): Promise<boolean>;
};

/** Clients whom a decision has refused, until their older tokens are refused too. The verdict itself makes them due. */
export type Overrulings = {
  /** Clients past their `nextCheckAt`, oldest first; the index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Tokens that were issued to a client in a time, newest first; the index may not have the newest yet. */
  listIssued(clientId: string, time: { from: number; until: number }): Promise<string[]>;
  /** Plans the next look at a client, unless it was refused anew since it was read. */
  postpone(client: RefusedClient, nextCheckAt: number, checks: number): Promise<void>;
  /** All of its tokens are refused: nobody looks at it any more, unless it was refused anew since it was read. */
  finish(client: RefusedClient): Promise<void>;
};

export type RefusedClient = { id: string } & Pick<ClientVerdict, 'rejectedAt'>;
