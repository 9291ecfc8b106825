import type { ApiKey, Partner } from './partner.ts';

export type Partners = {
  /** Key and partner, read consistently: a revoked key is refused at once. */
  findCaller(partnerId: string, keyId: string): Promise<{ key?: ApiKey; partner?: Partner }>;
  findPartner(partnerId: string): Promise<Partner | undefined>;
  findKey(partnerId: string, keyId: string): Promise<ApiKey | undefined>;
  /** The partner's keys in the order in which they were made. */
  listKeys(partner: Partner): Promise<ApiKey[]>;
  /** Sets fields of the partner as it was read. False: somebody has changed it since. */
  save(partner: Partner, set: Partial<Omit<Partner, 'id' | 'version'>>): Promise<boolean>;
  /**
   * Refused from the very next request on. Revoking twice is no error; the key must be there. False where `by`, the
   * partner's key that asks for it, is not active any more: of two that revoke each other, one stays.
   */
  revokeKey(partnerId: string, keyId: string, by?: string): Promise<boolean>;
};
