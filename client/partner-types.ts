/** The resources and bodies below `/laas/partner`, where you manage your account. */

/** Your account. The `id` of a key is the part of the key before its secret. */
export type Partner = {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  /** The service's margin on the exchange's price, in basis points. */
  spreadBasisPoints: number;
  keys: readonly ApiKey[];
  webhookEndpoints: readonly WebhookEndpoint[];
};

/** `displayName` is what your clients see. `returnHosts` are host names, without scheme and port. */
export type PartnerSettings = { displayName: string; returnHosts: readonly string[] };

/** `read` reads, `write` submits clients and buys, `manage` changes the account. No scope contains another. */
export type KeyScope = 'read' | 'write' | 'manage' | (string & {});

export type ApiKey = {
  id: string;
  /**
   * A key that another of your keys made is `WAITING` until `worksFrom`. It ends at the latest with the key
   * that made it.
   */
  status: 'ACTIVE' | 'REVOKED' | 'WAITING' | 'EXPIRED' | (string & {});
  scopes: readonly KeyScope[];
  createdAt: string;
  /** Present if one of your keys made this key: the id of that key, and the end of this one. */
  madeBy?: string;
  expiresAt?: string;
  /**
   * Absent while any endpoint that must receive the event about this key has not received it. The service's
   * operators can approve the key instead.
   */
  worksFrom?: string;
};

/** `scopes` are `read`, `write` or both. The calling key must have them, too. */
export type MakeApiKeyRequest = { scopes: readonly ('read' | 'write')[]; expiresInDays: number };
/** `apiKey` is the whole key. No later answer shows it. */
export type MadeApiKey = ApiKey & { apiKey: string };
export type ApiKeys = { keys: readonly ApiKey[] };

export type WebhookEndpoint = {
  id: string;
  url: string;
  createdAt: string;
  /** Your own words. */
  description?: string;
  /**
   * `DISABLED` by you, or `PAUSED` by the service after days of failure. In both states the endpoint gets
   * only test events and events about keys.
   */
  status: 'ENABLED' | 'DISABLED' | 'PAUSED' | (string & {});
  /** Present while the endpoint is stopped: the time when it was stopped. */
  stoppedAt?: string;
  /** The event types that the endpoint gets. Absent: every type. */
  eventTypes?: readonly string[];
  /** Present while the service also signs with the former secret: the time when that ends. */
  formerSecretUntil?: string;
};

/**
 * Pass each `body` of `replays` to `events.replayRange`. Together they send the events that the endpoint missed while
 * it was stopped.
 */
export type EnabledWebhookEndpoint = WebhookEndpoint & {
  replays?: readonly {
    call: string;
    body: { endpointId: string; missedOnly: true; from: string; to: string };
  }[];
};

export type AddWebhookEndpointRequest = {
  /**
   * An https URL that is reachable from the internet. The sandbox of `npm start` also takes http addresses of its own
   * machine.
   */
  url: string;
  /**
   * False: the endpoint gets only test events and events about keys until you enable it. The default is true.
   */
  enabled?: boolean;
  /** At most 200 characters. Empty: none. */
  description?: string;
  /** The event types that the endpoint gets. Absent or empty: every type. */
  eventTypes?: readonly string[];
};

/** An absent field stays as it is. `enabled: true` also ends a pause. */
export type EditWebhookEndpointRequest = Partial<AddWebhookEndpointRequest>;

/** `secret` is `whsec_<base64>`, for `verifyWebhook`. */
export type AddedWebhookEndpoint = WebhookEndpoint & { secret: string };
/** `eventId` is the id of the event `webhook_endpoint.test`, which the delivery has as `webhook-id`. */
export type TestedWebhookEndpoint = { eventId: string };
export type RotatedWebhookSecret = { id: string; secret: string; formerSecretUntil: string };
export type RemovedWebhookEndpoint = { id: string };
/** The public key of your KYC vendor, as a JWK (RFC 7517). EC keys have `crv`, `x`, `y`, RSA keys have `n`, `e`. */
export type VendorJwk = {
  kty: 'EC' | 'OKP' | 'RSA';
  kid: string;
  alg: 'ES256' | 'EdDSA' | 'RS256' | 'PS256';
  use?: 'sig';
  crv?: 'P-256' | 'Ed25519';
  x?: string;
  y?: string;
  n?: string;
  e?: string;
};
export type VendorKey = {
  kid: string;
  /** The service accepts only tokens that an `ACTIVE` key signed. A `PENDING` key waits for the operators. */
  status: 'PENDING' | 'ACTIVE' | 'WITHDRAWN' | (string & {});
  alg?: string;
  /** The key's thumbprint (RFC 7638). Compare it with the one that your vendor tells you. */
  thumbprint?: string;
  proposedAt?: string;
};
export type VendorKeys = { keys: readonly VendorKey[] };
export type WithdrawnVendorKey = { kid: string; status: 'WITHDRAWN' };
export type RevokedApiKey = { id: string; status: 'REVOKED' };
