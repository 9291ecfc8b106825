/** What KYC needs of the outside to remember and to believe; the rules are those of `ports.ts`. */
import type { DomainEvent } from './events.ts';
import type { KycOutcome, KycRecord, KycSource } from './kyc.ts';
import type { Judged, PublicJwk } from './partner-token.ts';
import type { Evidence } from './screening.ts';

/**
 * One use of a partner's KYC token: whose, a keyed hash of its id, and one of the request that it came with:
 * docs/decisions.md, "A partner's token is good for one request".
 */
export type TokenUse = { partnerId: string; tokenIdHash: string; requestHash: string };

export type KycRecords = {
  findRecord(token: string): Promise<KycRecord | undefined>;
  /**
   * Put-if-absent, with the evidence and the use of a partner's token in the same write. The answer is the record that
   * is there now: that of an earlier try, or of an earlier request with the same use. Undefined: the partner's token
   * was used for another request, and nothing was written.
   */
  create(record: KycRecord, evidence: Evidence, use?: TokenUse): Promise<KycRecord | undefined>;
};

/** A PENDING record's later outcome, as one write. */
export type KycSettlement = { token: string; outcome: KycOutcome; evidence: Evidence; event: DomainEvent };

export type KycReviews = {
  /** Tokens of PENDING records past their `nextCheckAt`, oldest first; the index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Tokens of a client's PENDING records, newest first; the index may be stale. */
  listOfClient(clientId: string, limit: number): Promise<string[]>;
  /** Outcome, evidence and event. False: the record is no longer PENDING, and nothing was written. */
  settle(settlement: KycSettlement): Promise<boolean>;
  /** Plans the next look at a record that is still PENDING. */
  postpone(token: string, nextCheckAt: number, checks: number): Promise<void>;
  /** Notes who has still not answered about the client of a record that is PENDING. */
  saveUnanswered(token: string, unanswered: KycSource[]): Promise<void>;
  /** The record's time is over: it stays as it is, and nobody looks at it any more. */
  abandon(token: string): Promise<void>;
};

/** Opens the KYC tokens of partners: form and signature. What the claims say is judged by the domain. */
export type PartnerTokens = {
  /** The claims of a token that the named one of `keys` signed. A token that is bad is an answer, not an error. */
  open(token: string, keys: readonly PublicJwk[]): Promise<Judged<{ claims: unknown }>>;
};
