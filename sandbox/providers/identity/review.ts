import { randomBytes } from 'node:crypto';

export type Answer = 'GREEN' | 'RED';
/** Whether a person who was refused may try again. */
export type RejectType = 'FINAL' | 'RETRY';

/** One look at a person or at an action. Instants are epoch milliseconds. */
export type Review = {
  reviewId: string;
  /** Another attempt, another id; the webhook that tells of it is named by it. */
  attemptId: string;
  attempt: number;
  levelName: string;
  createdAt: number;
  /** When it ends or has ended; while absent, the person has not shown anything yet. */
  endsAt?: number;
  answer?: Answer;
  rejectType?: RejectType;
  /** Ended before we asked, so that nobody is told. */
  silent?: true;
  /** A scenario's, until the submission that asks for it is answered. */
  isHeld?: true;
};

export type Outcome = { answer: Answer; rejectType?: RejectType; endsAt: number };

export function openReview(levelName: string, createdAt: number, outcome?: Outcome): Review {
  return { reviewId: shortId(), attemptId: shortId(), attempt: 1, levelName, createdAt, ...outcome };
}

/** Ended now; an attempt that had ended before stays told of, and another one begins and ends. */
export function endReview(review: Review, outcome: Outcome): Review {
  const { silent: _, rejectType: __, isHeld: ___, ...rest } = review;
  const again = isEnded(review, outcome.endsAt) && {
    attemptId: shortId(),
    attempt: review.attempt + 1,
  };
  return { ...rest, ...again, ...outcome };
}

export const isEnded = ({ endsAt }: Review, now: number) => endsAt !== undefined && endsAt <= now;

/** Nothing that the person does changes it any more. */
export const isClosed = (review: Review, now: number) =>
  isEnded(review, now) && review.rejectType !== 'RETRY';

export function statusOf(review: Review, now: number): 'init' | 'pending' | 'completed' {
  if (isEnded(review, now)) return 'completed';
  return review.endsAt === undefined ? 'init' : 'pending';
}

/** `reviewResult` as the API and the webhooks tell it. */
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

/** The attribute `review` of an applicant and of an action. */
export function renderReview(review: Review, now: number) {
  const { reviewId, attemptId, attempt, levelName, createdAt, endsAt } = review;
  return {
    ...{ reviewId, attemptId, attemptCnt: attempt, levelName, createDate: `${dateTime(createdAt)}+0000` },
    ...(isEnded(review, now) && {
      reviewDate: `${dateTime(endsAt!)}+0000`,
      reviewResult: resultOf(review),
    }),
    reviewStatus: statusOf(review, now),
    priority: 0,
  };
}

/** Sumsub's form of an instant: UTC, a space in the middle, whole seconds. */
export const dateTime = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const shortId = () => randomBytes(6).toString('base64url');
