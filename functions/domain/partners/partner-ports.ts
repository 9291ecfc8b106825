import type { ApiKey, PartnersKey } from './api-key.ts';
import type { DomainEvent } from './events.ts';
import type { Partner, Sought } from './partner.ts';

export type Partners = {
  /**
   * Reads a key, the key that made it and its partner by consistent reads, so that a revoked key is refused
   * at once.
   */
  findCaller(partnerId: string, keyId: string): Promise<Sought>;
  findPartner(partnerId: string): Promise<Partner | undefined>;
  findKey(partnerId: string, keyId: string): Promise<ApiKey | undefined>;
  /** The partner's keys in the order of their creation. */
  listKeys(partner: Partner): Promise<ApiKey[]>;
  /** Sets fields of the partner. False if the row has changed since it was read. */
  save(partner: Partner, set: Partial<Omit<Partner, 'id' | 'version'>>): Promise<boolean>;
  /**
   * Revokes a key, so that the next request with it is refused. The call may be repeated, but the key must
   * exist. `by` is the key that asks. False if `by` is no longer active. If two keys revoke each other, one
   * of them therefore stays.
   */
  revokeKey(partnerId: string, keyId: string, by?: string): Promise<boolean>;
};

/** A new key, the ids of the keys that the partner's row then lists, and the event about the new key. */
type NewKey = { key: PartnersKey; keyIds: string[]; event: DomainEvent };

export type PartnerKeys = Pick<Partners, 'findPartner' | 'findKey' | 'listKeys'> & {
  /** Adds the key, its id and the event in one write. False if the partner has changed since it was read. */
  create(partner: Partner, added: NewKey): Promise<boolean>;
  /**
   * Gives a key another secret. The caller does this when the request to make the key is repeated, because
   * the first answer with its secret was lost.
   */
  replaceSecret(key: PartnersKey, sha256: string): Promise<void>;
};

export type KeyNews = {
  /**
   * Records that an endpoint has received the event about a key. Repeated calls for the same endpoint change nothing.
   */
  hear(news: { partnerId: string; keyId: string; endpointId: string; at: number }): Promise<void>;
};

export type VendorKeys = Pick<Partners, 'findPartner'> & {
  /**
   * Sets fields of the partner and adds the event in one write. False if the row has changed since it was
   * read, unless an earlier call has already written this event. No Lambda function but the console's has a
   * grant to write `kycTokens`, so only an operator can make a key active.
   */
  save(
    partner: Partner,
    set: Pick<Partial<Partner>, 'kycTokens' | 'proposedKeys' | 'withdrawnKids'>,
    event: DomainEvent,
  ): Promise<boolean>;
};
