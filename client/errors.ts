import type { FailureReason, KycRejectionReason } from './types.ts';

/** The nine codes of the spec ("Errors"). */
type SpecCode =
  | 'INVALID_API_KEY'
  | 'PARTNER_SUSPENDED'
  | 'KYC_REJECTED'
  | 'KYC_TOKEN_EXPIRED'
  | 'INVALID_WALLET_ADDRESS'
  | 'TRANSACTION_NOT_FOUND'
  | 'MFA_INVALID_CODE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR';

/** The service adds these codes where the spec names none (docs/decisions.md). */
type AddedCode =
  | 'NOT_FOUND'
  | 'REQUEST_TOO_LARGE'
  | 'INVALID_REQUEST'
  | 'AMOUNT_OUT_OF_RANGE'
  | 'UNSUPPORTED_ASSET'
  | 'KYC_TOKEN_NOT_FOUND'
  | 'KYC_NOT_APPROVED'
  | 'CLIENT_BLOCKED'
  | 'WALLET_RISK_TOO_HIGH'
  | 'TRANSACTION_EXPIRED'
  | 'INVALID_TRANSACTION_STATE'
  | 'TRANSACTION_NOT_CANCELABLE'
  | 'CHALLENGE_TYPE_MISMATCH'
  | 'MFA_ATTEMPTS_EXCEEDED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_LIMIT'
  | 'KEY_SCOPE_INSUFFICIENT'
  | 'API_KEY_NOT_FOUND'
  | 'API_KEY_IN_USE'
  | 'PRICE_UNAVAILABLE'
  | 'LIMIT_EXCEEDED'
  | 'LIQUIDITY_UNAVAILABLE'
  | 'EXTERNAL_ID_TAKEN';

/** All codes of the service that this version of the library knows. */
export type ServiceErrorCode = SpecCode | AddedCode;

/** This library raises these codes itself. The service never sends them. */
export type ClientErrorCode =
  /** The service could not be reached, or the connection broke. `cause` says why. */
  | 'NETWORK_ERROR'
  /** No complete answer came within `timeoutMs`. */
  | 'TIMEOUT'
  /** The answer is not the service's envelope. Examples are a proxy's page, a redirect and a wrong base URL. */
  | 'UNEXPECTED_RESPONSE'
  /** `waitForStatus` or `waitForKyc` ran out of time. `details.status` is the last status that was read, if any. */
  | 'WAIT_TIMED_OUT'
  /**
   * `waitForStatus` or `waitForKyc` read a status that can no longer become a wanted one. `details.reason` says why,
   * if there is a reason.
   */
  | 'STATUS_UNREACHABLE'
  /** `verifyWebhook` does not trust the message. `details.reason` says why. */
  | 'INVALID_WEBHOOK';

/** The editor completes the known codes. A code that the service adds later is still a string. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

/**
 * `details.reason` of `INVALID_WALLET_ADDRESS`. `RESERVED` is the address of a token, of the oracle or of a paying
 * wallet.
 */
export type WalletAddressFault = 'FORM' | 'CHECKSUM' | 'ZERO' | 'RESERVED';

/**
 * `details.scope` of `MFA_ATTEMPTS_EXCEEDED`. At `transaction` the client can open a new transaction at once. At
 * `client` the client must first wait until the lock ends.
 */
export type MfaAttemptsScope = 'transaction' | 'client';

/** `details.limit` of `LIMIT_EXCEEDED`: the limit that the client has reached. */
export type ClientLimit = 'OPEN_CHARGES' | 'DAILY_AMOUNT';

/** `details.reason` of `INVALID_WEBHOOK`. */
export type WebhookFault =
  | 'MISSING_HEADER'
  | 'INVALID_TIMESTAMP'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'SIGNATURE_MISMATCH'
  | 'INVALID_PAYLOAD';

/** A wrong field of the request. `path` is the field's name; dots and indexes lead to a nested field. */
export type RequestIssue = { path: string; message: string };

type DetailsByCode = {
  INVALID_REQUEST: { issues: readonly RequestIssue[] };
  KYC_REJECTED: { reason: KycRejectionReason | (string & {}) };
  KYC_NOT_APPROVED: { status: string };
  UNSUPPORTED_ASSET: { supported: readonly string[] };
  WEBHOOK_ENDPOINT_LIMIT: { maximum: number };
  AMOUNT_OUT_OF_RANGE: { minimum: number; maximum: number };
  INVALID_WALLET_ADDRESS: { reason: WalletAddressFault | (string & {}) };
  MFA_INVALID_CODE: { attemptsRemaining: number };
  MFA_ATTEMPTS_EXCEEDED: { scope: MfaAttemptsScope | (string & {}); retryAfterSeconds?: number };
  INVALID_TRANSACTION_STATE: { status: string };
  TRANSACTION_NOT_CANCELABLE: { status: string };
  PRICE_UNAVAILABLE: { retryAfterSeconds: number };
  LIMIT_EXCEEDED: {
    limit: ClientLimit | (string & {});
    /** A number of charges for `OPEN_CHARGES`, an amount in BRL for `DAILY_AMOUNT`. */
    maximum: number;
    remaining: number;
    /** ISO 8601. */
    resetsAt: string;
    retryAfterSeconds: number;
  };
  LIQUIDITY_UNAVAILABLE: { retryAfterSeconds: number };
  EXTERNAL_ID_TAKEN: { transactionId: string };
  WAIT_TIMED_OUT: { status: string };
  STATUS_UNREACHABLE: { status: string; reason: KycRejectionReason | FailureReason | (string & {}) };
  INVALID_WEBHOOK: { reason: WebhookFault };
};

type Details<Code extends ErrorCode> = Record<string, unknown> &
  ([Code] extends [keyof DetailsByCode] ? Partial<DetailsByCode[Code]> : unknown);

/** The values of the answer's `RateLimit-*` headers. */
export type RateLimit = {
  /** Requests allowed in this window. */
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
};

export type ErrorContext = {
  /** HTTP status. Absent when no answer came. */
  status?: number;
  details?: Record<string, unknown>;
  /** Quote this id when you ask the service's support. */
  requestId?: string;
  /** The seconds of the answer's `Retry-After` header. */
  retryAfterSeconds?: number;
  rateLimit?: RateLimit;
  cause?: unknown;
};

/**
 * The error of this library. It stands for a refusal by the service, a failed request, a wait that failed, or a
 * webhook that cannot be trusted. Wrong arguments throw a `TypeError`.
 */
export class OnrampError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'OnrampError';
  readonly code: Code;
  readonly status: number | undefined;
  readonly details: Details<Code>;
  /** All fields that `INVALID_REQUEST` found wrong. Empty for every other code. */
  readonly issues: readonly RequestIssue[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimit: RateLimit | undefined;

  constructor(code: Code, message: string, context: ErrorContext = {}) {
    const { details = {} } = context;
    const issues = issuesOf(details);
    super(withIssues(message, issues), { cause: context.cause });
    this.code = code;
    this.status = context.status;
    this.details = details as Details<Code>;
    this.issues = issues;
    this.requestId = context.requestId;
    this.retryAfterSeconds = context.retryAfterSeconds;
    this.rateLimit = context.rateLimit;
  }
}

/** The answer came over a network, so entries that do not have the form of an issue are dropped. */
function issuesOf({ issues }: Record<string, unknown>): RequestIssue[] {
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

function isIssue(value: unknown): value is RequestIssue {
  const { path, message } = Object(value) as Partial<Record<string, unknown>>;
  return typeof path === 'string' && typeof message === 'string';
}

/** Puts the fields into the message too, for callers that log only the message. */
function withIssues(message: string, issues: readonly RequestIssue[]): string {
  const told = issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join('; ');
  return told === '' ? message : `${message} (${told})`;
}

/** True for an error of this library that has `code`, or any code when `code` is absent. Narrows `details` too. */
export function isOnrampError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is OnrampError<Code> {
  return error instanceof OnrampError && (code === undefined || error.code === code);
}
