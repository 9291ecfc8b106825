/**
 * A person, with the data of the document that the identity provider has checked. `birthDate` is an ISO
 * date. `cpf` has 11 digits, and is absent if none could be read. `documentNumbers` has the printed number
 * of each document.
 */
export type DocumentHolder = { name: string; birthDate: string; cpf?: string; documentNumbers?: string[] };

/**
 * The provider's verification of a person's document and face. `REJECTED` is final. While the person may try again, the
 * provider says `PENDING`.
 */
export type IdentityReview = {
  applicantId: string;
  status: 'PENDING' | 'APPROVED' | 'REJECTED';
  /** The person whom the document names. Absent until the document was read. */
  holder?: DocumentHolder;
  /** `sha256:<hex>` of the biometric data, if the provider has it. It is never stored. */
  biometricHash?: string;
  /** Epoch milliseconds. Absent until the review has ended. */
  reviewedAt?: number;
};

/**
 * The state of one liveness check. `reviewedAt` is in epoch milliseconds, and absent until the check has ended. The
 * face was compared with the document of `holder`, whose review ended at `verifiedAt`.
 */
export type LivenessCheck = {
  status: 'PENDING' | 'PASSED' | 'FAILED';
  reviewedAt?: number;
  holder?: DocumentHolder;
  verifiedAt?: number;
  /**
   * When the review of the person's document and face ended. Present only if this review replaces the
   * liveness check, because it ended after `documentsSince` (`findLiveness`). A review is about the person
   * and not about one purchase, so the caller must use it up with `spendReview`.
   */
  personReviewedAt?: number;
};

/** A review that was used for one liveness attempt. */
export type SpentReview = { livenessId: string; reviewedAt: number };

/** The provider's page for one check. `withDocuments`: the client must also show a document there. */
export type LivenessLink = { url: string; withDocuments?: true };

/**
 * The client or the liveness check that a provider's callback is about. Anybody could forge a callback, so
 * the service asks the provider for the result.
 */
export type IdentityHint = { clientId?: string; livenessId?: string };

/** Spec, "Auth challenge": a liveness link is valid for 10 minutes. */
export const LIVENESS_LINK_MINUTES = 10;

/**
 * The present liveness attempt. Its page is valid until `urlExpiresAt`. `askedDocuments`: an earlier page of the
 * attempt asked for documents.
 */
export type Liveness = LivenessLink & { attempt: number; urlExpiresAt: number; askedDocuments?: true };

/** Whether a page of the attempt asked for documents. A review of the client's documents is then the check. */
export const hasAskedDocuments = (liveness: Liveness | undefined): boolean =>
  (liveness?.withDocuments ?? liveness?.askedDocuments) === true;

const ID_CHARACTERS = 26;

/**
 * The provider's id of one liveness attempt. It is made from the purchase's id and the number of the
 * attempt. A new attempt therefore never opens the failed one again.
 */
export function livenessIdOf(id: string, attempt: number): string {
  return `${id}-${attempt}`;
}

/** The purchase to which a liveness check belongs. */
export function transactionIdOf(livenessId: string): string {
  return livenessId.slice(0, ID_CHARACTERS);
}
