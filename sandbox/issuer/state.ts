/** The state of the simulated issuer, which its parts share. */
import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload } from 'jose';

/** A person, by the name of the button with which the person signs in. */
export type People = Readonly<Record<string, JWTPayload & { sub: string }>>;

/** The only client of the issuer, and the people who may sign in. */
export type Registered = { clientId: string; redirectUrl: string; people: People };

/** A code that was given, with the request for it and the person. */
export type Given = { asked: URLSearchParams; person: string };

export type SimulatedIssuer = {
  /**
   * A test can replace it after the start, because a console's redirect address contains a port that is known
   * only later.
   */
  registered: Registered;
  url: string;
  /** The claims and the signature that tokens have in the place of the right ones. */
  wrong: { claims?: JWTPayload; signature?: 'none' | 'foreign key' };
  /** If it is set, it answers every call except those of the sign-in page. */
  instead?: () => Response | Promise<Response>;
  keys: Keys;
  codes: Map<string, Given>;
  /** Signs with a new key from now on, and publishes the former one no more. */
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
