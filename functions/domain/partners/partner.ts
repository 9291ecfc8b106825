import { refuse } from '../errors.ts';
import type { PartnerTokenIssuer } from './partner-token.ts';

/** A replaced secret. It signs in addition to the newer one until `until`, in epoch milliseconds. */
export type FormerSecret = { cipher: string; until: number };

/** An address that gets the partner's events. Secrets are ciphertext of the vault under the partner's id. */
export type WebhookEndpoint = {
  id: string;
  url: string;
  secretCipher: string;
  formerSecret?: FormerSecret;
  /** The request that rotated last. Its repetition after a crash must not push out the former secret. */
  rotatedBy?: string;
  createdAt: number;
};

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

/** Each endpoint gets every event. More endpoints would multiply the cost of a partner. */
export const MOST_ENDPOINTS = 5;
/** Real hours, also in a hurried sandbox, because people deploy the new secret in that time. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;

/**
 * Adds an endpoint, or replaces the one of the same id. That one came from the same request, whose answer was lost.
 */
export function withEndpoint(endpoints: WebhookEndpoint[], added: WebhookEndpoint): WebhookEndpoint[] {
  const others = endpoints.filter(({ id }) => id !== added.id);
  if (others.length >= MOST_ENDPOINTS) refuse('WEBHOOK_ENDPOINT_LIMIT', { maximum: MOST_ENDPOINTS });
  return [...others, added];
}

export function requireEndpoint(endpoints: WebhookEndpoint[], id: string): WebhookEndpoint {
  return endpoints.find((each) => each.id === id) ?? refuse('WEBHOOK_ENDPOINT_NOT_FOUND');
}

export function withoutEndpoint(endpoints: WebhookEndpoint[], id: string): WebhookEndpoint[] {
  const removed = requireEndpoint(endpoints, id);
  return endpoints.filter((each) => each !== removed);
}

/**
 * The endpoints after the rotation of one secret. The former secret goes on signing for a day. If the secret is
 * rotated twice within a day, the first one signs no more.
 */
export function withNewSecret(
  endpoints: WebhookEndpoint[],
  { id, secretCipher, by, now }: { id: string; secretCipher: string; by: string; now: number },
): WebhookEndpoint[] {
  const found = requireEndpoint(endpoints, id);
  const replaced = { cipher: found.secretCipher, until: now + SECRET_OVERLAP_MS };
  const formerSecret = found.rotatedBy === by ? found.formerSecret : replaced;
  const next = { ...found, secretCipher, formerSecret, rotatedBy: by };
  return endpoints.map((each) => (each === found ? next : each));
}

/** The secrets that sign a delivery now, the newest first: docs/decisions.md, "Form of a webhook". */
export function signingCiphers({ secretCipher, formerSecret }: WebhookEndpoint, now: number): string[] {
  return formerSecret && now < formerSecret.until ? [secretCipher, formerSecret.cipher] : [secretCipher];
}
