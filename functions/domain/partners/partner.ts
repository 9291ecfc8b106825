import { refuse } from '../errors.ts';
import { type ApiKey, keyDigest } from './api-key.ts';
import type { TierCaps } from './caps.ts';
import { keyStatus } from './made-key.ts';
import type { PartnerTokenIssuer, ProposedKey } from './partner-token.ts';
import type { ChangedQuota } from './registry-quota.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export type Partner = {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  /** Our margin on the price of the exchanges, in basis points. */
  spreadBasisPoints: number;
  webhookEndpoints: WebhookEndpoint[];
  /** The vendor whose KYC tokens this partner may send. Without it the partner cannot use Model 2. */
  kycTokens?: PartnerTokenIssuer;
  /**
   * The vendor's keys that wait for an operator's approval, and the ids of registered keys that the partner
   * has withdrawn.
   */
  proposedKeys?: ProposedKey[];
  withdrawnKids?: string[];
  /** The hosts to which the liveness page may return a client. Absent if there are none. */
  returnHosts?: string[];
  /** The name that the liveness page shows. If it is absent, the page shows `name`. */
  displayName?: string;
  /** The caps that operators changed for this partner's clients, for each tier. */
  limits?: TierCaps;
  /** The daily quota of paid look-ups, if operators changed it. */
  registryQuota?: ChangedQuota;
  /** When the URL of an endpoint was last removed or replaced. */
  addressLostAt?: number;
  /**
   * The ids of the partner's keys in the order of their creation, without those that ended long ago. Each key has a row
   * of its own.
   */
  keyIds: string[];
  createdAt: number;
  /**
   * Counts the changes of this row. A change is saved only if the row still has the version that was read.
   */
  version: number;
};

/** The form of an API key: `sk_<stage>_<partnerId>_<keyId>_<secret>`. */
const FORM = /^sk_(sandbox|production)_([a-z0-9]{1,32})_([a-z0-9]{1,32})_([A-Za-z0-9]{16,64})$/;
const ID = /^[a-z0-9]{1,32}$/;

type KeyParts = { stage: string; partnerId: string; keyId: string };

/** Whether a partner or a key may have this id. Ids are part of API keys, so their form is limited. */
export const isPartnerId = (text: string): boolean => ID.test(text);

/** The parts of an API key. A malformed key is refused like an unknown one. */
export function requireKeyParts(text: string, stage: string): KeyParts {
  const [, keyStage, partnerId, keyId] = FORM.exec(text) ?? [];
  if (keyStage !== stage || !partnerId || !keyId) refuse('INVALID_API_KEY');
  return { stage, partnerId, keyId };
}

/** The caller: its key, and the partner of the key. */
type KeyHolder = { key: ApiKey; partner: Partner };
/** The rows that were found for an API key. `maker` is the key that made it. */
export type Sought = Partial<KeyHolder> & { maker?: ApiKey };

/**
 * Requires an active key of a partner: spec, "Authentication". The partner may be suspended. `isSame` compares digests
 * in constant time.
 */
export function requireCaller(sought: Sought, isSame: (sha256: string) => boolean, now: number): KeyHolder {
  const { key, partner, maker } = sought;
  const isProven = key && isSame(keyDigest(key)) && keyStatus(key, maker, now) === 'ACTIVE';
  if (!isProven || !partner) refuse('INVALID_API_KEY');
  return { key, partner };
}

export function requireNotSuspended({ status }: Pick<Partner, 'status'>): void {
  if (status === 'SUSPENDED') refuse('PARTNER_SUSPENDED');
}
