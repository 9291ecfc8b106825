import { refuse } from '../errors.ts';

/** `read` reads, `write` submits clients and buys, `manage` changes the account. No scope contains another. */
export const KEY_SCOPES = ['read', 'write', 'manage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The scopes that a partner may give to a key. Operators alone make `manage` keys. */
export const GIVEN_SCOPES = ['read', 'write'] as const satisfies readonly KeyScope[];
export type GivenScope = (typeof GIVEN_SCOPES)[number];

type OfEachKey = { partnerId: string; keyId: string; status: 'ACTIVE' | 'REVOKED'; createdAt: number };

export type OperatorsKey = OfEachKey & {
  /** Hex SHA-256 of the whole key. The key itself is shown once and never stored. No function can write it. */
  sha256: string;
  /** Absent: a key from before the scopes. */
  scopes?: KeyScope[];
  made?: undefined;
};

/** A key that a partner's `manage` key made: docs/decisions.md, "Keys that partners make". */
export type PartnersKey = OfEachKey & {
  sha256?: undefined;
  made: {
    sha256: string;
    scopes: GivenScope[];
    /** Epoch milliseconds. */
    expiresAt: number;
    /** The id of the `manage` key that made it. */
    maker: string;
    /** The endpoints that must hear of it. With none an operator must approve the key. */
    witnesses: string[];
    /** The time between the last witness's news and the first call that the key may make. */
    waitMs: number;
  };
  /** By the id of a witness: the instant at which it took the news. */
  heard: Record<string, number>;
  /** The instant at which an operator approved it. Then it works at once. */
  approvedAt?: number;
};

export type ApiKey = OperatorsKey | PartnersKey;

/** Keys from before the scopes read and write. `requireScope` has the management calls that they keep. */
const FORMER_SCOPES: readonly KeyScope[] = ['read', 'write'];

/** A made key never has `manage`, whatever its row says. */
export const scopesOf = (key: ApiKey): readonly KeyScope[] =>
  key.sha256 === undefined
    ? GIVEN_SCOPES.filter((scope) => key.made.scopes.includes(scope))
    : (key.scopes ?? FORMER_SCOPES);

/** A key of the operators is one even if somebody wrote the fields of the other kind into its row. */
export const digestOf = (key: ApiKey): string => key.sha256 ?? key.made.sha256;

const isFormer = (key: ApiKey) => key.sha256 !== undefined && key.scopes === undefined;

/**
 * Refuses a key without the scope of the route. A key from before the scopes may also make the calls that such keys
 * could make: docs/decisions.md, "Scopes of keys".
 */
export function requireScope(key: ApiKey, scope: KeyScope, isOpenToFormerKeys = false): void {
  if (scopesOf(key).includes(scope) || (isOpenToFormerKeys && isFormer(key))) return;
  refuse('KEY_SCOPE_INSUFFICIENT', { needs: scope, has: scopesOf(key) });
}

/** A key may revoke the partner's other keys, but not itself: docs/decisions.md, "Endpoints under /laas/partner/". */
export function requireOtherKey(keyId: string, callersKeyId: string | undefined): void {
  if (keyId === callersKeyId) refuse('API_KEY_IN_USE');
}

/**
 * Refuses a key that has been revoked since its request began. If two keys revoke each other at once, only the first
 * succeeds.
 */
export function requireActive(wasActive: boolean): void {
  if (!wasActive) refuse('INVALID_API_KEY');
}

/** The key of another partner counts as not found. */
export function requireKey(key: ApiKey | undefined): ApiKey {
  return key ?? refuse('API_KEY_NOT_FOUND');
}
