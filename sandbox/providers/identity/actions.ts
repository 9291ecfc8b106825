import { type Context, Hono } from 'hono';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { type Applicant, applicantIdOf, CLIENT_ID, findSelected } from './applicants.ts';
import { fail } from './problem.ts';
import {
  type Answer,
  dateTime,
  endReview,
  isClosed,
  openReview,
  type Review,
  renderReview,
} from './review.ts';

/**
 * A check of a known applicant for one purpose. The service uses one action for each liveness check of a
 * purchase.
 */
export type Action = {
  id: string;
  externalActionId: string;
  applicantId: string;
  externalUserId: string;
  inspectionId: string;
  createdAt: number;
  review: Review;
};

const ACTIONS = 'identity/action';
const PAGE = 100;
const actionKey = (externalActionId: string) => `${ACTIONS}/${externalActionId}`;

export function applicantActions(world: World): Hono {
  const app = new Hono();
  app.get('/:selector', (c) => listActions(c, world));
  app.get('/:id/one', async (c) => {
    const action = (await allActions(world)).find(({ id }) => id === c.req.param('id'));
    if (!action) fail(404, 'Applicant action not found');
    return c.json(renderAction(action, world));
  });
  return app;
}

/**
 * Source: Sumsub, "Get applicant actions": `-;applicantId=…?limit&offset&order`. `order=-createdAt` puts the
 * newest action first.
 */
async function listActions(c: Context, world: World): Promise<Response> {
  const [, applicantId] = /^-;applicantId=(\w+)$/.exec(c.req.param('selector') ?? '') ?? [];
  const applicant = applicantId && (await findSelected(applicantId, world));
  if (!applicant) fail(404, 'Applicant not found');
  const own = (await allActions(world))
    .filter((action) => action.applicantId === applicantId)
    .sort((a, b) => a.createdAt - b.createdAt);
  if (c.req.query('order') === '-createdAt') own.reverse();
  const offset = Number(c.req.query('offset') ?? 0);
  const shown = own.slice(offset, offset + Number(c.req.query('limit') ?? PAGE));
  return c.json({ items: shown.map((action) => renderAction(action, world)), totalItems: own.length });
}

/** The actions of all applicants. */
export async function allActions({ store }: World): Promise<Action[]> {
  return (await store.list<Action>(ACTIONS)).map(({ value }) => value);
}

export async function findAction(externalActionId: string, world: World): Promise<Action | undefined> {
  return (await world.store.get<Action>(actionKey(externalActionId)))?.value;
}

/**
 * Returns the action with this external id, and creates it at the first call. Fails with 409 if the action
 * belongs to another person. Sumsub creates an action when the person opens the page. This simulator creates
 * it with the link to the page, so that a test can end the action without a browser.
 */
export async function openAction(
  externalActionId: string,
  levelName: string,
  { applicant, world }: { applicant: Applicant; world: World },
): Promise<Action> {
  const createdAt = world.now().getTime();
  const { id: applicantId, externalUserId, inspectionId } = applicant;
  const action = await change<Action>(world.store, actionKey(externalActionId), (known) =>
    known
      ? undefined
      : {
          id: applicantIdOf(`action ${externalActionId}`),
          externalActionId,
          applicantId,
          externalUserId,
          inspectionId,
          createdAt,
          review: openReview(levelName, createdAt),
        },
  );
  if (action?.applicantId !== applicantId) {
    fail(409, `Applicant action with external action id '${externalActionId}' already exists`);
  }
  return action;
}

/** Ends an action. An action ends once, so `ended` is true only for the first call. */
export async function endAction(
  externalActionId: string,
  answer: Answer,
  world: World,
): Promise<{ action?: Action; ended: boolean }> {
  const endsAt = world.now().getTime();
  let ended = false;
  const action = await change<Action>(world.store, actionKey(externalActionId), (known) => {
    ended = known !== undefined && !isClosed(known.review, endsAt);
    if (!known || !ended) return undefined;
    return { ...known, review: endReview(known.review, { answer, endsAt }) };
  });
  return { action, ended };
}

/** Sumsub, "Get action information". */
export function renderAction(action: Action, world: World) {
  const { id, createdAt, externalActionId, applicantId } = action;
  return {
    id,
    createdAt: dateTime(createdAt),
    clientId: CLIENT_ID,
    externalActionId,
    applicantId,
    review: renderReview(action.review, world.now().getTime()),
    requiredIdDocs: { docSets: [{ idDocSetType: 'SELFIE', types: ['SELFIE'] }] },
  };
}
