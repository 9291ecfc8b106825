/**
 * The page on which a person signs in at the simulated issuer. It sends the browser back to the program with
 * a code, or with an error.
 */
import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { SimulatedIssuer } from './state.ts';

const KNOWN = 'known';
const CODE_BYTES = 16;

export function authorization(issuer: SimulatedIssuer): Hono {
  const app = new Hono();
  const askedIn = ({ req }: Context) => new URL(req.url).searchParams;
  app.use('/authorize', async (context, next) => {
    const asked = askedIn(context);
    // An attacker may have chosen the redirect address of the request. The browser is therefore sent only to
    // the registered one, even with an error.
    if (!isRegistered(asked, issuer)) return context.text('unknown client or redirect address', 400);
    const error = faultIn(asked);
    return error ? goBack(context, issuer, { error }) : next();
  });
  app.get('/authorize', (context) => {
    const { people } = issuer.registered;
    const person = getCookie(context, KNOWN) ?? '';
    if (person in people && askedIn(context).get('prompt') !== 'login') return admit(context, issuer, person);
    return context.html(pageOf(Object.keys(people)));
  });
  app.post('/authorize', async (context) => {
    const { person } = await context.req.parseBody();
    return typeof person === 'string' && person in issuer.registered.people
      ? admit(context, issuer, person)
      : goBack(context, issuer, { error: 'access_denied' });
  });
  return app;
}

const isRegistered = (asked: URLSearchParams, { registered }: SimulatedIssuer) =>
  asked.get('client_id') === registered.clientId && asked.get('redirect_uri') === registered.redirectUrl;

/**
 * The error code for a faulty authorization request (RFC 6749, section 4.1.2.1). Undefined for a correct
 * request.
 */
function faultIn(asked: URLSearchParams): string | undefined {
  if (asked.get('response_type') !== 'code') return 'unsupported_response_type';
  if (!asked.get('scope')?.split(' ').includes('openid')) return 'invalid_scope';
  const hasChallenge = asked.get('code_challenge') && asked.get('code_challenge_method') === 'S256';
  return hasChallenge ? undefined : 'invalid_request';
}

/**
 * Sends the browser back with a code. The cookie signs the same browser in again later without a click, as
 * real issuers do.
 */
function admit(context: Context, issuer: SimulatedIssuer, person: string): Response {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  issuer.codes.set(code, { asked: new URL(context.req.url).searchParams, person });
  setCookie(context, KNOWN, person, { httpOnly: true });
  return goBack(context, issuer, { code });
}

function goBack(context: Context, { url, registered }: SimulatedIssuer, answer: Record<string, string>) {
  const to = new URL(registered.redirectUrl);
  const state = new URL(context.req.url).searchParams.get('state') ?? '';
  for (const [name, value] of Object.entries({ ...answer, state, iss: url }))
    to.searchParams.set(name, value);
  return context.redirect(to.href, 303);
}

const pageOf = (names: string[]) => html`<!doctype html><html lang="en"><title>Simulated issuer</title>
<h1>Simulated issuer</h1><form method="post">
${[...names, 'nobody'].map((name) => html`<button name="person" value="${name}">${name}</button> `)}
</form></html>`;
