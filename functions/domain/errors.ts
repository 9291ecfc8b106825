import { ASSET_NAMES } from './assets.ts';

/**
 * Every refusal that a partner can get, roughly in the order of the checks. Each endpoint has an exact order of
 * its own. `ours` marks codes that the specification does not have. Sources: spec, "Errors", and
 * docs/decisions.md.
 */
export const ERRORS = {
  NOT_FOUND: {
    status: 404,
    ours: true,
    message: 'No endpoint has this method and path. Paths begin with /v1/laas/ or /laas/partner: see /docs.',
  },
  INVALID_API_KEY: {
    status: 401,
    message: 'The API key in the header X-Service-API-Key is missing, malformed or revoked.',
  },
  PARTNER_SUSPENDED: { status: 403, message: 'The partner account is suspended.' },
  KEY_SCOPE_INSUFFICIENT: {
    status: 403,
    ours: true,
    message: 'The API key does not have the scope that this call needs.',
  },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'Too many requests. Retry after the given time.' },
  REQUEST_TOO_LARGE: { status: 413, ours: true, message: 'The body is too large. Partners may send 64 kB.' },
  INVALID_REQUEST: { status: 400, ours: true, message: 'The request is malformed.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    ours: true,
    message: 'This Idempotency-Key was used with another request.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    ours: true,
    message: 'The first request with this Idempotency-Key is still being answered.',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, ours: true, message: 'The webhook endpoint does not exist.' },
  WEBHOOK_ENDPOINT_LIMIT: {
    status: 409,
    ours: true,
    message: 'There are as many webhook endpoints as may be.',
  },
  EVENT_NOT_FOUND: { status: 404, ours: true, message: 'The event does not exist.' },
  API_KEY_NOT_FOUND: { status: 404, ours: true, message: 'The API key does not exist.' },
  API_KEY_IN_USE: { status: 409, ours: true, message: 'A key cannot revoke itself. Call with another.' },
  API_KEY_LIMIT: { status: 409, ours: true, message: 'There are as many keys of your own as may be.' },
  VENDOR_KEY_NOT_FOUND: { status: 404, ours: true, message: 'The key of the vendor does not exist.' },
  VENDOR_KEY_LIMIT: { status: 409, ours: true, message: 'There are as many keys of the vendor as may be.' },
  AMOUNT_OUT_OF_RANGE: { status: 422, ours: true, message: 'The amount in reais is outside the limits.' },
  UNSUPPORTED_ASSET: { status: 422, ours: true, message: `The asset must be ${ASSET_NAMES.join(' or ')}.` },
  INVALID_WALLET_ADDRESS: {
    status: 422,
    message:
      'The wallet address is not an EVM address with a valid EIP-55 checksum, or tokens would be lost there.',
  },
  KYC_TOKEN_NOT_FOUND: { status: 404, ours: true, message: 'The KYC token does not exist.' },
  KYC_QUOTA_EXCEEDED: {
    status: 429,
    ours: true,
    message:
      'The submissions of today have used up the look-ups of your account. Retry after the given time.',
  },
  KYC_REJECTED: { status: 422, message: 'The client failed compliance screening.' },
  KYC_TOKEN_EXPIRED: { status: 422, message: 'The KYC token is older than 24 hours.' },
  KYC_NOT_APPROVED: { status: 422, ours: true, message: 'The KYC record is not approved.' },
  CLIENT_BLOCKED: { status: 403, ours: true, message: 'The client may not buy at present.' },
  WALLET_RISK_TOO_HIGH: { status: 422, ours: true, message: 'The wallet failed the on-chain risk check.' },
  TRANSACTION_NOT_FOUND: { status: 404, message: 'The transaction does not exist.' },
  TRANSACTION_EXPIRED: { status: 409, ours: true, message: 'The transaction has expired.' },
  INVALID_TRANSACTION_STATE: {
    status: 409,
    ours: true,
    message: 'The transaction is not in a state that allows this.',
  },
  TRANSACTION_NOT_CANCELABLE: {
    status: 409,
    ours: true,
    message: 'The transaction is paid or has ended, so it cannot be canceled.',
  },
  CHALLENGE_TYPE_MISMATCH: {
    status: 409,
    ours: true,
    message: 'This transaction is authenticated by liveness, not by a TOTP code.',
  },
  MFA_ATTEMPTS_EXCEEDED: {
    status: 422,
    ours: true,
    message: 'Too many codes for this transaction, or too many wrong codes for this client.',
  },
  MFA_INVALID_CODE: { status: 422, message: 'The TOTP code is wrong or expired.' },
  QUOTE_NOT_FOUND: { status: 404, ours: true, message: 'The quote does not exist.' },
  QUOTE_MISMATCH: { status: 409, ours: true, message: 'The quote is for another asset or amount.' },
  QUOTE_USED: { status: 409, ours: true, message: 'Another purchase has used the quote.' },
  QUOTE_EXPIRED: { status: 409, ours: true, message: 'The quote has expired. Nothing was charged.' },
  PRICE_UNAVAILABLE: {
    status: 503,
    ours: true,
    message: 'There is no price now that can be trusted. Retry after the given time.',
  },
  PROMISES_EXHAUSTED: {
    status: 503,
    ours: true,
    message: 'As much is promised at locked prices as may be. Retry after the given time.',
  },
  LIMIT_EXCEEDED: { status: 422, ours: true, message: 'The client has reached a limit on what it may buy.' },
  LIQUIDITY_UNAVAILABLE: {
    status: 503,
    ours: true,
    message: 'The treasury cannot take on this purchase now. Retry after the given time.',
  },
  EXTERNAL_ID_TAKEN: {
    status: 409,
    ours: true,
    message: 'Another purchase of yours has this externalId.',
  },
  RECEIPT_NOT_AVAILABLE: {
    status: 409,
    ours: true,
    message: 'The transaction is not completed, so it has no receipt.',
  },
  INTERNAL_ERROR: { status: 500, message: 'The service failed to answer. It is safe to repeat the request.' },
} as const satisfies Record<string, { status: number; ours?: true; message: string }>;

export type ErrorCode = keyof typeof ERRORS;
export type Details = Record<string, unknown>;

/** A final refusal by the domain. Its `name` is its code, so that the state machine can name it in `ErrorEquals`. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}) {
    super(ERRORS[code].message);
    this.name = code;
    this.code = code;
    this.details = details;
  }
}

export function refuse(code: ErrorCode, details?: Details): never {
  throw new Refusal(code, details);
}

/** Refuses a field that has the right form but an unacceptable value. */
export function refuseField(path: string, message: string): never {
  refuse('INVALID_REQUEST', { issues: [{ path, message }] });
}

/**
 * A provider or one of our services gives no answer now. The call may already have had its effect. The caller
 * repeats the call.
 */
export class Unavailable extends Error {
  declare message: `${string} is unavailable`;
  readonly retryAfterSeconds: number;

  constructor(what: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(`${what} is unavailable`, { cause: options.cause });
    this.name = 'Unavailable';
    this.retryAfterSeconds = options.retryAfterSeconds ?? 5;
  }
}

/**
 * The provider's list of payments or the status of a charge says that the charge is paid, but the charge does not show
 * the payment. Other charges can still be judged.
 */
export class PaymentNotShown extends Unavailable {
  constructor() {
    super('the payment of the charge');
  }
}

/** Marks an error as expected by the state machine. Such an error raises no alarm. */
export function ordinary<E extends Error>(error: E): E & { isOrdinary: true } {
  return Object.assign(error, { isOrdinary: true } as const);
}

export const isOrdinary = (error: unknown): error is Error & { isOrdinary: true } =>
  error instanceof Error && (error as { isOrdinary?: true }).isOrdinary === true;

/**
 * An error that ends a step of the state machine. The machine chooses the next state by the name of the
 * error. A name in capitals says why the purchase fails. Other names say how the machine continues, for
 * example that it goes back to `CheckWalletRisk` (`CheckAgain`).
 */
export class StepOutcome extends Error {
  /** `ordinary` explains this mark. */
  readonly isOrdinary?: true;

  constructor(name: StepOutcomeName, message: string) {
    super(message);
    this.name = name;
    if (name !== 'SettlementFailed') this.isOrdinary = true;
  }
}

export type StepOutcomeName =
  | 'CLIENT_REFUSED'
  | 'KYC_REJECTED'
  | 'WALLET_RISK_TOO_HIGH'
  | 'ReviewPending'
  | 'PAYER_MISMATCH'
  | 'AMOUNT_MISMATCH'
  | 'PAID_LATE'
  | 'PAYMENT_TAKEN_BACK'
  | 'DeadlinePassed'
  | 'CheckAgain'
  | 'NotYetConfirmed'
  | 'AwaitingDepth'
  | 'SettlementFailed'
  | 'SettlementCancelled'
  | 'TransferMayLive'
  | 'RefundPending';
