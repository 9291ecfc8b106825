/**
 * Signs people in at an issuer of OpenID Connect: authorization code with PKCE, state and nonce. Any issuer fits that
 * publishes its discovery document. The client is public, so there is no secret.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';

type IssuerSettings = {
  /**
   * The issuer's URL, as its tokens name it. The discovery document is below this URL. Only in a sandbox may
   * the URL be without TLS.
   */
  issuer: string;
  clientId: string;
  /** The address of `/console/sign-in/callback`, as the issuer has it registered. */
  redirectUrl: string;
};

/** The values of a begun sign-in, which the browser keeps in a cookie until it comes back from the issuer. */
export type BegunSignIn = { state: string; nonce: string; verifier: string };

export type Issuer = {
  /** The address where the person signs in. */
  begin(): Promise<BegunSignIn & { url: string }>;
  /**
   * The claims of the identity token. Throws `SignInRefused` if the token is not genuine or belongs to
   * another sign-in.
   */
  finish(answer: URLSearchParams, begun: BegunSignIn): Promise<IDToken>;
};

/** The sign-in cannot be trusted. The message says why, without a token or a code. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
}

const ANSWER_SECONDS = 4;

export function openIdIssuer({ issuer, clientId, redirectUrl }: IssuerSettings): Issuer {
  /**
   * Reads the issuer's discovery document for each sign-in. Sign-ins are rare, and a new signing key of the
   * issuer is then known at once.
   */
  const discovered = (): Promise<Configuration> =>
    discovery(new URL(issuer), clientId, undefined, None(), {
      // By default the library does not check the token's signature, because TLS already proves who has sent
      // the token. This option makes it check.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
      timeout: ANSWER_SECONDS,
    });

  return {
    begin: () =>
      explained(async () => {
        const begun = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
        const asked = {
          redirect_uri: redirectUrl,
          scope: 'openid email profile',
          state: begun.state,
          nonce: begun.nonce,
          code_challenge: await calculatePKCECodeChallenge(begun.verifier),
          code_challenge_method: 'S256',
          // Makes the issuer always ask for the password. Otherwise the next person at this browser could sign in
          // without one.
          prompt: 'login',
        };
        return { ...begun, url: buildAuthorizationUrl(await discovered(), asked).href };
      }),
    finish: (answer, { state, nonce, verifier }) =>
      explained(async () => {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await authorizationCodeGrant(
          await discovered(),
          new URL(`?${answer}`, redirectUrl),
          checks,
        );
        return tokens.claims() ?? refuseSignIn(NOT_EXPECTED);
      }),
  };
}

const NOT_EXPECTED = 'the issuer does not answer as expected';

/** For each error code of the library, the words that the person reads. */
const WORDS: Readonly<Record<string, string>> = {
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: 'the issuer has not signed you in',
  OAUTH_RESPONSE_BODY_ERROR: 'the issuer does not accept the code',
  OAUTH_INVALID_RESPONSE: 'the answer is not that of this sign-in, or not genuine',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'the identity token is not for this sign-in',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'the identity token is not valid now',
  OAUTH_KEY_SELECTION_FAILED: 'no key of the issuer has signed the identity token',
};

async function explained<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    const { code } = cause as { code?: string };
    return refuseSignIn(WORDS[code ?? ''] ?? NOT_EXPECTED, cause);
  }
}

function refuseSignIn(words: string, cause?: unknown): never {
  throw new SignInRefused(words, { cause });
}
