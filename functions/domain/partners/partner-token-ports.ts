import type { Judged, PublicJwk } from './partner-token.ts';

/** Checks the form and the signature of the partners' KYC tokens. The domain judges the claims. */
export type PartnerTokens = {
  /** The claims of a token that the named one of `keys` signed. A bad token is an answer, not an error. */
  open(token: string, keys: readonly PublicJwk[]): Promise<Judged<{ claims: unknown }>>;
  /** The thumbprint of a key (RFC 7638). Undefined if no token can be checked against the key. */
  thumbprintOf(jwk: PublicJwk): Promise<string | undefined>;
};
