import type { Judged, PublicJwk } from './partner-token.ts';

/** Opens the KYC tokens of partners: form and signature. What the claims say is judged by the domain. */
export type PartnerTokens = {
  /** The claims of a token that the named one of `keys` signed. A token that is bad is an answer, not an error. */
  open(token: string, keys: readonly PublicJwk[]): Promise<Judged<{ claims: unknown }>>;
};
