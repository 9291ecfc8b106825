import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { change } from './store.ts';
import type { Contract, World } from './world.ts';

// Source of the token call: Serpro's gateway, "Quick start". Serpro documents no error bodies. The bodies
// here have the form of the WSO2 gateway, which Serpro uses and which sends the 503.
export type Failure = readonly [code: string, message: string, description: string];
type FailureStatus = 400 | 401 | 403 | 404 | 406 | 422 | 451 | 500 | 502 | 503 | 504;
type Outage = { calls: number; status: FailureStatus };

const TOKEN_SECONDS = 3600;

/**
 * One API behind Serpro's gateway: its path, the credentials that it accepts, and the bodies of its errors.
 */
export type Api<Status extends FailureStatus> = {
  path: string;
  contract: Contract;
  /** The key of its outage in the store. */
  outageKey: string;
  errors: Record<Status, Failure>;
};

/**
 * Serves the token endpoint and the routes that `routes` adds. The added routes need a valid token, and fail
 * during an outage.
 */
export function serproApi<Status extends FailureStatus>(
  world: World,
  api: Api<Status | 401 | 403>,
  routes: (app: Hono) => void,
): Hono {
  const app = new Hono();
  app.post('/token', (c) => issueToken(c, world, api.contract));
  app.use(`${api.path}/*`, async (c, next) => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (!isTokenValid(token, world, api.contract)) return failure(c, api, 401);
    const outage = await takeOutage(world, api.outageKey);
    if (outage) return failure(c, api, outage.status as Status);
    await next();
  });
  routes(app);
  app.all('*', (c) => failure(c, api, 403));
  return app;
}

export function failure<Status extends FailureStatus>(
  c: Context,
  { errors }: Pick<Api<Status>, 'errors'>,
  status: Status,
): Response {
  const [code, message, description] = errors[status];
  return c.json({ code, message, description }, status);
}

/**
 * Adds `POST /outage {calls, status?}`. The next `calls` calls of the API then fail with `status`, by default
 * 503.
 */
export function outageControl(world: World, outageKey: string): Hono {
  const app = new Hono();
  app.post('/outage', async (c) => {
    const { calls, status = 503 } = (await c.req.json()) as Partial<Outage>;
    const outage = { calls: Number(calls), status };
    await world.store.put(outageKey, outage);
    return c.json(outage);
  });
  return app;
}

async function takeOutage(world: World, key: string): Promise<Outage | undefined> {
  let taken: Outage | undefined;
  await change<Outage>(world.store, key, (now) => {
    taken = now && now.calls > 0 ? now : undefined;
    return taken && { ...taken, calls: taken.calls - 1 };
  });
  return taken;
}

async function issueToken(c: Context, world: World, contract: Contract): Promise<Response> {
  if (!/^application\/x-www-form-urlencoded/.test(c.req.header('content-type') ?? '')) {
    return c.json({ error: 'Unsupported Media Type' }, 415);
  }
  const { consumerKey, consumerSecret } = contract;
  const expected = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  if (!sameText(c.req.header('authorization') ?? '', expected)) {
    const error_description = 'A valid OAuth client could not be found for client_id';
    return c.json({ error: 'invalid_client', error_description }, 401);
  }
  if (new URLSearchParams(await c.req.text()).get('grant_type') !== 'client_credentials') {
    const error_description = 'Unsupported grant_type value';
    return c.json({ error: 'unsupported_grant_type', error_description }, 400);
  }
  const expiresAt = String(world.now().getTime() + TOKEN_SECONDS * 1000);
  const access_token = `${expiresAt}.${mac(expiresAt, contract)}`;
  const scope = 'am_application_scope default';
  return c.json({ scope, token_type: 'Bearer', expires_in: TOKEN_SECONDS, access_token });
}

function isTokenValid(token: string, world: World, contract: Contract): boolean {
  const [expiresAt = '', signature = ''] = token.split('.');
  return sameText(signature, mac(expiresAt, contract)) && Number(expiresAt) > world.now().getTime();
}

const mac = (text: string, { consumerSecret }: Contract) =>
  createHmac('sha256', consumerSecret).update(text).digest('base64url');

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
