import type { ApiKey, PartnersKey } from './api-key.ts';
import type { DomainEvent } from './events.ts';
import type { Partner, Sought } from './partner.ts';

export type Partners = {
  /** Reads key, maker and partner consistently, so that a revoked key is refused at once. */
  findCaller(partnerId: string, keyId: string): Promise<Sought>;
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

/** A new key, the ids of the partner's keys with it, and the event that tells of it. */
export type NewKey = { key: PartnersKey; keyIds: string[]; event: DomainEvent };

export type PartnerKeys = Pick<Partners, 'findPartner' | 'findKey' | 'listKeys'> & {
  /** One write adds the key, its id and the event. False: the partner has changed since it was read. */
  create(partner: Partner, added: NewKey): Promise<boolean>;
  /** Gives a key the secret of a repeated request, whose first answer was lost. */
  replaceSecret(key: PartnersKey, sha256: string): Promise<void>;
};

export type KeyNews = {
  /** Notes that an endpoint has taken the news of a key. The first time counts. */
  hear(news: { partnerId: string; keyId: string; endpointId: string; at: number }): Promise<void>;
};

export type VendorKeys = Pick<Partners, 'findPartner'> & {
  /**
   * One write sets fields of the partner as it was read, and adds the event. False: the row has changed since. No
   * function may write `kycTokens`, so a key is active by an operator alone.
   */
  save(
    partner: Partner,
    set: Pick<Partial<Partner>, 'kycTokens' | 'proposedKeys' | 'withdrawnKids'>,
    event: DomainEvent,
  ): Promise<boolean>;
};
