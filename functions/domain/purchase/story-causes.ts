/** Finds out for operators why a purchase does not move on. Several causes may apply. `causeOf` shows the first one. */
import { FAILURE_REASONS } from './return-reasons.ts';
import { isBeingSettled, isOpen } from './status.ts';
import type { Story } from './story.ts';
import type { Cause, DeskFacts, StoryWebhook } from './story-facts.ts';
import { remedyOf } from './story-obstacles.ts';
import type { PurchaseStanding } from './story-standings.ts';

const NOTHING = 'Nothing.';

export function causeOf(facts: DeskFacts, story: Story): Cause {
  return (
    causeOfRefund(facts) ??
    ofObstacle(facts) ??
    ofNoted(facts, story) ??
    ofCase(facts) ??
    ofLostExecution(facts) ??
    ofWebhooks(facts) ??
    ofUnread(facts, story) ??
    ofStanding(facts, story)
  );
}

/**
 * The cause if a try of the refund has failed. The state machine shows only a wait for the next try, so this
 * reads the reason in the purchase's row.
 */
function causeOfRefund({ transaction: { refund, history } }: DeskFacts): Cause | undefined {
  if (refund?.status !== 'PENDING' || !refund.tries) return undefined;
  return {
    why: `the Pix provider did not make the refund (${refund.reason})`,
    since: history.at(-1)?.at,
    times: refund.tries,
    nextAt: refund.nextTryAt,
    todo: 'Ask the provider why, if it lasts: the log says `refund refused by the provider`.',
  };
}

function ofObstacle({ visit }: DeskFacts): Cause | undefined {
  if (visit?.status !== 'RUNNING' || !visit.obstacle) return undefined;
  const { since, times, nextBy } = visit.obstacle;
  const { means, operator } = remedyOf(visit.obstacle, visit.wait);
  return { why: means, since, times, nextAt: nextBy, todo: operator };
}

/** The cause if work outside the state machine has failed, and the purchase has not moved on since. */
function ofNoted({ transaction: { obstacle, status } }: DeskFacts, { next }: Story): Cause | undefined {
  if (obstacle?.status !== status) return undefined;
  const { since, times } = obstacle;
  const { means, operator } = remedyOf(obstacle, undefined);
  return { why: means, since, times, nextAt: next.by, todo: operator };
}

function ofCase({ cases }: DeskFacts): Cause | undefined {
  const open = cases.find((each) => each.isOpen);
  return open && { why: `${open.means} (case ${open.id})`, since: open.openedAt, todo: open.operator };
}

function ofLostExecution({ visit, transaction }: DeskFacts): Cause | undefined {
  const { nextCheckAt, status, refund } = transaction;
  const isOver = !isOpen(status) && !isBeingSettled(status) && refund?.status !== 'PENDING';
  if (visit?.status !== 'LOST' || isOver) return undefined;
  return {
    why: `no execution drives the purchase (${visit.name})`,
    nextAt: nextCheckAt,
    todo: 'Nothing. `SweepStuckTransactions` starts another one.',
  };
}

function ofWebhooks({ webhooks }: DeskFacts): Cause | undefined {
  const late = webhooks.find(isLateWebhook);
  if (!late) return undefined;
  const { type, delivery } = late;
  const { eventId, endpointId, attempts, nextAttemptAt, tried = [], parkedAt, heldAt } = delivery;
  const answer = answerWords(delivery.lastStatusCode);
  const about = `the webhook ${type} does not reach the endpoint ${endpointId}: ${answer}`;
  return {
    why: delivery.status === 'HELD' ? `the webhook ${type} is held: the partner is suspended` : about,
    since: parkedAt ?? heldAt ?? tried[0]?.at,
    times: attempts,
    nextAt: nextAttemptAt,
    todo: TODO[delivery.status](eventId),
  };
}

const TODO: Record<StoryWebhook['delivery']['status'], (eventId: string) => string> = {
  PENDING: () => 'Tell the partner to look at its endpoint. The service tries again for three days.',
  PARKED: (eventId) => `When the partner’s endpoint answers: deliveries redeliver --event ${eventId}`,
  HELD: () => 'Reinstate the partner, if it may sell again: partners reinstate',
  DELIVERED: () => NOTHING,
};

/**
 * Whether a webhook is late: it is parked or held, or a try has failed. A pending webhook that waits for
 * its first try is not late.
 */
const isLateWebhook = ({ delivery: { status, attempts } }: StoryWebhook): boolean =>
  status === 'PARKED' || status === 'HELD' || (status === 'PENDING' && attempts > 0);

/** The endpoint's last answer in words. A status code of 0 means that no answer came. */
export const answerWords = (statusCode: number | undefined): string =>
  statusCode ? `HTTP ${statusCode}` : 'no answer';

/**
 * The cause if the client may have paid, while the Pix provider neither reported nor showed the payment.
 */
function ofUnread({ pixReadUpTo: since }: DeskFacts, { next }: Story): Cause | undefined {
  if (since === undefined) return undefined;
  return {
    why: 'no payment is known, but the payments at the Pix provider were not read',
    since,
    nextAt: next.by,
    todo: 'Look at the provider’s status page, and at the log of `ReconcilePix`.',
  };
}

function ofStanding(facts: DeskFacts, { standing, next }: Story): Cause {
  return { why: WHY[standing.what](facts), since: standing.since, nextAt: next.by, todo: NOTHING };
}

const causeOfFailure = ({ transaction: { failure } }: DeskFacts) =>
  failure ? `${failure.reason}: ${FAILURE_REASONS[failure.reason]}` : 'the purchase failed';

const WHY: Record<PurchaseStanding, (facts: DeskFacts) => string> = {
  WAITS_FOR_CLIENT: ({ transaction: { challenge, mfaAttempts, liveness } }) =>
    challenge.type === 'LIVENESS'
      ? `the client has not passed the face check (attempt ${liveness?.attempt ?? 1})`
      : `the client has not typed a valid code (${mfaAttempts} tried)`,
  WAITS_FOR_PIX: () => 'the client has not paid',
  CLOSING: () => 'the deadline has passed, and the machine closes the purchase',
  SENDING: ({ visit }) => `nothing is wrong: ${visit?.step ?? 'the next step'} is under way`,
  SENDING_SLOWLY: ({ visit }) => `${visit?.step ?? 'the next step'} is under way, and no error is recorded`,
  DELIVERED: () => 'the transfer is confirmed',
  REFUNDING: causeOfFailure,
  REFUND_REPEATED: causeOfFailure,
  REFUND_WITH_US: (facts) => `the refund is FAILED; ${causeOfFailure(facts)}`,
  REFUNDED: causeOfFailure,
  TAKEN_BACK: causeOfFailure,
  EXPIRED: ({ transaction: { pix } }) =>
    pix ? 'the client did not pay in time' : 'the client did not answer the challenge in time',
  CANCELED: () => 'the partner canceled it',
};
