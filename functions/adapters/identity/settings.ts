import type { Clock } from '../../domain/ports.ts';

/** Our contract with the identity provider; a secret as a whole. */
export type IdentitySettings = {
  /** `https://api.sumsub.com`; the paths below `/resources` are appended. */
  baseUrl: string;
  appToken: string;
  /** Signs our requests. */
  secretKey: string;
  /** Signs their webhooks. */
  webhookSecret: string;
  /** Names of our levels there: documents and face of a new client, and the check for one purchase. */
  levels: { identity: string; liveness: string };
};

export type IdentityDeps = { clock: Clock; timeoutMs?: number };
