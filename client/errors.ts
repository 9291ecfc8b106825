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

/** Codes the service adds where the spec names none (docs/decisions.md). */
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
  | 'API_KEY_NOT_FOUND'
  | 'API_KEY_IN_USE'
  | 'PRICE_UNAVAILABLE'
  | 'LIMIT_EXCEEDED'
  | 'LIQUIDITY_UNAVAILABLE';

/** Every code that the service is known to answer. */
export type ServiceErrorCode = SpecCode | AddedCode;

/** Codes that this library raises itself; the service never sends them. */
export type ClientErrorCode =
  /** The service could not be reached, or the connection broke off. `cause` says why. */
  | 'NETWORK_ERROR'
  /** No complete answer within `timeoutMs`. */
  | 'TIMEOUT'
  /** The answer is not the service's envelope: a proxy's page, a redirect, a wrong base URL. */
  | 'UNEXPECTED_RESPONSE'
  /** `waitForStatus` or `waitForKyc` ran out of time. `details.status` is the last one seen. */
  | 'WAIT_TIMED_OUT'
  /** `waitForStatus` or `waitForKyc` met what will not become what is awaited. `details.reason` says why. */
  | 'STATUS_UNREACHABLE'
  /** `verifyWebhook` does not trust the message. `details.reason` says why. */
  | 'INVALID_WEBHOOK';

/** Known codes complete in the editor; a code added to the service later is still a string. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {});

/** `details.reason` of `INVALID_WALLET_ADDRESS`; `RESERVED` is a token's, the oracle's or a paying wallet's. */
export type WalletAddressFault = 'FORM' | 'CHECKSUM' | 'ZERO' | 'RESERVED';

/** `details.scope` of `MFA_ATTEMPTS_EXCEEDED`: a new transaction helps at once, or only after the client's lock. */
export type MfaAttemptsScope = 'transaction' | 'client';

/** Which limit of `LIMIT_EXCEEDED` a client has reached. */
export type ClientLimit = 'OPEN_CHARGES' | 'DAILY_AMOUNT';

/** `details.reason` of `INVALID_WEBHOOK`. */
export type WebhookFault =
  | 'MISSING_HEADER'
  | 'INVALID_TIMESTAMP'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'SIGNATURE_MISMATCH'
  | 'INVALID_PAYLOAD';

/** A field of the request that is wrong: `path` is its name, with dots and indexes where it lies deeper. */
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
    /** Charges for `OPEN_CHARGES`, BRL for `DAILY_AMOUNT`. */
    maximum: number;
    remaining: number;
    /** ISO 8601. */
    resetsAt: string;
    retryAfterSeconds: number;
  };
  LIQUIDITY_UNAVAILABLE: { retryAfterSeconds: number };
  WAIT_TIMED_OUT: { status: string };
  STATUS_UNREACHABLE: { status: string; reason: KycRejectionReason | FailureReason | (string & {}) };
  INVALID_WEBHOOK: { reason: WebhookFault };
};

type Details<Code extends ErrorCode> = Record<string, unknown> &
  ([Code] extends [keyof DetailsByCode] ? Partial<DetailsByCode[Code]> : unknown);

/** What the `RateLimit-*` headers of the answer said. */
export type RateLimit = {
  /** Requests allowed in this window. */
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
};

export type ErrorContext = {
  /** HTTP status; absent when there was no answer. */
  status?: number;
  details?: Record<string, unknown>;
  /** Quote it when you ask the service's support. */
  requestId?: string;
  /** What `Retry-After` asked for. */
  retryAfterSeconds?: number;
  rateLimit?: RateLimit;
  cause?: unknown;
};

/** The one error of this library: a refusal by the service, or a failure on the way to it. */
export class OnrampError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'OnrampError';
  readonly code: Code;
  readonly status: number | undefined;
  readonly details: Details<Code>;
  /** Every field that `INVALID_REQUEST` found wrong; empty for any other code. */
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

/** The answer came over a network: only what has the form of an issue is one. */
function issuesOf({ issues }: Record<string, unknown>): RequestIssue[] {
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

function isIssue(value: unknown): value is RequestIssue {
  const { path, message } = Object(value) as Partial<Record<string, unknown>>;
  return typeof path === 'string' && typeof message === 'string';
}

/** Who logs the message alone sees the fields, too. */
function withIssues(message: string, issues: readonly RequestIssue[]): string {
  const told = issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join('; ');
  return told === '' ? message : `${message} (${told})`;
}

/** Is it ours, and (when a code is given) of that code? Narrows `details` too. */
export function isOnrampError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is OnrampError<Code> {
  return error instanceof OnrampError && (code === undefined || error.code === code);
}
