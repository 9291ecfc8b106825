/**
 * A person as the document shows them that the identity provider has checked. `birthDate` is an ISO date; `cpf` is 11
 * digits, where the document has one that could be read.
 */
export type DocumentHolder = { name: string; birthDate: string; cpf?: string };

/**
 * Where the provider's verification of a person's documents and face stands. `REJECTED` is final: where the person
 * may try again, the provider says `PENDING`.
 */
export type IdentityReview = {
  applicantId: string;
  status: 'PENDING' | 'APPROVED' | 'REJECTED';
  /** Who the document is of, once it has been read. */
  holder?: DocumentHolder;
  /** `sha256:<hex>` of the biometric data, where the provider holds one. Never stored. */
  biometricHash?: string;
  /** Epoch milliseconds, once it has ended. */
  reviewedAt?: number;
};

/**
 * Where one liveness check stands; `reviewedAt` in epoch milliseconds, once it has ended. A face proves whose document
 * it was compared with: the `holder`, whose review ended at `verifiedAt`.
 */
export type LivenessCheck = {
  status: 'PENDING' | 'PASSED' | 'FAILED';
  reviewedAt?: number;
  holder?: DocumentHolder;
  verifiedAt?: number;
  /** Where a review of the person is the check: when that ended. No purchase has it for itself. */
  personReviewedAt?: number;
};

/** A review of the person that one attempt was passed by. */
export type SpentReview = { livenessId: string; reviewedAt: number };

/** A page for one check. Whom the provider has not verified shows a document there besides the face. */
export type LivenessLink = { url: string; withDocuments?: true };

/** What a provider's webhook suggests to look at. Nothing in it is proof: the provider is read again. */
export type IdentityHint = { clientId?: string; livenessId?: string };

/** Spec, "Auth challenge": a liveness link is valid for 10 minutes. */
export const LIVENESS_LINK_MINUTES = 10;

/** The present attempt at a liveness check, and the page that the client is sent to until `urlExpiresAt`. */
export type Liveness = LivenessLink & { attempt: number; urlExpiresAt: number };

const ID_CHARACTERS = 26;

/** The provider's id of one attempt at a liveness check: it follows from the row, so that a failed one stays failed. */
export function livenessIdOf(id: string, attempt: number): string {
  return `${id}-${attempt}`;
}

/** Whose check it is. */
export function transactionIdOf(livenessId: string): string {
  return livenessId.slice(0, ID_CHARACTERS);
}
