import { type Context, Hono } from 'hono';
import type { World } from '../world.ts';
import { endAction, renderAction } from './actions.ts';
import { applicantFields, endApplicantReview, renderApplicant, setMetadata } from './applicants.ts';
import type { Answer, RejectType } from './review.ts';
import { readSwitches, type Switches, setSwitches, WEBHOOK_MODES } from './switches.ts';
import { listWebhooks, tellReview, tickIdentity } from './webhooks.ts';

/**
 * Controls of the simulated verifier for the sandbox's tools, under /control/identity. The product never calls them.
 */
export function identityControl(world: World): Hono {
  const app = new Hono();
  app.post('/actions/:externalActionId/complete', (c) => completeAction(c, world));
  app.post('/applicants/:externalUserId/review', (c) => reviewApplicant(c, world));
  app.put('/applicants/:externalUserId/metadata', (c) => putMetadata(c, world));
  app.get('/webhooks', async (c) => {
    const webhooks = await listWebhooks(world);
    return c.json({ webhooks: webhooks.map((each) => ({ ...each, body: JSON.parse(each.body) })) });
  });
  app.post('/tick', async (c) => c.json(await tickIdentity(world)));
  app.post('/outage', async (c) => {
    const { calls } = await readBody(c);
    if (!Number.isInteger(calls) || Number(calls) < 0) return refuse(c, 400, 'calls must be a whole number');
    return c.json(await setSwitches(world, { outageCalls: Number(calls) }));
  });
  app.get('/switches', async (c) => c.json(await readSwitches(world)));
  app.post('/switches', async (c) => {
    const { webhooks } = await readBody(c);
    if (!isMode(webhooks)) return refuse(c, 400, `webhooks must be one of ${WEBHOOK_MODES.join(', ')}`);
    return c.json(await setSwitches(world, { webhooks }));
  });
  return app;
}

/**
 * Ends a liveness check as if the person had used the page. Answers 409 if it has already ended, with either
 * result.
 */
async function completeAction(c: Context, world: World): Promise<Response> {
  const { answer } = await readBody(c);
  if (!isAnswer(answer)) return refuse(c, 400, 'answer must be GREEN or RED');
  const { action, ended } = await endAction(c.req.param('externalActionId') ?? '', answer, world);
  if (!action) return refuse(c, 404, 'no such action');
  if (!ended) return refuse(c, 409, 'the action has ended');
  const webhook = await tellReview(action, world);
  return c.json({ action: renderAction(action, world), webhook: { attempts: webhook?.attempts ?? [] } });
}

/**
 * Ends the review of a person. It also replaces an earlier result, because staff of the real provider can do
 * so.
 */
async function reviewApplicant(c: Context, world: World): Promise<Response> {
  const { answer, rejectType } = await readBody(c);
  if (!isAnswer(answer)) return refuse(c, 400, 'answer must be GREEN or RED');
  if (rejectType !== undefined && !isRejectType(rejectType)) {
    return refuse(c, 400, 'rejectType must be FINAL or RETRY');
  }
  const outcome = { answer, ...(answer === 'RED' && { rejectType: rejectType ?? 'FINAL' }), again: true };
  const { applicant } = await endApplicantReview(c.req.param('externalUserId') ?? '', outcome, world);
  if (!applicant) return refuse(c, 404, 'no such applicant');
  const webhook = await tellReview(applicant, world);
  return c.json({
    applicant: renderApplicant(applicant, world),
    webhook: { attempts: webhook?.attempts ?? [] },
  });
}

async function putMetadata(c: Context, world: World): Promise<Response> {
  const { metadata } = await readBody(c);
  if (!Array.isArray(metadata)) return refuse(c, 400, 'metadata must be an array of {key, value}');
  const applicant = await setMetadata(c.req.param('externalUserId') ?? '', metadata, world);
  if (!applicant) return refuse(c, 404, 'no such applicant');
  return c.json({ applicant: renderApplicant(applicant, world) });
}

async function readBody(c: Context): Promise<Record<string, unknown>> {
  return applicantFields(await c.req.json().catch(() => ({})));
}

const isAnswer = (value: unknown): value is Answer => value === 'GREEN' || value === 'RED';
const isRejectType = (value: unknown): value is RejectType => value === 'FINAL' || value === 'RETRY';
const isMode = (value: unknown): value is Switches['webhooks'] =>
  WEBHOOK_MODES.some((mode) => mode === value);

const refuse = (c: Context, status: 400 | 404 | 409, message: string) => c.json({ error: message }, status);
