import type { IdentityHint, IdentityReview, LivenessCheck, LivenessLink } from './identity.ts';

type LivenessQuery = { clientId: string; livenessId: string; documentsSince?: number };

/** Verifies persons: documents and face once (an applicant), and liveness for one purchase (a check of the applicant). */
export type IdentityProvider = {
  /** The applicant of a client, made by the first call. The provider compares documents with `cpf`. */
  openApplicant(applicant: { clientId: string; cpf: string }): Promise<{ applicantId: string }>;
  findReview(clientId: string): Promise<IdentityReview | undefined>;
  /** A page where the client shows documents and face. */
  verificationLink(clientId: string, ttlSeconds: number): Promise<string>;
  /** Access to the provider's widget, which a partner embeds for this client. */
  widgetToken(clientId: string, ttlSeconds: number): Promise<string>;
  /** Opens the check `livenessId` of a client's applicant, or finds it; whom nobody has verified shows a document first. */
  livenessLink(check: { clientId: string; livenessId: string; ttlSeconds: number }): Promise<LivenessLink>;
  /**
   * Passed only by a client who is verified at that time. With `documentsSince`, a verification that ended later is
   * the check: the face was shown with the document. It is so for every purchase: the caller spends it on one.
   */
  findLiveness(check: LivenessQuery): Promise<LivenessCheck | undefined>;
  /** Whether the provider signed this very body; header names in lower case. Constant time. */
  isSigned(body: string, headers: Record<string, string | undefined>): Promise<boolean>;
  /** What a webhook's body names; undefined where it is not one of those that we act on. */
  readCallback(body: string): IdentityHint | undefined;
};
