import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { World } from '../world.ts';
import { fail } from './problem.ts';

const WINDOW_SECONDS = 60;

/**
 * Checks the signature of a request. Source: Sumsub, "Authentication": X-App-Token, X-App-Access-Ts in seconds, and
 * X-App-Access-Sig. The signature is the HMAC-SHA256 of timestamp, method, path with query, and body, in lower-case
 * hex.
 */
export function requireSignature(world: World): MiddlewareHandler<Signed> {
  return async (c, next) => {
    const { appToken, secretKey } = world.settings.identity;
    const token = c.req.header('x-app-token');
    const at = c.req.header('x-app-access-ts');
    const signature = c.req.header('x-app-access-sig');
    if (!token || !at || !signature) {
      fail(401, 'Not all auth params provided', 'app-token-not-all-auth-params-provided');
    }
    if (!token.includes(':')) fail(401, 'Invalid format of app token', 'app-token-invalid-format');
    if (!sameText(token, appToken)) fail(401, 'App token not found', 'app-token-not-found');

    const ageSeconds = Math.abs(world.now().getTime() / 1000 - Number(at));
    if (!(ageSeconds <= WINDOW_SECONDS)) fail(401, 'Request expired', 'app-token-request-expired');
    const body = await c.req.text();
    const { search } = new URL(c.req.url);
    const path = pathsOf(c).find((each) =>
      sameText(signature, hmac(secretKey, at + c.req.method + each + search + body)),
    );
    if (path === undefined) fail(401, 'Request signature mismatch', 'app-token-signature mismatch');
    c.set('calledPath', path);
    await next();
  };
}

/**
 * `calledPath` is the path that the caller signed. Behind API Gateway it includes the stage, which API
 * Gateway removes from the request's own path.
 */
export type Signed = { Variables: { calledPath: string } };

function pathsOf(c: Context): string[] {
  const { pathname } = new URL(c.req.url);
  const whole = (c.env as { requestContext?: { path?: string } } | undefined)?.requestContext?.path;
  return [pathname, ...(whole === undefined ? [] : [whole])];
}

export const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
