/** A person as the document shows them that the identity provider has checked. `birthDate` is an ISO date. */
export type DocumentHolder = { name: string; birthDate: string };

/**
 * Where the provider's verification of a person's documents and face stands. `REJECTED` is final: where the person
 * may try again, the provider says `PENDING`.
 */
export type IdentityReview = {
  applicantId: string;
  status: 'PENDING' | 'APPROVED' | 'REJECTED';
  /** Who the document is of, once it has been read. */
  holder?: DocumentHolder;
};

/** Where one liveness check stands; `reviewedAt` in epoch milliseconds, once it has ended. */
export type LivenessCheck = { status: 'PENDING' | 'PASSED' | 'FAILED'; reviewedAt?: number };

/** What a provider's webhook suggests to look at. Nothing in it is proof: the provider is read again. */
export type IdentityHint = { clientId?: string; livenessId?: string };

/** Spec, "Auth challenge": a liveness link is valid for 10 minutes. */
export const LIVENESS_LINK_MINUTES = 10;

/** The present attempt at a liveness check, and the page that the client is sent to until `urlExpiresAt`. */
export type Liveness = { attempt: number; url: string; urlExpiresAt: number };

const ID_CHARACTERS = 26;

/** The provider's id of one attempt at a liveness check: it follows from the row, so that a failed one stays failed. */
export function livenessIdOf(id: string, attempt: number): string {
  return `${id}-${attempt}`;
}

/** Whose check it is. */
export function transactionIdOf(livenessId: string): string {
  return livenessId.slice(0, ID_CHARACTERS);
}
