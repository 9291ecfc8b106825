/**
 * Verifies the service's webhooks. They follow https://www.standardwebhooks.com, with symmetric signatures
 * (`v1`).
 */
import { WebhookError, type WebhookFault } from './errors.ts';
import type { Asset, Failure, KycRecord, Refund, TransactionStatus } from './types.ts';

type WebhookMessage<Type extends string, Data> = {
  type: Type;
  /** When the event happened, ISO 8601. */
  timestamp: string;
  data: Data;
};

/** The service may deliver events in any order. Sort the events of a transaction by `sequence`. */
type AboutTransaction = {
  transactionId: string;
  /** Your own reference, if you gave one. */
  externalId?: string;
  status: TransactionStatus;
  sequence: number;
};

/** The events that this version knows: those of the spec ("Events"), and further events of the service. */
export type KnownWebhookEvent =
  | WebhookMessage<'transaction.mfa_cleared', AboutTransaction>
  | WebhookMessage<'transaction.pix_ready', AboutTransaction & { pixPayload: string; pixExpiresAt: string }>
  | WebhookMessage<'transaction.processing', AboutTransaction & { payment: Payment }>
  | WebhookMessage<'transaction.completed', AboutTransaction & Settlement>
  | WebhookMessage<'transaction.failed', AboutTransaction & { failure: Failure }>
  | WebhookMessage<'transaction.expired', AboutTransaction & { missed: 'AUTHENTICATION' | 'PAYMENT' }>
  | WebhookMessage<'transaction.canceled', AboutTransaction>
  | WebhookMessage<'transaction.refunded', AboutTransaction & { refund: Omit<Refund, 'status'> }>
  | WebhookMessage<'transaction.refund_delayed', AboutTransaction & { refund: DelayedRefund }>
  | WebhookMessage<'transaction.refund_failed', AboutTransaction & { refund: Payment }>
  | WebhookMessage<'transaction.pix_returned', AboutTransaction & { returned: ReturnedPix }>
  | WebhookMessage<'transaction.med_opened', AboutTransaction & { med: Med }>
  | WebhookMessage<'transaction.med_closed', AboutTransaction & { med: Med }>
  | WebhookMessage<'kyc.pending', Omit<KycRecord, 'reason'> & { sequence: number }>
  | WebhookMessage<'kyc.approved', KycRecord & { sequence: number }>
  | WebhookMessage<'kyc.rejected', KycRecord & { sequence: number }>
  | WebhookMessage<'api_key.created', CreatedKey>
  | WebhookMessage<'webhook_endpoint.paused', PausedEndpoint>
  | WebhookMessage<'vendor_key.changed', ChangedVendorKey>
  | WebhookMessage<'webhook_endpoint.test', { endpointId: string; sequence: number }>;

/** One of your keys with the scope `manage` made another key. If you did not make it, revoke both keys. */
type CreatedKey = {
  keyId: string;
  scopes: readonly string[];
  expiresAt: string;
  madeBy: string;
  sequence: number;
};

/**
 * The service paused one of your endpoints, because the endpoint accepted no event for five days. Enable it
 * again with `enableWebhookEndpoint`. The answer of that call has `replays`, the calls that send the missed
 * events. You may make the call in `replay` instead. Add the field `to`, the time of your call, to its body.
 */
type PausedEndpoint = {
  endpointId: string;
  failingSince: string;
  replay: { call: string; body: { endpointId: string; missedOnly: true; from: string } };
  sequence: number;
};

/**
 * A key of your KYC vendor was proposed, approved or withdrawn. `changedBy` is the id of your API key that
 * did it. It is absent if an operator of the service did it.
 */
type ChangedVendorKey = {
  kid: string;
  status: 'PENDING' | 'ACTIVE' | 'WITHDRAWN';
  thumbprint?: string;
  changedBy?: string;
  sequence: number;
};

/**
 * A Pix payment and its end-to-end id. When the service sends `transaction.processing`, it has not yet
 * confirmed the payment with its bank.
 */
type Payment = { endToEndId: string; amountBrl: number };

/**
 * A Pix payment that came late or a second time, and so did not pay the purchase. The service has returned it
 * in full.
 */
type ReturnedPix = { endToEndId: string; amountBrl: number; reason: 'PAID_TWICE' | 'PAID_LATE' };

/**
 * A payment that the bank took back by MED (Mecanismo Especial de Devolução), in full or in part. `amountBrl`
 * is absent if the bank does not tell the amount.
 */
type Med = { returnId: string; endToEndId: string; amountBrl?: number };

/** The bank did not carry out the refund. The service tries again at `nextTryAt`. */
type DelayedRefund = Payment & { nextTryAt: string };

type Settlement = {
  txHash: string;
  /** The amount that the service sent to the wallet, as a decimal string of the asset. */
  amount: string;
  asset: Asset;
  amountBrl: number;
  walletAddress: string;
};

/**
 * An event of any type, even of a type that this version does not know. Ignore an unknown type, or check the
 * fields of `data` before you use them.
 */
export type GenericWebhookEvent = WebhookMessage<string, Record<string, unknown>>;

/**
 * Call `isKnownEvent(event)` first. In `switch (event.type)`, TypeScript then knows the fields of
 * `event.data`.
 */
export type WebhookEvent = KnownWebhookEvent | GenericWebhookEvent;

const knownTypes: Record<KnownWebhookEvent['type'], true> = {
  'transaction.mfa_cleared': true,
  'transaction.pix_ready': true,
  'transaction.processing': true,
  'transaction.completed': true,
  'transaction.failed': true,
  'transaction.expired': true,
  'transaction.canceled': true,
  'transaction.refunded': true,
  'transaction.refund_delayed': true,
  'transaction.refund_failed': true,
  'transaction.pix_returned': true,
  'transaction.med_opened': true,
  'transaction.med_closed': true,
  'kyc.pending': true,
  'kyc.approved': true,
  'kyc.rejected': true,
  'api_key.created': true,
  'webhook_endpoint.paused': true,
  'vendor_key.changed': true,
  'webhook_endpoint.test': true,
};

export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return Object.hasOwn(knownTypes, event.type);
}

export type WebhookHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined };

export type VerifyWebhookInput = {
  /**
   * The request's body exactly as it was received. If you parse the JSON and print it again, the signature
   * does not match.
   */
  payload: string | Uint8Array;
  /** The request's headers. Upper and lower case make no difference. */
  headers: WebhookHeaders;
  /** `whsec_<base64>`. Give the new and the former secret while you rotate the secret. */
  secret: string | readonly string[];
  /**
   * The largest difference, in seconds, between the message's timestamp and your clock. The default is 300. A
   * person who captures a message can send it again within this time.
   */
  toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
};

/**
 * Returns the event if one of the secrets signed it and its timestamp is within the tolerance. Otherwise
 * rejects with `INVALID_WEBHOOK`. The service may deliver an event twice. Store the header `webhook-id`, and
 * ignore a message whose id you have already stored.
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookEvent> {
  const { toleranceSeconds = 300, now = Date.now } = input;
  const payload = textOf(input.payload);
  const keys = await importKeys(input.secret);
  const id = requireHeader(input.headers, 'webhook-id');
  const timestamp = requireHeader(input.headers, 'webhook-timestamp');
  const signatures = parseSignatures(requireHeader(input.headers, 'webhook-signature'));

  requireRecent(timestamp, Math.floor(now() / 1000), toleranceSeconds);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${payload}`);
  if (!(await isSignedByOne(keys, signatures, signed))) {
    throw invalid('SIGNATURE_MISMATCH', 'No signature matches the secret');
  }
  return parseEvent(payload);
}

/**
 * The short form of `verifyWebhook`, with the default tolerance. `secret` may be a list of secrets while you
 * rotate.
 */
export const webhooks = {
  verify: (
    body: VerifyWebhookInput['payload'],
    headers: WebhookHeaders,
    secret: VerifyWebhookInput['secret'],
  ): Promise<WebhookEvent> => verifyWebhook({ payload: body, headers, secret }),
};

/** Decodes the bytes as UTF-8. Keeps a byte order mark, because the signature covers it. */
function textOf(payload: string | Uint8Array): string {
  return typeof payload === 'string'
    ? payload
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload);
}

function importKeys(secret: string | readonly string[]): Promise<CryptoKey[]> {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0) throw new TypeError('verifyWebhook needs a secret');
  return Promise.all(secrets.map(importKey));
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : undefined;
  if (!bytes?.length) throw new TypeError('A webhook secret has the form whsec_<base64>');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : findHeader(headers, name);
  if (!value) throw invalid('MISSING_HEADER', `The header ${name} is missing`);
  return value;
}

function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'; // not `instanceof`: a framework may have its own Headers class
}

function findHeader(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'object' ? value.join(' ') : value;
}

/** Parses the header `v1,<base64> v1,<base64> …`. Skips signatures of other versions. */
function parseSignatures(header: string) {
  return header
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => decodeBase64(signature.slice('v1,'.length)))
    .filter((bytes) => bytes !== undefined);
}

function requireRecent(timestamp: string, nowSeconds: number, toleranceSeconds: number): void {
  if (!/^\d+$/.test(timestamp)) throw invalid('INVALID_TIMESTAMP', 'webhook-timestamp is not in seconds');
  // Written so that a tolerance of NaN refuses every message.
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds)) {
    throw invalid('TIMESTAMP_OUT_OF_TOLERANCE', `webhook-timestamp is over ${toleranceSeconds} s away`);
  }
}

/** True if one of the keys made one of the signatures. `subtle.verify` compares in constant time. */
async function isSignedByOne(keys: CryptoKey[], signatures: Uint8Array<ArrayBuffer>[], signed: BufferSource) {
  const pairs = keys.flatMap((key) => signatures.map((signature) => ({ key, signature })));
  const results = pairs.map(({ key, signature }) => crypto.subtle.verify('HMAC', key, signature, signed));
  return (await Promise.all(results)).includes(true);
}

function parseEvent(payload: string): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(payload);
  } catch (cause) {
    throw invalid('INVALID_PAYLOAD', 'The payload is not JSON', cause);
  }
  if (!isEvent(event)) throw invalid('INVALID_PAYLOAD', 'The payload is not {type, timestamp, data}');
  return event;
}

/**
 * Does not check the fields of `data`, because the signature has proved that the service wrote the event.
 */
function isEvent(value: unknown): value is WebhookEvent {
  const event = Object(value) as Partial<Record<string, unknown>>;
  const hasData = typeof event.data === 'object' && event.data !== null;
  return typeof event.type === 'string' && typeof event.timestamp === 'string' && hasData;
}

/** Decodes only canonical base64, so that one signature cannot have two spellings. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

function invalid(reason: WebhookFault, message: string, cause?: unknown) {
  return new WebhookError('INVALID_WEBHOOK', message, { details: { reason }, cause });
}

/** The messages that the sandbox's built-in receiver got. `verified` is true if the signature was right. */
export type SandboxWebhooks = {
  webhooks: readonly { id: string; receivedAt: string; verified: boolean; event: WebhookEvent }[];
};
