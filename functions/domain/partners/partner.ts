import { refuse } from '../errors.ts';
import type { PartnerTokenIssuer } from './partner-token.ts';

/** A secret that a newer one has replaced: it signs besides until then. */
export type FormerSecret = { cipher: string; until: number };

/** Where a partner takes its events. Secrets are ciphertext of the vault under the partner's id. */
export type WebhookEndpoint = {
  id: string;
  url: string;
  secretCipher: string;
  formerSecret?: FormerSecret;
  /** The request that last rotated: its repetition after a crash must not push out the former secret. */
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
  /** Whose KYC tokens vouch for this partner's clients; without it there is no Model 2. */
  kycTokens?: PartnerTokenIssuer;
  /** Every key that was ever made, in that order; each is a row of its own. */
  keyIds: string[];
  createdAt: number;
  /** Counts the changes of this row: a change is saved on condition that it is the next. */
  version: number;
};

export type ApiKey = {
  partnerId: string;
  keyId: string;
  /** Hex SHA-256 of the whole key; the key itself is shown once and never stored. */
  sha256: string;
  status: 'ACTIVE' | 'REVOKED';
  createdAt: number;
};

/** `sk_<stage>_<partnerId>_<keyId>_<secret>` */
const FORM = /^sk_(sandbox|production)_([a-z0-9]{1,32})_([a-z0-9]{1,32})_([A-Za-z0-9]{16,64})$/;
const ID = /^[a-z0-9]{1,32}$/;

export type KeyParts = { stage: string; partnerId: string; keyId: string };

/** Whether a partner or a key may be called so: the parts of an API key. */
export const isPartnerId = (text: string): boolean => ID.test(text);

/** The parts of a well-formed API key; anything else is refused like an unknown key. */
export function requireKeyParts(text: string | undefined, stage: string): KeyParts {
  const match = FORM.exec(text ?? '');
  if (!match || match[1] !== stage) refuse('INVALID_API_KEY');
  return { stage, partnerId: match[2]!, keyId: match[3]! };
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

/** A key may revoke the partner's others, not itself: docs/decisions.md, "Endpoints under /laas/partner/". */
export function requireOtherKey(keyId: string, callersKeyId: string | undefined): void {
  if (keyId === callersKeyId) refuse('API_KEY_IN_USE');
}

/** Of keys that revoke each other at once, the first does; the others were revoked meanwhile. */
export function requireActive(wasActive: boolean): void {
  if (!wasActive) refuse('INVALID_API_KEY');
}

/** Another partner's key is not found either. */
export function requireKey(key: ApiKey | undefined): ApiKey {
  return key ?? refuse('API_KEY_NOT_FOUND');
}

/** Each endpoint gets every event: more than these would multiply what a partner costs. */
export const MOST_ENDPOINTS = 5;
/** Real hours, also in a hurried sandbox: people deploy the new secret in that time. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** One of the same id is replaced: it came from the same request, and nobody was told its secret. */
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
 * The endpoints with one under a new secret; the one that it had goes on signing for a day. Of two rotations within
 * that day, the first one's secret signs no more.
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

/** What signs a delivery now, the newest first: docs/decisions.md, "Form of a webhook". */
export function signingCiphers({ secretCipher, formerSecret }: WebhookEndpoint, now: number): string[] {
  return formerSecret && now < formerSecret.until ? [secretCipher, formerSecret.cipher] : [secretCipher];
}
