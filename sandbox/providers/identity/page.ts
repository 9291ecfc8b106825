import { type Context, Hono } from 'hono';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { type Action, endAction, findAction } from './actions.ts';
import { type Applicant, endApplicantReview, findApplicant } from './applicants.ts';
import { type Link, linkKey } from './links.ts';
import { checkPage, consentPage, deadPage, resultPage, type Shown } from './page-html.ts';
import { PAGE_HEADERS } from './page-style.ts';
import { type Answer, isClosed } from './review.ts';
import { tellReview } from './webhooks.ts';

/** A link that a person has opened, and the liveness check or the review to which it leads. */
type Visit = { token: string; link: Link; subject: Action | Applicant };
type Page = ReturnType<typeof deadPage>;

/**
 * The page on which a person is checked. A form that is sent twice has no second effect. Its links are
 * relative, because the path that arrives here lacks the stage, which API Gateway removes.
 */
export function hostedPage(world: World): Hono {
  const app = new Hono();
  app.get('/:token', (c) => showStep(c, world));
  app.get('/:token/result', (c) => showResult(c, world));
  app.post('/:token/consent', (c) => takeConsent(c, world));
  app.post('/:token/answer', (c) => takeAnswer(c, world));
  return app;
}

async function showStep(c: Context, world: World): Promise<Response> {
  const visit = await findVisit(c, world);
  const why = deathOf(visit, world);
  if (!visit || why) return showDead(c, why ?? 'unknown', world);
  const shown = shownOf(visit, world);
  if (visit.link.consentedAt !== undefined) return show(c, 200, checkPage(shown));
  return show(c, 200, consentPage(shown, { isRefused: c.req.query('consent') === 'missing' }));
}

async function takeConsent(c: Context, world: World): Promise<Response> {
  const visit = await findVisit(c, world);
  const why = deathOf(visit, world);
  if (!visit || why) return showDead(c, why ?? 'unknown', world);
  if ((await readForm(c)).get('consent') !== 'yes') return goTo(`../${visit.token}?consent=missing`);
  const consentedAt = world.now().getTime();
  await change<Link>(world.store, linkKey(visit.token), (link) => link && { ...link, consentedAt });
  return goTo(`../${visit.token}`);
}

async function takeAnswer(c: Context, world: World): Promise<Response> {
  const visit = await findVisit(c, world);
  if (visit && hasResult(visit, world)) return goTo('result');
  const why = deathOf(visit, world);
  if (!visit || why) return showDead(c, why ?? 'unknown', world);
  const answer = (await readForm(c)).get('answer');
  const isAnswered = visit.link.consentedAt !== undefined && (answer === 'GREEN' || answer === 'RED');
  if (!isAnswered) return goTo(`../${visit.token}`);

  const told = await end(visit.link, answer, world);
  if (told) await tellReview(told, world);
  return goTo('result');
}

async function showResult(c: Context, world: World): Promise<Response> {
  const visit = await findVisit(c, world);
  if (visit && hasResult(visit, world)) {
    const hasPassed = visit.subject.review.answer === 'GREEN';
    const { successUrl, rejectUrl } = visit.link.redirect ?? {};
    const back = hasPassed ? successUrl : rejectUrl;
    return show(c, 200, resultPage({ hasPassed, merchant: merchantOf(world), back }));
  }
  const why = deathOf(visit, world);
  return !visit || why ? showDead(c, why ?? 'unknown', world) : goTo(`../${visit.token}`);
}

/**
 * Ends the check. Returns undefined if an earlier call has already ended it. The earlier call also sends the
 * webhook.
 */
async function end(link: Link, answer: Answer, world: World): Promise<Action | Applicant | undefined> {
  if (link.externalActionId !== undefined) {
    const { action, ended } = await endAction(link.externalActionId, answer, world);
    return ended ? action : undefined;
  }
  const outcome = { answer, ...(answer === 'RED' && { rejectType: 'FINAL' as const }) };
  const { applicant, ended } = await endApplicantReview(link.externalUserId, outcome, world);
  return ended ? applicant : undefined;
}

async function findVisit(c: Context, world: World): Promise<Visit | undefined> {
  const token = c.req.param('token') ?? '';
  const link = (await world.store.get<Link>(linkKey(token)))?.value;
  if (!link) return undefined;
  const { externalActionId, externalUserId } = link;
  const subject = externalActionId
    ? await findAction(externalActionId, world)
    : await findApplicant(externalUserId, world);
  return subject && { token, link, subject };
}

function deathOf(visit: Visit | undefined, world: World): 'unknown' | 'used' | 'expired' | undefined {
  if (!visit) return 'unknown';
  const now = world.now().getTime();
  if (isClosed(visit.subject.review, now)) return 'used';
  return visit.link.expiresAt <= now ? 'expired' : undefined;
}

/**
 * True if the person consented through this link and the check has ended. The page then shows the result.
 * Through any other link it says only that the link was used.
 */
const hasResult = ({ link, subject }: Visit, world: World) =>
  link.consentedAt !== undefined && isClosed(subject.review, world.now().getTime());

const REFERENCE_LENGTH = 10;

function shownOf({ token, link }: Visit, world: World): Shown {
  const secondsLeft = Math.ceil((link.expiresAt - world.now().getTime()) / 1000);
  const reference = link.externalActionId?.slice(-REFERENCE_LENGTH);
  return { token, merchant: merchantOf(world), secondsLeft, ...(reference && { reference }) };
}

const merchantOf = ({ settings }: World) => settings.psp.merchantName;

async function readForm(c: Context): Promise<URLSearchParams> {
  return new URLSearchParams(await c.req.text());
}

const goTo = (address: string) =>
  new Response(null, { status: 303, headers: { ...PAGE_HEADERS, location: address } });

const showDead = (c: Context, why: Parameters<typeof deadPage>[0], world: World) =>
  show(c, why === 'unknown' ? 404 : 410, deadPage(why, merchantOf(world)));

async function show(c: Context, status: 200 | 404 | 410, page: Page): Promise<Response> {
  return c.html(page, status, PAGE_HEADERS);
}
