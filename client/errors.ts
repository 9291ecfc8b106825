import { type CodeOf, type ErrorCode, FAMILIES, FIELD_OF } from './error-codes.ts';
import type { DetailsByCode, RequestIssue } from './error-details.ts';

export type { ClientErrorCode, ErrorCode, ServiceErrorCode } from './error-codes.ts';
export type * from './error-details.ts';

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
 * The base class of the errors of this library. It stands for a refusal by the service, a failed request, a
 * failed wait, or a webhook that was refused. Each family of codes has a class of its own. A code that this
 * version does not know becomes a plain `OnrampError`. Wrong arguments throw a `TypeError` instead.
 */
export class OnrampError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'OnrampError';
  readonly code: Code;
  readonly status: number | undefined;
  readonly details: Details<Code>;
  /** The first wrong field of the request, if the refusal is about a field. */
  readonly field: string | undefined;
  /** All fields that the service found wrong, at `INVALID_REQUEST`. Empty for every other code. */
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
    this.field = issues[0]?.path || FIELD_OF[code];
    this.issues = issues;
    this.requestId = context.requestId;
    this.retryAfterSeconds = context.retryAfterSeconds;
    this.rateLimit = context.rateLimit;
  }
}

/**
 * Drops the entries that do not have the form of a `RequestIssue`. They came over a network, so their form is
 * not certain.
 */
function issuesOf({ issues }: Record<string, unknown>): RequestIssue[] {
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

function isIssue(value: unknown): value is RequestIssue {
  const { path, message } = Object(value) as Partial<Record<string, unknown>>;
  return typeof path === 'string' && typeof message === 'string';
}

/** Appends the wrong fields to the error's message, for callers that log only the message. */
function withIssues(message: string, issues: readonly RequestIssue[]): string {
  const told = issues.map((issue) => `${issue.path} ${issue.message}`.trim()).join('; ');
  return told === '' ? message : `${message} (${told})`;
}

/**
 * The constructor of any family's class. Its `code` has the type `never`, because each constructor takes only
 * the codes of its own family.
 */
type ErrorClass = new (code: never, message: string, context?: ErrorContext) => OnrampError;

export class AuthenticationError extends OnrampError<CodeOf<'AuthenticationError'>> {
  override readonly name = 'AuthenticationError';
}

export class InvalidRequestError extends OnrampError<CodeOf<'InvalidRequestError'>> {
  override readonly name = 'InvalidRequestError';
}

export class NotFoundError extends OnrampError<CodeOf<'NotFoundError'>> {
  override readonly name = 'NotFoundError';
}

export class ConflictError extends OnrampError<CodeOf<'ConflictError'>> {
  override readonly name = 'ConflictError';
}

export class ClientRefusedError extends OnrampError<CodeOf<'ClientRefusedError'>> {
  override readonly name = 'ClientRefusedError';
}

export class RateLimitError extends OnrampError<CodeOf<'RateLimitError'>> {
  override readonly name = 'RateLimitError';
}

export class UnavailableError extends OnrampError<CodeOf<'UnavailableError'>> {
  override readonly name = 'UnavailableError';
}

export class ConnectionError extends OnrampError<CodeOf<'ConnectionError'>> {
  override readonly name = 'ConnectionError';
}

export class WaitError extends OnrampError<CodeOf<'WaitError'>> {
  override readonly name = 'WaitError';
}

export class WebhookError extends OnrampError<CodeOf<'WebhookError'>> {
  override readonly name = 'WebhookError';
}

const CLASSES: { [Name in keyof typeof FAMILIES]: ErrorClass } = {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  ConflictError,
  ClientRefusedError,
  RateLimitError,
  UnavailableError,
};

/**
 * Makes the error for a code that the service sent. Its class is the class of the code's family. A code
 * without a family gives a plain `OnrampError`.
 */
export function errorOf(code: string, message: string, context: ErrorContext): OnrampError {
  const families = Object.entries(FAMILIES) as [keyof typeof FAMILIES, readonly string[]][];
  const family = families.find(([, codes]) => codes.includes(code))?.[0];
  return family
    ? new CLASSES[family](code as never, message, context)
    : new OnrampError(code, message, context);
}

/**
 * True for an error of this library that has `code`. Without `code`, it is true for any error of this
 * library. TypeScript then also knows the fields of `details`.
 */
export function isOnrampError<Code extends ErrorCode>(
  error: unknown,
  code?: Code,
): error is OnrampError<Code> {
  return error instanceof OnrampError && (code === undefined || error.code === code);
}
