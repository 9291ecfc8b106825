/** The keys that partners make themselves: docs/decisions.md, "Keys that partners make". */
import { refuse } from '../errors.ts';
import type { ApiKey, PartnersKey } from './api-key.ts';

/** The limits of a deployment. An endpoint is a witness once its address is as old as `witnessMinutes`. */
export type KeyLimits = { delayMinutes: number; witnessMinutes: number; mostDays: number };

export const KEY_STATUSES = ['ACTIVE', 'WAITING', 'EXPIRED', 'REVOKED'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** The instant from which the key works. Undefined: a witness has not heard of it, and no operator has approved it. */
export function worksFrom({ made, heard, approvedAt }: PartnersKey): number | undefined {
  if (approvedAt !== undefined) return approvedAt;
  const times = made.witnesses.flatMap((id) => heard[id] ?? []);
  const areAll = times.length > 0 && times.length === made.witnesses.length;
  return areAll ? Math.max(...times) + made.waitMs : undefined;
}

/** The key's status now. `maker` is the key that made it, and a key ends with its maker. */
export function statusOf(key: ApiKey, maker: ApiKey | undefined, now: number): KeyStatus {
  if (key.status === 'REVOKED') return 'REVOKED';
  if (key.sha256 !== undefined) return 'ACTIVE';
  if (maker?.sha256 === undefined || maker.status !== 'ACTIVE') return 'REVOKED';
  if (now >= key.made.expiresAt) return 'EXPIRED';
  const from = worksFrom(key);
  return from !== undefined && from <= now ? 'ACTIVE' : 'WAITING';
}

/** The key that made this one. */
export const makerIn = (keys: readonly ApiKey[], key: ApiKey): ApiKey | undefined =>
  keys.find(({ keyId }) => keyId === key.made?.maker);

/** The addresses that hear of a key, and the instant at which one was last removed or replaced. */
type Addresses = { webhookEndpoints: readonly { id: string; createdAt: number }[]; addressLostAt?: number };

/**
 * The endpoints that must hear of a new key: all, in each status, whose addresses are old enough. None if an address
 * was removed or replaced lately, because a thief would do that first.
 */
export function witnessesOf({ webhookEndpoints, addressLostAt = 0 }: Addresses, before: number): string[] {
  if (addressLostAt > before) return [];
  return webhookEndpoints.filter(({ createdAt }) => createdAt <= before).map(({ id }) => id);
}

/** True if the addresses of the partner are still those of the instant. */
export const hasAddressesOf = ({ addressLostAt = 0 }: Pick<Addresses, 'addressLostAt'>, at: number) =>
  addressLostAt < at;

/** An ended key stays in the list for so long. Real days, because people look for a key in that time. */
const LISTED_MS = 30 * 24 * 60 * 60 * 1000;
/** All that a partner can make in that time. Each is an entry of the partner's row. */
export const MOST_MADE_KEYS = 50;

/** The ids that stay in the partner's row beside a new key. Refuses if they are too many. */
export function keyIdsBeside(keys: readonly ApiKey[], now: number): string[] {
  const isListed = (key: ApiKey) =>
    ['ACTIVE', 'WAITING'].includes(statusOf(key, makerIn(keys, key), now)) ||
    key.sha256 !== undefined ||
    now - key.createdAt < LISTED_MS;
  const listed = keys.filter(isListed);
  const made = listed.filter(({ sha256 }) => sha256 === undefined);
  if (made.length >= MOST_MADE_KEYS) refuse('API_KEY_LIMIT', { maximum: MOST_MADE_KEYS });
  return listed.map(({ keyId }) => keyId);
}
