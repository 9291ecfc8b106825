import { refuse } from '../errors.ts';
import type { PartnerTokenIssuer } from './partner-token.ts';
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
  /** Every key that was ever made, in the order of creation. Each key is a row of its own. */
  keyIds: string[];
  createdAt: number;
  /** Counts the changes of this row. A change is saved only if it is the next one. */
  version: number;
};

export type ApiKey = {
  partnerId: string;
  keyId: string;
  /** Hex SHA-256 of the whole key. The key itself is shown once and never stored. */
  sha256: string;
  status: 'ACTIVE' | 'REVOKED';
  createdAt: number;
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

/** The partner behind a key: spec, "Authentication". `isSame` compares hashes in constant time. */
export function requireCaller(
  found: { key?: ApiKey; partner?: Partner },
  isSame: (sha256: string) => boolean,
): Partner {
  if (found.key?.status !== 'ACTIVE' || !found.partner || !isSame(found.key.sha256))
    refuse('INVALID_API_KEY');
  requireNotSuspended(found.partner);
  return found.partner;
}

export function requireNotSuspended({ status }: Pick<Partner, 'status'>): void {
  if (status === 'SUSPENDED') refuse('PARTNER_SUSPENDED');
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
