/** The state of the simulated issuer, which its parts share. */
import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload } from 'jose';

/**
 * The people who can sign in, by the text of their buttons. The values are the claims of their identity
 * tokens.
 */
export type People = Readonly<Record<string, JWTPayload & { sub: string }>>;

/** The only client of the issuer, and the people who may sign in. */
export type Registered = { clientId: string; redirectUrl: string; people: People };

/**
 * The issuer keeps this for an authorization code: the request for the code, and the person who signed in.
 */
export type Given = { asked: URLSearchParams; person: string };

export type SimulatedIssuer = {
  /**
   * A test can replace the registration after the start. The redirect address of a console has a port, which
   * is known only after the console has started.
   */
  registered: Registered;
  url: string;
  /** The claims and the signature with which a test replaces the correct ones in tokens. */
  wrong: { claims?: JWTPayload; signature?: 'none' | 'foreign key' };
  /** If a test sets this, it answers each call except those of the sign-in page. */
  instead?: () => Response | Promise<Response>;
  keys: Keys;
  codes: Map<string, Given>;
  /** Signs with a new key from now on, and no longer publishes the former key. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
};

type Keys = Awaited<ReturnType<typeof newKeys>>;
const KEY_ID_BYTES = 8;

export async function newKeys() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const kid = randomBytes(KEY_ID_BYTES).toString('hex');
  return { privateKey, kid, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}
