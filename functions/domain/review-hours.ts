/**
 * The hours within which a person shall decide a review case, by the status of its KYC record when the case was opened.
 */
export type ReviewHours = Readonly<Record<'PENDING' | 'REJECTED', number>>;

/** A KYC token is valid for a day, so a slow reviewer costs the partner a client. */
export const REVIEW_HOURS: ReviewHours = { PENDING: 8, REJECTED: 24 };
