/**
 * A person according to the document that the identity provider has checked. `birthDate` is an ISO date. `cpf` is 11
 * digits, if the document has one that could be read. `documentNumbers` are as printed, of each document with one.
 */
export type DocumentHolder = { name: string; birthDate: string; cpf?: string; documentNumbers?: string[] };

/**
 * The state of the provider's verification of a person's document and face. `REJECTED` is final. If the person may try
 * again, the provider says `PENDING`.
 */
export type IdentityReview = {
  applicantId: string;
  status: 'PENDING' | 'APPROVED' | 'REJECTED';
  /** The person of the document, once it has been read. */
  holder?: DocumentHolder;
  /** `sha256:<hex>` of the biometric data, if the provider has one. Never stored. */
  biometricHash?: string;
  /** Epoch milliseconds; absent until it has ended. */
  reviewedAt?: number;
};

/**
 * The state of one liveness check. `reviewedAt` is in epoch milliseconds; absent until it has ended. The face was
 * compared with the document of `holder`, whose review ended at `verifiedAt`.
 */
export type LivenessCheck = {
  status: 'PENDING' | 'PASSED' | 'FAILED';
  reviewedAt?: number;
  holder?: DocumentHolder;
  verifiedAt?: number;
  /** The end of a review of the person, if that review is the check. It belongs to no purchase alone. */
  personReviewedAt?: number;
};

/** The review that passed one attempt. */
export type SpentReview = { livenessId: string; reviewedAt: number };

/** A page for one check. A client who is not verified yet also shows a document there. */
export type LivenessLink = { url: string; withDocuments?: true };

/** The subject of a provider's webhook. It proves nothing: the provider is read again. */
export type IdentityHint = { clientId?: string; livenessId?: string };

/** Spec, "Auth challenge": a liveness link is valid for 10 minutes. */
export const LIVENESS_LINK_MINUTES = 10;

/** The present attempt at a liveness check. Its page is valid until `urlExpiresAt`. */
export type Liveness = LivenessLink & { attempt: number; urlExpiresAt: number };

const ID_CHARACTERS = 26;

/** The provider's id of one attempt at a liveness check. It follows from the row, so a failed attempt stays failed. */
export function livenessIdOf(id: string, attempt: number): string {
  return `${id}-${attempt}`;
}

/** The transaction of a check. */
export function transactionIdOf(livenessId: string): string {
  return livenessId.slice(0, ID_CHARACTERS);
}
