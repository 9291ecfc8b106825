import type { Clock } from '../../domain/ports.ts';

/** Our contract with the identity provider. The whole is a secret. */
export type IdentitySettings = {
  /** `https://api.sumsub.com`. The paths below `/resources` are appended. */
  baseUrl: string;
  appToken: string;
  /** Signs our requests. */
  secretKey: string;
  /** Signs the provider's webhooks. */
  webhookSecret: string;
  /** The names of our levels at the provider: document and face of a new client, and the check for one purchase. */
  levels: { identity: string; liveness: string };
};

export type IdentityDeps = { clock: Clock; timeoutMs?: number };
