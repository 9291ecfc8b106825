import { refuse } from './errors.ts';

export type WebhookEndpoint = { id: string; url: string; secretCipher: string };

export type Partner = {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  /** Our margin on the exchange's price, in basis points. */
  spreadBasisPoints: number;
  webhookEndpoints: WebhookEndpoint[];
};

export type ApiKey = {
  partnerId: string;
  keyId: string;
  /** Hex SHA-256 of the whole key; the key itself is shown once and never stored. */
  sha256: string;
  status: 'ACTIVE' | 'REVOKED';
};

/** `sk_<stage>_<partnerId>_<keyId>_<secret>` */
const FORM = /^sk_(sandbox|production)_([a-z0-9]{1,32})_([a-z0-9]{1,32})_([A-Za-z0-9]{16,64})$/;

export type KeyParts = { stage: string; partnerId: string; keyId: string };

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
  if (found.partner.status === 'SUSPENDED') refuse('PARTNER_SUSPENDED');
  return found.partner;
}
