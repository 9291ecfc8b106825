import type { DomainEvent } from '../partners/events.ts';
import type { OpenReviewCase } from '../screening/review-case.ts';
import type { ClientVerdict, KeyedInputs, KycOutcome, KycRecord } from './kyc.ts';
import type { KycEvidence } from './kyc-decision.ts';
import type { KycFacts } from './kyc-facts.ts';
import type { KycSource } from './kyc-reasons.ts';

/**
 * The use of a partner's KYC token, with keyed hashes of the token's id and of the request: docs/decisions.md, "Partner
 * KYC tokens (Model 2)". `kid` is the name of the vendor's key that signed the token.
 */
export type TokenUse = { partnerId: string; kid: string; tokenIdHash: string; requestHash: string };

export type KycRecords = {
  findRecord(token: string): Promise<KycRecord | undefined>;
  /**
   * Writes a record together with its evidence, its review cases and the use of the partner's KYC token
   * (Model 2). If the record exists, nothing is written. Returns the record that exists now, which an
   * earlier request may have made. Undefined if the partner's token was used for another request: then
   * nothing is written either.
   */
  create(
    record: KycRecord,
    evidence: KycEvidence,
    beside?: { use?: TokenUse; cases?: OpenReviewCase[] },
  ): Promise<KycRecord | undefined>;
};

/**
 * The decision that ends the status PENDING of a record, and everything that is written together with it.
 */
export type KycSettlement = {
  token: string;
  outcome: KycOutcome;
  evidence: KycEvidence;
  event: DomainEvent;
  cases?: OpenReviewCase[];
  screened?: Pick<KycRecord, 'identityCipher' | 'screenedWith'>;
};

/** The questions because of which a record stays PENDING. */
type StillOpen = {
  unanswered: KycSource[];
  openPairs: string[];
  screened?: Pick<KycRecord, 'identityCipher' | 'screenedWith'>;
  /**
   * The evidence about pairs of an identity and a list entry that a reviewer must decide. Absent if no pair
   * is new.
   */
  evidence?: KycEvidence;
};

export type KycReviews = {
  /** The tokens of PENDING records whose `nextCheckAt` has passed, the oldest first. The index may lag by seconds. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** The tokens of a client's PENDING records, the newest first. The index may lag by seconds. */
  listOfClient(clientId: string, limit: number): Promise<string[]>;
  /** Writes outcome, evidence and event together. False if the record is no longer PENDING. Then nothing is written. */
  settle(settlement: KycSettlement): Promise<boolean>;
  /**
   * Sets when the service next tries to decide a record that stays PENDING, and how many times it has
   * tried.
   */
  postpone(token: string, nextCheckAt: number, checks: number): Promise<void>;
  /**
   * Saves the questions that keep a record PENDING. Opens a review case for each pair in `openPairs` that
   * has no case yet.
   */
  saveOpen(token: string, open: StillOpen, cases: OpenReviewCase[]): Promise<void>;
  /** Ends the tries to decide an expired record. The record's status stays as it is. */
  abandon(token: string): Promise<void>;
};

/**
 * A new decision about a record after the lists have changed, and everything that is written together with
 * it.
 */
export type KycRevision = {
  /** The record as it was read. */
  record: KycRecord;
  set: Partial<KycRecord>;
  evidence: KycEvidence;
  event?: DomainEvent;
  cases: OpenReviewCase[];
};

/** A page of records. `next` is where the next page begins, in a form that only the store knows. */
export type StalePage = { tokens: string[]; next?: Record<string, unknown> };

export type StaleRecords = {
  /**
   * Lists the tokens of KYC records that are not rejected, and whose last search used an older version of
   * the lists than `version`. The oldest search comes first. Expired records are listed until `retire` is
   * called. The table's index may lag by seconds.
   */
  listStale(version: string, limit: number, from?: StalePage['next']): Promise<StalePage>;
  /** Takes an expired record off the list of `listStale`, because it need not be searched again. */
  retire(token: string): Promise<void>;
};

export type KycRescreenings = {
  /** Finds the facts of the record's last decision, and the keyed hashes of its data. */
  findFacts(record: KycRecord): Promise<{ facts: KycFacts; inputs: KeyedInputs } | undefined>;
  /**
   * Records that a search in the changed lists has changed nothing. False if the record has changed since
   * it was read.
   */
  keep(record: KycRecord, screenedWith: string): Promise<boolean>;
  /** Writes the new decision. False if the record has changed since it was read. Then nothing is written. */
  revise(revision: KycRevision): Promise<boolean>;
};

/**
 * The clients whom a KYC decision has refused, while some of their older KYC tokens may not be refused yet.
 * `noteVerdict` adds a client.
 */
export type Overrulings = {
  /** The ids of clients whose `nextCheckAt` has passed, the oldest first. The index may lag by seconds. */
  listDue(now: number, limit: number): Promise<string[]>;
  /**
   * The KYC tokens that were issued to the client in this time, the newest first. The index may lack the
   * newest.
   */
  listIssued(clientId: string, time: { from: number; until: number }): Promise<string[]>;
  /**
   * Sets when the service next looks for older KYC tokens of the client. Nothing changes if the client was
   * refused again since it was read.
   */
  postpone(client: RefusedClient, nextCheckAt: number, checks: number): Promise<void>;
  /**
   * Ends the search for older KYC tokens, because all of them are refused. Nothing changes if the client
   * was refused again since it was read.
   */
  finish(client: RefusedClient): Promise<void>;
};

export type RefusedClient = { id: string } & Pick<ClientVerdict, 'rejectedAt'>;
