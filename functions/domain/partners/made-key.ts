/** Rules for the keys that partners make themselves: docs/decisions.md, "API keys". */
import { refuse } from '../errors.ts';
import { DAY_MS } from '../time.ts';
import type { ApiKey, PartnersKey } from './api-key.ts';

/**
 * Settings of a deployment. Each endpoint whose URL is at least `witnessMinutes` old must receive the event
 * about a new key. The key works `delayMinutes` after the last of these endpoints has received it. A key is
 * valid for at most `mostDays`.
 */
export type KeyLimits = { delayMinutes: number; witnessMinutes: number; mostDays: number };

export const KEY_STATUSES = ['ACTIVE', 'WAITING', 'EXPIRED', 'REVOKED'] as const;
type KeyStatus = (typeof KEY_STATUSES)[number];

/**
 * The instant from which the key works. An operator's approval makes it work at once. Without an approval,
 * all `witnesses` must have received the event about the key. Undefined until then, and if the key has no
 * witnesses.
 */
export function worksFrom({ made, heard, approvedAt }: PartnersKey): number | undefined {
  if (approvedAt !== undefined) return approvedAt;
  const times = made.witnesses.flatMap((id) => heard[id] ?? []);
  const areAll = times.length > 0 && times.length === made.witnesses.length;
  return areAll ? Math.max(...times) + made.waitMs : undefined;
}

/**
 * The key's status now. `maker` is the key that made it. A key that a partner made ends when its maker is
 * revoked.
 */
export function keyStatus(key: ApiKey, maker: ApiKey | undefined, now: number): KeyStatus {
  if (key.status === 'REVOKED') return 'REVOKED';
  if (key.sha256 !== undefined) return 'ACTIVE';
  if (maker?.sha256 === undefined || maker.status !== 'ACTIVE') return 'REVOKED';
  if (now >= key.made.expiresAt) return 'EXPIRED';
  const from = worksFrom(key);
  return from !== undefined && from <= now ? 'ACTIVE' : 'WAITING';
}

/** Finds the key that made this one. */
export const makerIn = (keys: readonly ApiKey[], key: ApiKey): ApiKey | undefined =>
  keys.find(({ keyId }) => keyId === key.made?.maker);

/** A partner's endpoints. `addressLostAt` is when the URL of an endpoint was last removed or replaced. */
type Addresses = { webhookEndpoints: readonly { id: string; createdAt: number }[]; addressLostAt?: number };

/**
 * The endpoints that must receive the event about a new key: those that existed at the instant `before`,
 * whatever their status. If an endpoint's URL was removed or replaced after that instant, the list is
 * empty, because a thief of the account would do that first.
 */
export function witnessesOf({ webhookEndpoints, addressLostAt = 0 }: Addresses, before: number): string[] {
  if (addressLostAt > before) return [];
  return webhookEndpoints.filter(({ createdAt }) => createdAt <= before).map(({ id }) => id);
}

/** Whether no webhook URL of the partner was removed or replaced since the instant `at`. */
export const hasAddressesOf = ({ addressLostAt = 0 }: Pick<Addresses, 'addressLostAt'>, at: number) =>
  addressLostAt < at;

/**
 * How long after its creation a key stays in the partner's list of keys even if it has ended, because
 * people still look for it. The time is the same in a sandbox with short minutes.
 */
const LISTED_MS = 30 * DAY_MS;
/**
 * The list may have at most this many keys that the partner has made itself. Each key adds an entry to the
 * partner's row.
 */
export const MOST_MADE_KEYS = 50;

/** The ids of keys that stay in the partner's row when a new key is added. Refuses if there are too many. */
export function keyIdsBeside(keys: readonly ApiKey[], now: number): string[] {
  const isListed = (key: ApiKey) =>
    ['ACTIVE', 'WAITING'].includes(keyStatus(key, makerIn(keys, key), now)) ||
    key.sha256 !== undefined ||
    now - key.createdAt < LISTED_MS;
  const listed = keys.filter(isListed);
  const made = listed.filter(({ sha256 }) => sha256 === undefined);
  if (made.length >= MOST_MADE_KEYS) refuse('API_KEY_LIMIT', { maximum: MOST_MADE_KEYS });
  return listed.map(({ keyId }) => keyId);
}
