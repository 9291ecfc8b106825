import { refuse } from '../errors.ts';
import { type ApiKey, digestOf } from './api-key.ts';
import type { TierCaps } from './caps.ts';
import { statusOf } from './made-key.ts';
import type { PartnerTokenIssuer, ProposedKey } from './partner-token.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export type Partner = {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  /** Our margin on the exchange's price, in basis points. */
  spreadBasisPoints: number;
  webhookEndpoints: WebhookEndpoint[];
  /** The vendor whose KYC tokens vouch for this partner's clients. Without it there is no Model 2. */
  kycTokens?: PartnerTokenIssuer;
  /** The keys that wait for an operator, and the names of registered keys that the partner has withdrawn. */
  proposedKeys?: ProposedKey[];
  withdrawnKids?: string[];
  /** The hosts to which the liveness page may lead the client back. Absent: none. */
  returnHosts?: string[];
  /** The name that the liveness page shows. Absent: `name`. */
  displayName?: string;
  /** The caps that operators changed for clients of a tier. */
  limits?: TierCaps;
  /** The instant at which an address of an endpoint was last removed or replaced. */
  addressLostAt?: number;
  /** The keys in the order of creation, without those of the partner that ended long ago. Each is a row of its own. */
  keyIds: string[];
  createdAt: number;
  /** Counts the changes of this row. A change is saved only if it is the next one. */
  version: number;
};

/** `sk_<stage>_<partnerId>_<keyId>_<secret>` */
const FORM = /^sk_(sandbox|production)_([a-z0-9]{1,32})_([a-z0-9]{1,32})_([A-Za-z0-9]{16,64})$/;
const ID = /^[a-z0-9]{1,32}$/;

export type KeyParts = { stage: string; partnerId: string; keyId: string };

/** True if a partner or a key may have this id, which is part of an API key. */
export const isPartnerId = (text: string): boolean => ID.test(text);

/** The parts of a well-formed API key. Any other text is refused like an unknown key. */
export function requireKeyParts(text: string, stage: string): KeyParts {
  const [, keyStage, partnerId, keyId] = FORM.exec(text) ?? [];
  if (keyStage !== stage || !partnerId || !keyId) refuse('INVALID_API_KEY');
  return { stage, partnerId, keyId };
}

/** The caller: its key, and the partner of the key. */
export type Found = { key: ApiKey; partner: Partner };
/** `maker` is the key that made the key. */
export type Sought = Partial<Found> & { maker?: ApiKey };

/** The partner and its key: spec, "Authentication". `isSame` compares hashes in constant time. */
export function requireCaller(sought: Sought, isSame: (sha256: string) => boolean, now: number): Found {
  const { key, partner, maker } = sought;
  const isProven = key && isSame(digestOf(key)) && statusOf(key, maker, now) === 'ACTIVE';
  if (!isProven || !partner) refuse('INVALID_API_KEY');
  requireNotSuspended(partner);
  return { key, partner };
}

export function requireNotSuspended({ status }: Pick<Partner, 'status'>): void {
  if (status === 'SUSPENDED') refuse('PARTNER_SUSPENDED');
}
