import type { Clock } from '../../domain/ports.ts';

/** Our contract with the identity provider. All of it is secret. */
export type IdentitySettings = {
  /** For example `https://api.sumsub.com`. The paths begin with `/resources`. */
  baseUrl: string;
  appToken: string;
  /** Signs our requests. */
  secretKey: string;
  /** Signs the provider's webhooks. */
  webhookSecret: string;
  /**
   * The names of our levels at the provider. `identity` checks document and face of a new client, `liveness` checks the
   * face for one purchase.
   */
  levels: { identity: string; liveness: string };
};

export type IdentityDeps = { clock: Clock; timeoutMs?: number };
