import { randomUUID } from 'node:crypto';
import { getDefined } from '../../../functions/domain/get.ts';
import { postTo } from '../post.ts';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { type Action, allActions } from './actions.ts';
import { type Applicant, allApplicants, CLIENT_ID } from './applicants.ts';
import { hmac } from './auth.ts';
import { isEnded, resultOf } from './review.ts';
import { readSwitches, type Switches } from './switches.ts';

/** One webhook, with its delivery attempts. */
export type Webhook = {
  type: 'applicantReviewed' | 'applicantActionReviewed';
  /** Absent if no webhook URL is registered. */
  url?: string;
  body: string;
  mode: Switches['webhooks'];
  /**
   * When the next try is due, in epoch milliseconds. Absent if the webhook was delivered or dropped, or has
   * no tries left.
   */
  dueAt?: number;
  /** An entry for each try: the HTTP status of its answer, or the name of the error if no answer came. */
  attempts: (number | string)[];
  delivered: boolean;
};

type Subject = Applicant | Action;

const WEBHOOKS = 'identity/webhook';
const MINUTE_SECONDS = 60;

/** Source: Sumsub, "Webhook manager": the seconds between a failed try and the next one. */
const PAUSES_SECONDS = {
  applicantReviewed: [300, 3600, 18_000, 64_800],
  applicantActionReviewed: [30, 30, 60, 300],
} as const;

const webhookKey = ({ review }: Subject) =>
  `${WEBHOOKS}/${new Date(getDefined(review.endsAt, 'end of a review')).toISOString()}-${review.attemptId}`;

/**
 * Sends the webhook of an ended review at once, unless the switch is `reorder` (it waits for a tick) or
 * `drop` (it is not sent). A repeated call makes no second webhook, and tries a failed one again only if its
 * next try is due.
 */
export async function tellReview(subject: Subject, world: World): Promise<Webhook | undefined> {
  const mode = (await readSwitches(world)).webhooks;
  const key = webhookKey(subject);
  await world.store.put(key, newWebhook(subject, mode, world), 0);
  if (mode !== 'reorder') await send(key, world);
  return (await world.store.get<Webhook>(key))?.value;
}

export async function listWebhooks({ store }: World): Promise<Webhook[]> {
  return (await store.list<Webhook>(WEBHOOKS)).map(({ value }) => value);
}

/**
 * Sends the webhooks of reviews that have ended since the last tick, and tries failed webhooks again that are
 * due. A schedule or a test calls this, because the simulators run only during a request.
 */
export async function tickIdentity(world: World): Promise<{ sent: number }> {
  const now = world.now().getTime();
  const subjects: Subject[] = [...(await allApplicants(world)), ...(await allActions(world))];
  const webhooks = await world.store.list<Webhook>(WEBHOOKS);
  const known = new Set(webhooks.map(({ key }) => key));
  for (const subject of subjects) {
    const isNews = isEnded(subject.review, now) && !subject.review.silent;
    if (isNews && !known.has(webhookKey(subject))) await tellReview(subject, world);
  }

  const due = webhooks.filter(({ value }) => isDue(value, now));
  if (due.some(({ value }) => value.mode === 'reorder')) due.reverse();
  for (const { key } of due) await send(key, world);
  return { sent: due.length };
}

const isDue = ({ dueAt, url }: Webhook, now: number) =>
  url !== undefined && dueAt !== undefined && dueAt <= now;

function newWebhook(subject: Subject, mode: Webhook['mode'], world: World): Webhook {
  const type = 'externalActionId' in subject ? 'applicantActionReviewed' : 'applicantReviewed';
  const now = world.now().getTime();
  return {
    type,
    url: world.settings.identityWebhookUrl,
    body: bodyOf(subject, type, now),
    mode,
    ...(mode !== 'drop' && { dueAt: now }),
    attempts: [],
    delivered: false,
  };
}

/**
 * The body of a webhook, as in Sumsub, "User verification webhooks". It contains no personal data: the
 * service gets these from the API.
 */
function bodyOf(subject: Subject, type: Webhook['type'], now: number): string {
  const { externalUserId, inspectionId, review } = subject;
  const action = 'externalActionId' in subject ? subject : undefined;
  return JSON.stringify({
    applicantId: action?.applicantId ?? subject.id,
    ...(action && { applicantActionId: action.id, externalApplicantActionId: action.externalActionId }),
    inspectionId,
    correlationId: `req-${randomUUID()}`,
    levelName: review.levelName,
    externalUserId,
    type,
    sandboxMode: true,
    reviewStatus: 'completed',
    reviewResult: resultOf(review),
    createdAtMs: new Date(now).toISOString().slice(0, 23).replace('T', ' '),
    applicantType: 'individual',
    clientId: CLIENT_ID,
  });
}

/**
 * Makes one try to send a webhook. It first stores the due time of the next try, so that of two ticks at once
 * only one sends. If this process then crashes, the webhook is sent again at that time.
 */
async function send(key: string, world: World): Promise<void> {
  const now = world.now().getTime();
  let mine = false;
  const webhook = await change<Webhook>(world.store, key, (known) => {
    mine = known !== undefined && isDue(known, now);
    if (!known || !mine) return undefined;
    const pause = PAUSES_SECONDS[known.type][known.attempts.length];
    const dueAt = pause && now + (pause * world.settings.minuteMs) / MINUTE_SECONDS;
    return { ...known, dueAt };
  });
  if (!webhook || !mine) return;

  const attempts = [await post(webhook, world)];
  if (webhook.mode === 'duplicate') attempts.push(await post(webhook, world));
  const delivered = attempts.some((each) => typeof each === 'number' && each >= 200 && each < 300);
  await change<Webhook>(world.store, key, (known = webhook) => ({
    ...known,
    ...(delivered && { dueAt: undefined, delivered }),
    attempts: [...known.attempts, ...attempts],
  }));
}

function post({ url, body }: Webhook, world: World): Promise<number | string> {
  const headers = {
    'x-payload-digest-alg': 'HMAC_SHA256_HEX',
    'x-payload-digest': hmac(world.settings.identity.webhookSecret, body),
  };
  return postTo(world, { url: getDefined(url, 'address of webhooks'), headers, body });
}
