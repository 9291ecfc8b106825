/**
 * The sessions of signed-in people. A session is a signed cookie with the person and the role, so the server stores
 * nothing.
 */
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../functions/domain/ports.ts';
import { isRole, type Role } from './roles.ts';

/** `since` is the instant of the sign-in, in epoch milliseconds. */
export type Session = { person: string; role: Role; since: number };

/** The variables of a request. */
export type Signed = { Variables: { session?: Session } };

export type Sessions = {
  open(context: Context, session: Session): Promise<void>;
  /**
   * Finds the session of the request. Undefined if its signature is wrong, if it is of another stage, or if it has
   * ended.
   */
  find(context: Context): Promise<Session | undefined>;
  close(context: Context): void;
};

/** A session ends this long after the person's last page. */
const IDLE_MS = 15 * 60_000;
/** A session ends this long after the sign-in, even while the person uses the console. */
const LONGEST_MS = 8 * 60 * 60_000;

type Signing = { key: Uint8Array; stage: string; clock: Pick<Clock, 'now'> };

export function signedSessions({ key, stage, clock }: Signing): Sessions {
  const issuer = 'console';

  async function find(context: Context): Promise<Session | undefined> {
    const token = getCookie(context, nameFor(context));
    if (token === undefined) return undefined;
    const rules = { issuer, audience: stage, algorithms: ['HS256'], currentDate: new Date(clock.now()) };
    const { payload } = await jwtVerify(token, key, rules).catch(() => ({ payload: undefined }));
    const { sub: person, role, since } = payload ?? {};
    return person && isRole(role) && typeof since === 'number' ? { person, role, since } : undefined;
  }

  return {
    find,
    async open(context, { person, role, since }) {
      const ends = Math.min(clock.now() + IDLE_MS, since + LONGEST_MS);
      const token = await new SignJWT({ role, since })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setAudience(stage)
        .setSubject(person)
        .setExpirationTime(new Date(ends))
        .sign(key);
      setCookie(context, nameFor(context), token, optionsFor(context));
    },
    close: (context) => void deleteCookie(context, nameFor(context), optionsFor(context)),
  };
}

const isSecure = ({ req }: Context) => req.url.startsWith('https:');

/** A browser accepts a cookie whose name begins with `__Secure-` only over HTTPS. */
const nameFor = (context: Context) => (isSecure(context) ? '__Secure-console' : 'console');

const optionsFor = (context: Context) =>
  ({ path: '/console', httpOnly: true, secure: isSecure(context), sameSite: 'Strict' }) as const;
