/** The token endpoint, at which a program exchanges an authorization code for an identity token. */
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { SignJWT, UnsecuredJWT } from 'jose';
import { type Given, newKeys, type SimulatedIssuer } from './state.ts';

const LIFE_SECONDS = 300;

export function tokens(issuer: SimulatedIssuer): Hono {
  const app = new Hono();
  app.post('/token', async (context) => {
    const form = new URLSearchParams(await context.req.text());
    if (form.get('grant_type') !== 'authorization_code')
      return context.json({ error: 'unsupported_grant_type' }, 400);
    const code = form.get('code') ?? '';
    const given = issuer.codes.get(code);
    // A code counts once.
    issuer.codes.delete(code);
    if (!given || !isSame(given, form)) return context.json({ error: 'invalid_grant' }, 400);
    const id_token = await tokenFor(given, issuer);
    return context.json({ access_token: 'unused', token_type: 'Bearer', expires_in: LIFE_SECONDS, id_token });
  });
  return app;
}

/**
 * True if the token request comes from the program that asked for the code. Only that program knows the
 * verifier of the code's challenge (RFC 7636, section 4.6).
 */
function isSame({ asked }: Given, form: URLSearchParams): boolean {
  const verifier = form.get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const others = ['client_id', 'redirect_uri'];
  return (
    asked.get('code_challenge') === challenge && others.every((name) => asked.get(name) === form.get(name))
  );
}

async function tokenFor({ asked, person }: Given, issuer: SimulatedIssuer): Promise<string> {
  const { url, wrong, registered, keys } = issuer;
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: url,
    aud: registered.clientId,
    nonce: asked.get('nonce') ?? undefined,
    iat: now,
    exp: now + LIFE_SECONDS,
    ...registered.people[person],
    ...wrong.claims,
  };
  if (wrong.signature === 'none') return new UnsecuredJWT(claims).encode();
  const { privateKey } = wrong.signature === 'foreign key' ? await newKeys() : keys;
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: keys.kid }).sign(privateKey);
}
