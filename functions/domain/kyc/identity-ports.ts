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
 * Verifies persons. An applicant shows documents and face once. A check of the applicant shows the face for one
 * purchase.
 */
export type IdentityProvider = {
  /**
   * The applicant of a client, with its review. The first call makes it. The provider compares the document with `cpf`.
   * `isNew` saves a look for an applicant that is most likely not there.
   */
  openApplicant(applicant: ApplicantQuery): Promise<IdentityReview>;
  findReview(clientId: string): Promise<IdentityReview | undefined>;
  /** The address of a page where the client shows document and face. */
  verificationLink(clientId: string, ttlSeconds: number): Promise<string>;
  /** Access to the provider's widget, which a partner embeds for this client. */
  widgetToken(clientId: string, ttlSeconds: number): Promise<string>;
  /**
   * Opens or finds the check `livenessId` of a client's applicant. A client who is not verified yet shows a document
   * first. At the end the page leads to `returnAddress`.
   */
  livenessLink(check: LivenessLinkQuery): Promise<LivenessLink>;
  /**
   * Passed only if the client is verified at that time. With `documentsSince`, a verification that ended later is the
   * check, because the face was shown with the document. It counts for every purchase, so the caller spends it on one.
   */
  findLiveness(check: LivenessQuery): Promise<LivenessCheck | undefined>;
  /** True if the provider signed this very body. Header names are in lower case. Constant time. */
  isSigned(body: string, headers: Record<string, string | undefined>): Promise<boolean>;
  /** The subject of a webhook's body; undefined if the service does not act on it. */
  readCallback(body: string): IdentityHint | undefined;
};
