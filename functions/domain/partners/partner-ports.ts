import type { ApiKey } from './api-key.ts';
import type { Partner } from './partner.ts';

export type Partners = {
  /** Reads key and partner consistently, so that a revoked key is refused at once. */
  findCaller(partnerId: string, keyId: string): Promise<{ key?: ApiKey; partner?: Partner }>;
  findPartner(partnerId: string): Promise<Partner | undefined>;
  findKey(partnerId: string, keyId: string): Promise<ApiKey | undefined>;
  /** The partner's keys in the order of their creation. */
  listKeys(partner: Partner): Promise<ApiKey[]>;
  /** Sets fields of the partner as it was read. False: the row has changed since. */
  save(partner: Partner, set: Partial<Omit<Partner, 'id' | 'version'>>): Promise<boolean>;
  /**
   * Revokes a key from the next request on. To revoke it twice is no error, but the key must exist. `by` is the
   * partner's key that asks. Returns false if that key is no longer active: of two keys that revoke each other, one
   * stays.
   */
  revokeKey(partnerId: string, keyId: string, by?: string): Promise<boolean>;
};
