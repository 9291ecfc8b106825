import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { World } from '../world.ts';
import { fail, failUnauthorized } from './problem.ts';
import { readSwitches } from './switches.ts';

export const SCOPES = [
  'cob.write',
  'cob.read',
  'pix.write',
  'pix.read',
  'webhook.write',
  'webhook.read',
  'gn.balance.read',
  'gn.settings.read',
] as const;
type Scope = (typeof SCOPES)[number];

type Claims = { scope: string; issuedAt: number; expiresAt: number };

const TOKEN_SECONDS = 3600;

/**
 * Issues an access token (RFC 6749, section 4.4). The token is signed and not stored, so that every instance
 * of the simulators can check it.
 */
export async function issueToken(c: Context, world: World): Promise<Response> {
  if (!basicMatches(c.req.header('authorization'), world)) {
    c.header('www-authenticate', 'Basic realm="psp"');
    return oauthError(c, 401, 'invalid_client', 'Client authentication failed');
  }
  const form = await readGrant(c);
  if (form.get('grant_type') !== 'client_credentials') {
    return oauthError(c, 400, 'unsupported_grant_type', 'Only client_credentials is supported');
  }
  const scope = grantedScope(form.get('scope'), (await readSwitches(world)).grantedScopes);
  if (scope === '') return oauthError(c, 400, 'invalid_scope', 'No requested scope can be granted');

  const now = world.now().getTime();
  const access_token = sign({ scope, issuedAt: now, expiresAt: now + TOKEN_SECONDS * 1000 }, world);
  c.header('cache-control', 'no-store');
  return c.json({ access_token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, scope });
}

/** Reads the token request: a form, as OAuth prescribes, or JSON, as Efí also accepts. */
async function readGrant(c: Context): Promise<URLSearchParams> {
  const isJson = c.req.header('content-type')?.startsWith('application/json');
  return new URLSearchParams(isJson ? await c.req.json<Record<string, string>>() : await c.req.text());
}

/**
 * Makes a guard of routes. It answers 401 for a token that is missing, forged, expired or revoked, and 403
 * for a token without this scope.
 */
export function requireScope(world: World, scope: Scope): MiddlewareHandler {
  return async (c, next) => {
    const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const claims = token === undefined ? undefined : verify(token, world);
    if (!claims) failUnauthorized('The access token is missing or invalid');
    if (claims.expiresAt <= world.now().getTime()) failUnauthorized('The access token expired');
    const { tokensRevokedAt } = await readSwitches(world);
    if (claims.issuedAt <= tokensRevokedAt) failUnauthorized('The access token was revoked');
    if (!claims.scope.split(' ').includes(scope)) fail('AcessoNegado');
    await next();
  };
}

function grantedScope(requested: string | null, allowed: readonly string[] | undefined): string {
  const known = allowed ?? SCOPES;
  if (!requested) return known.join(' ');
  return requested
    .split(/\s+/)
    .filter((scope) => known.includes(scope))
    .join(' ');
}

function oauthError(c: Context, status: 400 | 401, error: string, description: string): Response {
  return c.json({ error, error_description: description }, status);
}

function basicMatches(header: string | undefined, world: World): boolean {
  const { clientId, clientSecret } = world.settings.psp;
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  return header !== undefined && sameText(header, expected);
}

function sign(claims: Claims, world: World): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${mac(payload, world)}`;
}

function verify(token: string, world: World): Claims | undefined {
  const [payload = '', signature = ''] = token.split('.');
  if (!sameText(signature, mac(payload, world))) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
}

const mac = (payload: string, world: World) =>
  createHmac('sha256', world.settings.psp.clientSecret).update(payload).digest('base64url');

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
