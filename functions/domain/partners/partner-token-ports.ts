import type { JudgedToken, PublicJwk } from './partner-token.ts';

/** Checks the form and the signature of a partner's KYC token. `judgeClaims` then judges its claims. */
export type PartnerTokens = {
  /**
   * Answers the claims of a token, if the key that the token names is one of `keys` and has signed the
   * token. `kid` is the name of that key. A bad token is returned as a fault, not thrown.
   */
  open(token: string, keys: readonly PublicJwk[]): Promise<JudgedToken<{ claims: unknown; kid: string }>>;
  /** The thumbprint of a key (RFC 7638). Undefined if the key cannot verify any token. */
  thumbprintOf(jwk: PublicJwk): Promise<string | undefined>;
};
