import type { IdentityHint, IdentityReview, LivenessCheck, LivenessLink } from './identity.ts';

type ApplicantQuery = { clientId: string; cpf: string; isNew?: boolean };
type LivenessLinkQuery = {
  clientId: string;
  livenessId: string;
  ttlSeconds: number;
  returnAddress?: string;
};
type LivenessQuery = { clientId: string; livenessId: string; documentsSince?: number };

/**
 * The identity provider. Its `applicant` is a person who shows documents and face once. A liveness check of that person
 * shows the face again, for one purchase.
 */
export type IdentityProvider = {
  /**
   * Finds or creates the applicant of a client, and returns the applicant's review. The provider compares
   * the document with `cpf`. `isNew` skips the search, because a new client most likely has no applicant.
   */
  openApplicant(applicant: ApplicantQuery): Promise<IdentityReview>;
  findReview(clientId: string): Promise<IdentityReview | undefined>;
  /** The address of the provider's page where the client shows document and face. */
  verificationLink(clientId: string, ttlSeconds: number): Promise<string>;
  /** A token for the provider's widget, which a partner shows to this client on its own page. */
  widgetToken(clientId: string, ttlSeconds: number): Promise<string>;
  /**
   * Finds the check `livenessId` of a client, or opens it. A client who is not verified yet shows a document first. At
   * the end, the provider's page leads to `returnAddress`.
   */
  livenessLink(check: LivenessLinkQuery): Promise<LivenessLink>;
  /**
   * The state of a liveness check. It has passed only if the client's document review is approved when this
   * call reads it. With `documentsSince`, a document review that ended after this instant is accepted as
   * the check, because the client showed the face with the document. A review belongs to no single
   * purchase, so the caller uses up the review for one purchase (`spendReview`).
   */
  findLiveness(check: LivenessQuery): Promise<LivenessCheck | undefined>;
  /**
   * Whether the provider has signed exactly this body. Header names are in lower case. The comparison takes the same
   * time for every signature.
   */
  isSigned(body: string, headers: Record<string, string | undefined>): Promise<boolean>;
  /**
   * The client or the liveness check that a callback's body is about. Undefined if the service ignores
   * callbacks of this kind.
   */
  readCallback(body: string): IdentityHint | undefined;
};
