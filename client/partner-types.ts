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

/** `displayName` is what your clients see. `returnHosts` are names without scheme and port. */
export type PartnerSettings = { displayName: string; returnHosts: readonly string[] };

/** `read` reads, `write` submits clients and buys, `manage` changes the account. No scope contains another. */
export type KeyScope = 'read' | 'write' | 'manage' | (string & {});

export type ApiKey = {
  id: string;
  /** A key of your own is `WAITING` until `worksFrom`, and ends with the key that made it. */
  status: 'ACTIVE' | 'REVOKED' | 'WAITING' | 'EXPIRED' | (string & {});
  scopes: readonly KeyScope[];
  createdAt: string;
  /** Present for a key of your own: the key that made it, and its end. */
  madeBy?: string;
  expiresAt?: string;
  /** Absent while an endpoint has not heard of it: then ask the operators to approve it. */
  worksFrom?: string;
};

/** `scopes` are `read`, `write` or both, and the calling key has them, too. */
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
  /** `DISABLED` by you, or `PAUSED` by the service after days of failure. Only an `ENABLED` one gets events. */
  status: 'ENABLED' | 'DISABLED' | 'PAUSED' | (string & {});
  /** Present while it is stopped: the time since when. */
  stoppedAt?: string;
  /** The types that it gets. Absent: every type. */
  eventTypes?: readonly string[];
  /** Present while the former secret also signs, which ends at this time. */
  formerSecretUntil?: string;
};

/** Each `body` is one for `events.replayRange`. Together they send what the endpoint missed while it was stopped. */
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
  /** False: it gets test events alone until you enable it. Default: true. */
  enabled?: boolean;
  /** At most 200 characters. Empty: none. */
  description?: string;
  /** The types of `transaction.` and `kyc.` that it gets. Absent or empty: every type. */
  eventTypes?: readonly string[];
};

/** An absent field stays as it is. `enabled: true` also ends a pause. */
export type EditWebhookEndpointRequest = Partial<AddWebhookEndpointRequest>;

/** `secret` is `whsec_<base64>`, for `verifyWebhook`. */
export type AddedWebhookEndpoint = WebhookEndpoint & { secret: string };
/** The id of the event `webhook_endpoint.test`: its `webhook-id`. */
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
  /** Only the tokens of an `ACTIVE` key are accepted. A `PENDING` one waits for the operators. */
  status: 'PENDING' | 'ACTIVE' | 'WITHDRAWN' | (string & {});
  alg?: string;
  /** By RFC 7638. Compare it with your vendor. */
  thumbprint?: string;
  proposedAt?: string;
};
export type VendorKeys = { keys: readonly VendorKey[] };
export type WithdrawnVendorKey = { kid: string; status: 'WITHDRAWN' };
export type RevokedApiKey = { id: string; status: 'REVOKED' };
