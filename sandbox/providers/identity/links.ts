import { randomBytes, randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { World } from '../world.ts';
import { openAction } from './actions.ts';
import { findApplicant, readFields, requireLevel } from './applicants.ts';
import type { Signed } from './auth.ts';
import { fail } from './problem.ts';

/** The check to which a link leads. The link is valid until `expiresAt`, in epoch milliseconds. */
export type Link = {
  externalUserId: string;
  levelName: string;
  /** The liveness check of one purchase. Absent if the link is for the review of the person. */
  externalActionId?: string;
  expiresAt: number;
  /** The URLs to which the page sends the person after a passed check and after a failed one. */
  redirect?: { successUrl: string; rejectUrl: string };
  consentedAt?: number;
};

/** Sumsub's default for links and tokens. */
const TTL_SECONDS = 1800;
const API_PATH = '/resources/sdkIntegrations/levels/-/websdkLink';

export const linkKey = (token: string) => `identity/link/${token}`;

/** Source: Sumsub, "Generate external WebSDK link" and "Generate access token". */
export function links(world: World): Hono<Signed> {
  const app = new Hono<Signed>();
  app.post('/sdkIntegrations/levels/-/websdkLink', (c) => createLink(c, world));
  app.post('/accessTokens/sdk', (c) => createAccessToken(c, world));
  return app;
}

async function createLink(c: Context<Signed>, world: World): Promise<Response> {
  const { levelName, userId, externalActionId, ttlInSecs, redirect } = await readFields(c);
  const { levels } = world.settings.identity;
  if (typeof userId !== 'string' || userId === '') fail(400, 'Property userId must not be empty');
  requireLevel(levelName, externalActionId === undefined ? levels.identity : levels.liveness);
  const applicant = await findApplicant(userId, world);
  if (!applicant) fail(404, 'Applicant not found');

  const expiresAt = world.now().getTime() + ttlOf(ttlInSecs) * 1000;
  const link: Link = { externalUserId: userId, levelName: String(levelName), expiresAt };
  if (redirect !== undefined) link.redirect = redirectOf(redirect);
  if (externalActionId !== undefined) {
    link.externalActionId = String(externalActionId);
    await openAction(link.externalActionId, link.levelName, { applicant, world });
  }
  const token = randomBytes(18).toString('base64url');
  await world.store.put(linkKey(token), link, 0);
  const base = c.get('calledPath').slice(0, -API_PATH.length);
  return c.json({ url: `${originOf(c)}${base}/websdk/p/${token}` });
}

async function createAccessToken(c: Context, world: World): Promise<Response> {
  const { levelName, userId, ttlInSecs } = await readFields(c);
  const { levels } = world.settings.identity;
  if (typeof userId !== 'string' || userId === '') fail(400, 'Property userId must not be empty');
  requireLevel(levelName, levels.identity, levels.liveness);
  ttlOf(ttlInSecs);
  return c.json({ token: `_act-sbx-${randomUUID()}`, userId });
}

function redirectOf(redirect: unknown): Link['redirect'] {
  const { successUrl, rejectUrl } = Object(redirect) as Record<string, unknown>;
  if (!isAddress(successUrl) || !isAddress(rejectUrl)) fail(400, 'Property redirect must have two addresses');
  return { successUrl, rejectUrl };
}

const isAddress = (text: unknown): text is string => typeof text === 'string' && /^https?:\/\//.test(text);

function ttlOf(ttlInSecs: unknown): number {
  const ttl = ttlInSecs ?? TTL_SECONDS;
  if (typeof ttl !== 'number' || !(ttl > 0)) fail(400, 'Property ttlInSecs must be positive');
  return ttl;
}

/**
 * The scheme and host that the caller used. Behind API Gateway every URL here seems to use https, and so
 * `x-forwarded-proto` gives the real scheme.
 */
function originOf(c: Context): string {
  const { protocol, host } = new URL(c.req.url);
  return `${c.req.header('x-forwarded-proto') ?? protocol.slice(0, -1)}://${host}`;
}
