/**
 * Every error code of the service, by family. A family tells what the partner can do about its codes. `errors.ts` has
 * one class for each family. docs/errors.md has the remedy of each code.
 */
export const FAMILIES = {
  /** Your key or your account may not make this call. */
  AuthenticationError: ['INVALID_API_KEY', 'PARTNER_SUSPENDED', 'KEY_SCOPE_INSUFFICIENT'],
  /** The request is wrong. `field` and `issues` say where. */
  InvalidRequestError: [
    'INVALID_REQUEST',
    'REQUEST_TOO_LARGE',
    'AMOUNT_OUT_OF_RANGE',
    'UNSUPPORTED_ASSET',
    'INVALID_WALLET_ADDRESS',
  ],
  NotFoundError: [
    'NOT_FOUND',
    'KYC_TOKEN_NOT_FOUND',
    'TRANSACTION_NOT_FOUND',
    'QUOTE_NOT_FOUND',
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    'EVENT_NOT_FOUND',
    'API_KEY_NOT_FOUND',
    'VENDOR_KEY_NOT_FOUND',
  ],
  /** The state of the resource, or an earlier call of yours, does not allow this call. */
  ConflictError: [
    'TRANSACTION_EXPIRED',
    'INVALID_TRANSACTION_STATE',
    'TRANSACTION_NOT_CANCELABLE',
    'CHALLENGE_TYPE_MISMATCH',
    'IDEMPOTENCY_KEY_REUSED',
    'IDEMPOTENCY_IN_PROGRESS',
    'EXTERNAL_ID_TAKEN',
    'QUOTE_MISMATCH',
    'QUOTE_USED',
    'QUOTE_EXPIRED',
    'RECEIPT_NOT_AVAILABLE',
    'WEBHOOK_ENDPOINT_LIMIT',
    'API_KEY_IN_USE',
    'API_KEY_LIMIT',
    'VENDOR_KEY_LIMIT',
  ],
  /** Your client, or their wallet or code, was refused. Tell the client. */
  ClientRefusedError: [
    'KYC_REJECTED',
    'KYC_TOKEN_EXPIRED',
    'KYC_NOT_APPROVED',
    'CLIENT_BLOCKED',
    'WALLET_RISK_TOO_HIGH',
    'LIMIT_EXCEEDED',
    'MFA_INVALID_CODE',
    'MFA_ATTEMPTS_EXCEEDED',
  ],
  /** Come back after `retryAfterSeconds`. */
  RateLimitError: ['RATE_LIMIT_EXCEEDED', 'KYC_QUOTA_EXCEEDED'],
  /** The service cannot answer now. The same request may succeed later. */
  UnavailableError: ['INTERNAL_ERROR', 'PRICE_UNAVAILABLE', 'PROMISES_EXHAUSTED', 'LIQUIDITY_UNAVAILABLE'],
} as const;

/** This library raises these codes itself. The service never sends them. */
export const OWN_FAMILIES = {
  /**
   * `NETWORK_ERROR`: the service could not be reached, or the connection broke. `cause` says why. `TIMEOUT`: no
   * complete answer came within `timeoutMs`. `UNEXPECTED_RESPONSE`: the answer is not the service's envelope, such as
   * a proxy's page, a redirect or the page of a wrong base URL.
   */
  ConnectionError: ['NETWORK_ERROR', 'TIMEOUT', 'UNEXPECTED_RESPONSE'],
  /**
   * `WAIT_TIMED_OUT`: the wait ran out of time. `details.status` is the last status that was read, if any.
   * `STATUS_UNREACHABLE`: the status can no longer become a wanted one. `details.reason` says why, if there is a
   * reason.
   */
  WaitError: ['WAIT_TIMED_OUT', 'STATUS_UNREACHABLE'],
  /** `verifyWebhook` does not trust the message. `details.reason` says why. */
  WebhookError: ['INVALID_WEBHOOK'],
} as const;

type Families = typeof FAMILIES;
type OwnFamilies = typeof OWN_FAMILIES;

/** All codes of the service that this version of the library knows. */
export type ServiceErrorCode = Families[keyof Families][number];
export type ClientErrorCode = OwnFamilies[keyof OwnFamilies][number];

/** The editor completes the known codes. A code that the service adds later is still a string. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

export type Family = keyof (Families & OwnFamilies);
export type CodeOf<Name extends Family> = (Families & OwnFamilies)[Name][number];

/** The field of the request that a code is about. Other codes name no single field. */
export const FIELD_OF: Partial<Record<string, string>> = {
  AMOUNT_OUT_OF_RANGE: 'amountBrl',
  UNSUPPORTED_ASSET: 'asset',
  INVALID_WALLET_ADDRESS: 'walletAddress',
  WALLET_RISK_TOO_HIGH: 'walletAddress',
  KYC_TOKEN_NOT_FOUND: 'kycToken',
  KYC_TOKEN_EXPIRED: 'kycToken',
  EXTERNAL_ID_TAKEN: 'externalId',
  QUOTE_NOT_FOUND: 'quoteId',
  QUOTE_MISMATCH: 'quoteId',
  QUOTE_USED: 'quoteId',
  MFA_INVALID_CODE: 'totpCode',
} satisfies Partial<Record<ServiceErrorCode, string>>;
