import { refuse } from '../errors.ts';

/**
 * The rights of a key. `read` reads, `write` submits clients and buys, `manage` changes the account. No scope includes
 * another.
 */
export const KEY_SCOPES = ['read', 'write', 'manage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The scopes that a partner may give to its keys. Only operators make keys with `manage`. */
export const GIVEN_SCOPES = ['read', 'write'] as const satisfies readonly KeyScope[];
export type GivenScope = (typeof GIVEN_SCOPES)[number];

type OfEachKey = { partnerId: string; keyId: string; status: 'ACTIVE' | 'REVOKED'; createdAt: number };

export type OperatorsKey = OfEachKey & {
  /**
   * SHA-256 of the whole key, in hex. The key itself is shown once and never stored. Only the function of the
   * operators' console may write this attribute.
   */
  sha256: string;
  scopes: KeyScope[];
  made?: undefined;
};

/** A key that a partner's `manage` key made: docs/decisions.md, "API keys". */
export type PartnersKey = OfEachKey & {
  sha256?: undefined;
  made: {
    sha256: string;
    scopes: GivenScope[];
    /** When the key ends, in epoch milliseconds. */
    expiresAt: number;
    /** The id of the `manage` key that made this key. */
    maker: string;
    /**
     * The ids of the webhook endpoints that must receive the event about this key before the key works. If the list is
     * empty, an operator must approve the key.
     */
    witnesses: string[];
    /**
     * How long the key still waits after the last endpoint in `witnesses` has received the event, in
     * milliseconds.
     */
    waitMs: number;
  };
  /** When each endpoint has received the event about the key. The field's name is the endpoint's id. */
  heard: Record<string, number>;
  /** When an operator approved the key. From then on it works. */
  approvedAt?: number;
};

export type ApiKey = OperatorsKey | PartnersKey;

/** The scopes of a key. A key that a partner made never has `manage`, even if its row says so. */
export const keyScopes = (key: ApiKey): readonly KeyScope[] =>
  key.sha256 === undefined ? GIVEN_SCOPES.filter((scope) => key.made.scopes.includes(scope)) : key.scopes;

/** The SHA-256 of a key. If the row of an operators' key also has `made`, that part is ignored. */
export const keyDigest = (key: ApiKey): string => key.sha256 ?? key.made.sha256;

/** Refuses a key without the route's scope: docs/decisions.md, "API keys". */
export function requireScope(key: ApiKey, scope: KeyScope): void {
  if (keyScopes(key).includes(scope)) return;
  refuse('KEY_SCOPE_INSUFFICIENT', { needs: scope, has: keyScopes(key) });
}

/** Refuses to revoke the key of the caller itself: docs/decisions.md, "Accounts of partners". */
export function requireOtherKey(keyId: string, callersKeyId: string | undefined): void {
  if (keyId === callersKeyId) refuse('API_KEY_IN_USE');
}

/**
 * Refuses a caller whose own key was revoked since its request began. If two keys revoke each other at once, only the
 * first request succeeds.
 */
export function requireActive(wasActive: boolean): void {
  if (!wasActive) refuse('INVALID_API_KEY');
}

/**
 * Refuses if the key was not found. The caller searches only the partner's own keys, so a key of another
 * partner is not found either.
 */
export function requireKey(key: ApiKey | undefined): ApiKey {
  return key ?? refuse('API_KEY_NOT_FOUND');
}
