/** The sign-in through an issuer of OpenID Connect. A claim of the identity token names the role. */
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { jwtVerify, SignJWT } from 'jose';
import type { IDToken } from 'openid-client';
import type { Person } from '../../functions/domain/acts/operator.ts';
import type { Clock } from '../../functions/domain/ports.ts';
import type { Door } from './app.ts';
import { safeCookie } from './cookie.ts';
import { type BegunSignIn, type Issuer, SignInRefused } from './issuer.ts';
import { consolePage, messagePage } from './layout.ts';
import { ownPath, signInFor } from './own-path.ts';
import { ROLES, type Role } from './roles.ts';

/**
 * The claim of the identity token that lists the person's groups, and the group of each role. A person in
 * several groups has the highest role.
 */
export type RoleClaim = { claim: string; groups: Readonly<Record<Role, string>> };

type IssuerDoor = { issuer: Issuer; key: Uint8Array; roles: RoleClaim };

/** The time in which a person must finish a sign-in. It is enough to type a password and a second factor. */
const BEGUN_FOR_MS = 10 * 60_000;

export const issuerDoor =
  ({ issuer, key, roles }: IssuerDoor): Door =>
  ({ sessions, stage, clock }) => {
    const app = new Hono();
    const frame = { stage, path: '/sign-in' };
    const begins = begunCookie({ key, stage, clock });
    app.get('/sign-in', (context) => {
      const content = contentFor(context.req.query('to'));
      return context.html(consolePage({ title: 'Sign in', content, frame }));
    });
    app.get('/sign-in/begin', async (context) => {
      const { url, ...begun } = await issuer.begin();
      await begins.keep(context, { ...begun, to: ownPath(context.req.query('to')) });
      return context.redirect(url, 303);
    });
    app.get('/sign-in/callback', async (context) => {
      const begun = await begins.take(context);
      if (!begun) throw new SignInRefused('it took too long, or began in another browser');
      const { to, ...checks } = begun;
      const claims = await issuer.finish(new URL(context.req.url).searchParams, checks);
      const role = roleIn(claims, roles);
      if (!role) return context.html(messagePage(...NO_ROLE, frame), 403);
      const person = findSignedPerson(claims);
      if (!person) return context.html(messagePage(...NO_ADDRESS, frame), 403);
      await sessions.begin(context, { person, role });
      return context.redirect(ownPath(to) ?? '/console', 303);
    });
    return app;
  };

/** `to` is the page that the person has asked for. */
const contentFor = (to = '') => html`<h1>Sign in</h1>
<p>Your organisation’s sign-in asks for your password and your second factor.</p>
<p><a class="button" href="${signInFor(to, '/console/sign-in/begin')}">Sign in</a></p>`;

const NO_ROLE: [string, string] = [
  'No role',
  'You are known, but you have no role here. Ask an administrator for one.',
];

const NO_ADDRESS: [string, string] = [
  'No verified address',
  'Your organisation’s sign-in names no verified e-mail address, and by that address acts name you.',
];

/** The highest role whose group the claim has. The claim is one group, or a list of them. */
function roleIn(claims: IDToken, { claim, groups }: RoleClaim): Role | undefined {
  const has = [claims[claim]].flat();
  return ROLES.findLast((role) => has.includes(groups[role]));
}

/**
 * Names the person by the verified e-mail address, which is also the person's name at AWS. Under another
 * name, a person could approve on the console an act that they proposed in the terminal. Undefined without a
 * verified address.
 */
function findSignedPerson({ iss, sub, email, email_verified: isVerified }: IDToken): Person | undefined {
  if (typeof email !== 'string' || email === '' || isVerified !== true) return undefined;
  return { id: email.toLowerCase(), via: 'OIDC', principal: `${iss}#${sub}` };
}

type Signing = { key: Uint8Array; stage: string; clock: Pick<Clock, 'now'> };

/** `to` is the page to which the sign-in leads. */
type Kept = BegunSignIn & { to?: string };

/** A begun sign-in, which the browser keeps in a signed cookie until it comes back from the issuer. */
function begunCookie({ key, stage, clock }: Signing) {
  const audience = `${stage} sign-in`;
  // A browser sends no `Strict` cookie to the callback, because the issuer's page leads there.
  const cookie = safeCookie('console-sign-in', 'Lax');
  return {
    async keep(context: Context, begun: Kept): Promise<void> {
      const signing = new SignJWT(begun).setProtectedHeader({ alg: 'HS256' }).setAudience(audience);
      const ends = new Date(clock.now() + BEGUN_FOR_MS);
      cookie.write(context, await signing.setExpirationTime(ends).sign(key));
    },
    async take(context: Context): Promise<Kept | undefined> {
      const token = cookie.read(context) ?? '';
      cookie.remove(context);
      const rules = { audience, algorithms: ['HS256'], currentDate: new Date(clock.now()) };
      const known = await jwtVerify<Kept>(token, key, rules).catch(() => undefined);
      return known?.payload;
    },
  };
}
