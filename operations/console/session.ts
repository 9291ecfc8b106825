/**
 * The sessions of signed-in people. A session is a signed cookie with the person and the role. The server stores only
 * which sessions have ended by a sign-out.
 */
import type { Context } from 'hono';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Person } from '../../functions/domain/acts/operator.ts';
import type { Desk } from '../desk.ts';
import { safeCookie } from './cookie.ts';
import { isRole, type Role } from './roles.ts';

/** A person after a sign-in. */
type SignedIn = { person: Person; role: Role };
/** `since` is the instant of the sign-in, in epoch milliseconds. */
export type Session = SignedIn & { id: string; since: number };

/** The variables of a request. */
export type SignedContext = { Variables: { session?: Session } };

export type Sessions = {
  /** Opens a session after a sign-in. */
  begin(context: Context, signedIn: SignedIn): Promise<void>;
  /** Lets the session end later, because its person has used the console. */
  extend(context: Context, session: Session): Promise<void>;
  /**
   * Finds the session of the request. Undefined if there is no valid cookie of this stage, or if the session
   * has ended.
   */
  find(context: Context): Promise<Session | undefined>;
  /** Ends the session of the request. From then on every copy of its cookie is refused. */
  end(context: Context): Promise<void>;
};

/** A session ends this long after the person's last page. */
const IDLE_MS = 15 * 60_000;
/** A session ends this long after the sign-in, even while the person uses the console. */
const LONGEST_MS = 8 * 60 * 60_000;

const ISSUER = 'console';
const ID_BYTES = 16;

type Claims = Pick<Person, 'via' | 'principal'> & { role: string; since: number };

export type Signing = { key: Uint8Array } & Pick<Desk, 'stage' | 'clock' | 'random' | 'endedSessions'>;

export function signedSessions({ key, stage, clock, random, endedSessions }: Signing): Sessions {
  const cookie = safeCookie('console', 'Strict');

  async function write(context: Context, { id, person, role, since }: Session): Promise<void> {
    const ends = Math.min(clock.now() + IDLE_MS, since + LONGEST_MS);
    const { id: name, via, principal } = person;
    const token = await new SignJWT({ role, since, via, principal })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(ISSUER)
      .setAudience(stage)
      .setJti(id)
      .setSubject(name)
      .setExpirationTime(new Date(ends))
      .sign(key);
    cookie.write(context, token);
  }

  async function find(context: Context): Promise<Session | undefined> {
    const token = cookie.read(context);
    if (token === undefined) return undefined;
    const rules = {
      issuer: ISSUER,
      audience: stage,
      algorithms: ['HS256'],
      currentDate: new Date(clock.now()),
    };
    const { payload } = await jwtVerify<Claims>(token, key, rules).catch(() => ({ payload: undefined }));
    const session = payload && sessionIn(payload);
    return session && !(await endedSessions.hasEnded(session.id)) ? session : undefined;
  }

  return {
    begin: (context, signedIn) =>
      write(context, {
        ...signedIn,
        id: Buffer.from(random.bytes(ID_BYTES)).toString('hex'),
        since: clock.now(),
      }),
    extend: write,
    find,
    async end(context) {
      const session = await find(context);
      if (session) await endedSessions.end(session.id, clock.now());
      cookie.remove(context);
    },
  };
}

/**
 * Makes the session from the claims of a cookie, which `write` has signed. Undefined if a claim is missing or
 * the role is unknown.
 */
function sessionIn({ jti, sub, role, since, via, principal }: JWTPayload & Claims): Session | undefined {
  if (!jti || !sub || !isRole(role)) return undefined;
  return { id: jti, person: { id: sub, via, principal }, role, since };
}
