/**
 * The resources and request bodies of the calls below `/laas/partner`, with which you manage your account.
 */

/**
 * Your account. The `id` of a key in `keys` is the part of the API key that stands before its secret part.
 */
export type Partner = {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  /** The service's margin on top of the exchange's price, in basis points (hundredths of a percent). */
  spreadBasisPoints: number;
  keys: readonly ApiKey[];
  webhookEndpoints: readonly WebhookEndpoint[];
};

/**
 * `displayName` is the name that your clients see. `returnHosts` are the hosts that a `returnUrl` may have,
 * without scheme and port.
 */
export type PartnerSettings = { displayName: string; returnHosts: readonly string[] };

/**
 * `read` allows reads, `write` allows KYC submissions and purchases, and `manage` allows changes of the
 * account. No scope contains another.
 */
export type KeyScope = 'read' | 'write' | 'manage' | (string & {});

export type ApiKey = {
  id: string;
  /**
   * `WAITING`: another of your keys made this key, and it does not work before `worksFrom`. The key ends no
   * later than the key that made it.
   */
  status: 'ACTIVE' | 'REVOKED' | 'WAITING' | 'EXPIRED' | (string & {});
  scopes: readonly KeyScope[];
  createdAt: string;
  /**
   * `madeBy` and `expiresAt` are present if another of your keys made this key. `madeBy` is the id of that
   * other key. This key ends at `expiresAt`.
   */
  madeBy?: string;
  expiresAt?: string;
  /**
   * The time from which the key works. It is absent until all endpoints that must receive the event about
   * this key have received it. The service's operators can also approve the key, which makes it work at once.
   */
  worksFrom?: string;
};

/** `scopes` are `read`, `write` or both. The calling key must have each of them too. */
export type MakeApiKeyRequest = { scopes: readonly ('read' | 'write')[]; expiresInDays: number };
/** `apiKey` is the whole key, with its secret part. Store it, because no other call shows it. */
export type MadeApiKey = ApiKey & { apiKey: string };
export type ApiKeys = { keys: readonly ApiKey[] };

export type WebhookEndpoint = {
  id: string;
  url: string;
  createdAt: string;
  /** Your own words. */
  description?: string;
  /**
   * `DISABLED`: you stopped the endpoint. `PAUSED`: the service stopped it, because it accepted no event for
   * days. In both states the endpoint gets only test events and events about keys.
   */
  status: 'ENABLED' | 'DISABLED' | 'PAUSED' | (string & {});
  /** Present while the endpoint is `DISABLED` or `PAUSED`: the time when this state began. */
  stoppedAt?: string;
  /**
   * The types of `transaction` and `kyc` events that the endpoint gets. Absent: all of them. The filter does
   * not apply to other events, such as those about keys.
   */
  eventTypes?: readonly string[];
  /** Present while the service signs with the new and the former secret: the time until which it does so. */
  formerSecretUntil?: string;
};

/**
 * Each entry of `replays` is a call that sends missed events. Pass its `body` to `events.replayRange`.
 * Together the calls send all events that the endpoint missed while it was stopped.
 */
export type EnabledWebhookEndpoint = WebhookEndpoint & {
  replays?: readonly {
    call: string;
    body: { endpointId: string; missedOnly: true; from: string; to: string };
  }[];
};

export type AddWebhookEndpointRequest = {
  /**
   * An https URL that the internet can reach. A sandbox that you start with `npm start` also takes an http
   * URL of the same machine.
   */
  url: string;
  /**
   * False: the endpoint gets only test events and events about keys until you enable it. The default is true.
   */
  enabled?: boolean;
  /** At most 200 characters. Empty: none. */
  description?: string;
  /**
   * The types of `transaction` and `kyc` events that the endpoint gets. Absent or empty: all of them. The
   * filter does not apply to other events, such as those about keys.
   */
  eventTypes?: readonly string[];
};

/** A field that is left out keeps its value. `enabled: true` also ends a pause that the service began. */
export type EditWebhookEndpointRequest = Partial<AddWebhookEndpointRequest>;

/** `secret` is `whsec_<base64>`. `verifyWebhook` needs it. */
export type AddedWebhookEndpoint = WebhookEndpoint & { secret: string };
/**
 * `eventId` is the id of the `webhook_endpoint.test` event. The delivery has it in the header `webhook-id`.
 */
export type TestedWebhookEndpoint = { eventId: string };
export type RotatedWebhookSecret = { id: string; secret: string; formerSecretUntil: string };
export type RemovedWebhookEndpoint = { id: string };
/**
 * The public key of your KYC vendor, as a JWK (RFC 7517). EC keys have `crv`, `x` and `y`. OKP keys have
 * `crv` and `x`. RSA keys have `n` and `e`. Leave out the `key_ops` and `ext` of `crypto.subtle.exportKey`, because
 * the service refuses other fields.
 */
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
  /**
   * The service accepts only tokens that an `ACTIVE` key signed. A `PENDING` key waits for the approval of
   * the service's operators.
   */
  status: 'PENDING' | 'ACTIVE' | 'WITHDRAWN' | (string & {});
  alg?: string;
  /** The key's thumbprint (RFC 7638). Compare it with the thumbprint that your vendor gives you. */
  thumbprint?: string;
  proposedAt?: string;
};
export type VendorKeys = { keys: readonly VendorKey[] };
export type WithdrawnVendorKey = { kid: string; status: 'WITHDRAWN' };
export type RevokedApiKey = { id: string; status: 'REVOKED' };
