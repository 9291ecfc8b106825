/**
 * Every error code of the service, grouped in families. The codes of one family need the same kind of
 * reaction by the partner. `errors.ts` has one class for each family. `docs/errors.md` has the remedy of each
 * code.
 */
export const FAMILIES = {
  /** The API key is not valid, lacks the scope for this call, or belongs to a suspended account. */
  AuthenticationError: ['INVALID_API_KEY', 'PARTNER_SUSPENDED', 'KEY_SCOPE_INSUFFICIENT'],
  /** The request is wrong. `field` and `issues` of the error name the wrong fields. */
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
  /**
   * The call conflicts with the state of the resource, with an earlier call of yours, or with a maximum
   * number.
   */
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
  /**
   * The service refused your client, or the client's KYC token, wallet, amount or TOTP code. Tell the client.
   */
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

/** This library itself raises these codes. The service never sends them. */
export const OWN_FAMILIES = {
  /**
   * `NETWORK_ERROR`: the service could not be reached, or the connection broke. The error's `cause` says why.
   * `TIMEOUT`: no complete answer came within `timeoutMs`. `UNEXPECTED_RESPONSE`: the answer does not have
   * the service's form, so it may come from a proxy, a redirect or a wrong base URL.
   */
  ConnectionError: ['NETWORK_ERROR', 'TIMEOUT', 'UNEXPECTED_RESPONSE'],
  /**
   * `WAIT_TIMED_OUT`: the wait reached no wanted status within `timeoutMs`. `details.status` is the last
   * status that was read. It is undefined if none was read. `STATUS_UNREACHABLE`: further reads would not
   * show a wanted status. `details.reason` is the service's reason, if it gave one.
   */
  WaitError: ['WAIT_TIMED_OUT', 'STATUS_UNREACHABLE'],
  /** `verifyWebhook` refused the message. `details.reason` says why. */
  WebhookError: ['INVALID_WEBHOOK'],
} as const;

type Families = typeof FAMILIES;
type OwnFamilies = typeof OWN_FAMILIES;

/** All codes of the service that this version of the library knows. */
export type ServiceErrorCode = Families[keyof Families][number];
export type ClientErrorCode = OwnFamilies[keyof OwnFamilies][number];

/**
 * An editor proposes the codes that this version knows. Any other string is allowed too, because the service
 * may add codes later.
 */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

export type Family = keyof (Families & OwnFamilies);
export type CodeOf<Name extends Family> = (Families & OwnFamilies)[Name][number];

/**
 * The field of the request that each of these error codes is about. The other codes are not about one single
 * field.
 */
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
