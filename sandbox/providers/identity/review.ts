import { randomBytes } from 'node:crypto';

export type Answer = 'GREEN' | 'RED';
/** `RETRY`: a refused person may try again. */
export type RejectType = 'FINAL' | 'RETRY';

/** The review of a person or of an action. Times are epoch milliseconds. */
export type Review = {
  reviewId: string;
  /** The id of the current attempt. The webhook about the attempt has the same id. */
  attemptId: string;
  attempt: number;
  levelName: string;
  createdAt: number;
  /**
   * When the review ends or has ended. Absent while the person has not shown documents or a face, and while
   * `isHeld` is set.
   */
  endsAt?: number;
  answer?: Answer;
  rejectType?: RejectType;
  /**
   * True if the review had already ended when the service submitted the person. The simulator sends no
   * webhook about it.
   */
  silent?: true;
  /** True while the review of a scenario waits until the service has answered the client's submission. */
  isHeld?: true;
};

export type Outcome = { answer: Answer; rejectType?: RejectType; endsAt: number };

export function openReview(levelName: string, createdAt: number, outcome?: Outcome): Review {
  return { reviewId: shortId(), attemptId: shortId(), attempt: 1, levelName, createdAt, ...outcome };
}

/**
 * Ends a review now. If the current attempt has already ended, a new attempt begins and ends at once. The
 * webhook about the earlier attempt is still sent, because it has an id of its own.
 */
export function endReview(review: Review, outcome: Outcome): Review {
  const { silent: _, rejectType: __, isHeld: ___, ...rest } = review;
  const again = isEnded(review, outcome.endsAt) && {
    attemptId: shortId(),
    attempt: review.attempt + 1,
  };
  return { ...rest, ...again, ...outcome };
}

export function isEnded(review: Review, now: number): review is Review & { endsAt: number } {
  return review.endsAt !== undefined && review.endsAt <= now;
}

/** True if the review has ended and the person may not try again. `RETRY` lets the person try again. */
export const isClosed = (review: Review, now: number) =>
  isEnded(review, now) && review.rejectType !== 'RETRY';

export function statusOf(review: Review, now: number): 'init' | 'pending' | 'completed' {
  if (isEnded(review, now)) return 'completed';
  return review.endsAt === undefined ? 'init' : 'pending';
}

/** The field `reviewResult`, as in Sumsub's API and webhooks. */
export function resultOf({ answer, rejectType }: Review) {
  if (answer !== 'RED') return { reviewAnswer: answer };
  return {
    moderationComment: 'Refused in the sandbox.',
    clientComment: 'Refused in the sandbox.',
    reviewAnswer: answer,
    rejectLabels: ['FRAUDULENT_PATTERNS'],
    reviewRejectType: rejectType ?? 'FINAL',
  };
}

/** The field `review` of an applicant and of an action. */
export function renderReview(review: Review, now: number) {
  const { reviewId, attemptId, attempt, levelName, createdAt } = review;
  return {
    reviewId,
    attemptId,
    attemptCnt: attempt,
    levelName,
    createDate: `${dateTime(createdAt)}+0000`,
    ...(isEnded(review, now) && {
      reviewDate: `${dateTime(review.endsAt)}+0000`,
      reviewResult: resultOf(review),
    }),
    reviewStatus: statusOf(review, now),
    priority: 0,
  };
}

/** A time in Sumsub's format, for example `2026-11-23 18:55:00`: in UTC, with whole seconds. */
export const dateTime = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const shortId = () => randomBytes(6).toString('base64url');
