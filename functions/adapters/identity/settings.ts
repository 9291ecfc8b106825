import type { Clock } from '../../domain/ports.ts';

/** The settings of our account at the identity provider. All of them are secret. */
export type IdentitySettings = {
  /**
   * The origin of the provider's API, for example `https://api.sumsub.com`. The paths of the calls begin with
   * `/resources`.
   */
  baseUrl: string;
  appToken: string;
  /** Signs our requests. */
  secretKey: string;
  /** Signs the provider's webhooks. */
  webhookSecret: string;
  /**
   * The names of our verification levels at the provider. `identity` checks the document and the face of a
   * new client. `liveness` checks the face for one purchase.
   */
  levels: { identity: string; liveness: string };
};

export type IdentityDeps = { clock: Clock; timeoutMs?: number };
