/** Sessions: a signed cookie that names the person and their role. The server keeps nothing. */
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../functions/domain/ports.ts';
import { isRole, type Role } from './roles.ts';

/** `since`: the instant of the sign-in, in epoch milliseconds. */
export type Session = { person: string; role: Role; since: number };

/** The variables of a request. */
export type Signed = { Variables: { session?: Session } };

export type Sessions = {
  open(context: Context, session: Session): Promise<void>;
  /** The session of the request, if it is genuine, of this stage, and not over. */
  find(context: Context): Promise<Session | undefined>;
  close(context: Context): void;
};

/** A session ends so long after its last page. */
const IDLE_MS = 15 * 60_000;
/** A session ends so long after the sign-in, however busy the person is. */
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

/** A browser takes a cookie of the first name over HTTPS alone, and from this host alone. */
const nameFor = (context: Context) => (isSecure(context) ? '__Secure-console' : 'console');

const optionsFor = (context: Context) =>
  ({ path: '/console', httpOnly: true, secure: isSecure(context), sameSite: 'Strict' }) as const;
