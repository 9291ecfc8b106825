/** The details of the codes that have some. */
import type { FailureReason, KycRejectionReason } from './types.ts';

/**
 * `details.reason` of `INVALID_WALLET_ADDRESS`. `RESERVED`: the address is the contract of a token or of the sanctions
 * oracle, or a wallet from which the service pays.
 */
export type WalletAddressFault = 'FORM' | 'CHECKSUM' | 'ZERO' | 'RESERVED';

/**
 * `details.scope` of `MFA_ATTEMPTS_EXCEEDED`. `transaction`: the transaction takes no more codes, and the
 * client can open a new one at once. `client`: the client had too many wrong codes in a row, and must wait
 * until this lock ends.
 */
export type MfaAttemptsScope = 'transaction' | 'client';

/** `details.fault` of `KYC_REJECTED`: what is wrong with the `partnerKycToken` (Model 2). */
export type PartnerTokenFault =
  | 'NOT_REGISTERED'
  | 'MALFORMED'
  | 'ALGORITHM'
  | 'UNKNOWN_KEY'
  | 'AMBIGUOUS_KEY'
  | 'UNUSABLE_KEY'
  | 'SIGNATURE'
  | 'ISSUER'
  | 'AUDIENCE'
  | 'SUBJECT'
  | 'TOKEN_ID'
  | 'TIME'
  | 'USED';

/**
 * `details.limit` of `LIMIT_EXCEEDED`: the limit that the purchase would exceed. `OPEN_CHARGES` limits the
 * number of unpaid charges of the client. `PURCHASE_AMOUNT` limits the amount of one purchase.
 */
export type ClientLimit =
  | 'OPEN_CHARGES'
  | 'DAILY_AMOUNT'
  | 'MONTHLY_AMOUNT'
  | 'YEARLY_AMOUNT'
  | 'PURCHASE_AMOUNT';

/**
 * `details.scope` of `PROMISES_EXHAUSTED`. Each unused quote and each unpaid charge promises tokens. Their
 * sum would exceed the limit for this client, for this wallet, for all your clients, or for this asset.
 */
export type PromiseScope = 'CLIENT' | 'WALLET' | 'PARTNER' | 'ASSET';

/** `details.reason` of `INVALID_WEBHOOK`. */
export type WebhookFault =
  | 'MISSING_HEADER'
  | 'INVALID_TIMESTAMP'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'SIGNATURE_MISMATCH'
  | 'INVALID_PAYLOAD';

/** A wrong field of the request. `path` is the field's name; dots and indexes lead to a nested field. */
export type RequestIssue = { path: string; message: string };

export type DetailsByCode = {
  INVALID_REQUEST: { issues: readonly RequestIssue[] };
  KYC_REJECTED: {
    reason: KycRejectionReason | (string & {});
    /** Present if the reason is `PARTNER_TOKEN_INVALID`. */
    fault?: PartnerTokenFault | (string & {});
  };
  KYC_QUOTA_EXCEEDED: {
    limit: 'REGISTRY_LOOK_UPS' | (string & {});
    maximum: number;
    remaining: number;
    /** ISO 8601. */
    resetsAt: string;
    retryAfterSeconds: number;
  };
  KYC_NOT_APPROVED: { status: string };
  UNSUPPORTED_ASSET: { supported: readonly string[] };
  WEBHOOK_ENDPOINT_LIMIT: { maximum: number };
  VENDOR_KEY_LIMIT: { maximum: number };
  API_KEY_LIMIT: { maximum: number };
  AMOUNT_OUT_OF_RANGE: { minimum: number; maximum: number };
  INVALID_WALLET_ADDRESS: { reason: WalletAddressFault | (string & {}) };
  MFA_INVALID_CODE: { attemptsRemaining: number };
  MFA_ATTEMPTS_EXCEEDED: { scope: MfaAttemptsScope | (string & {}); retryAfterSeconds?: number };
  INVALID_TRANSACTION_STATE: { status: string };
  TRANSACTION_NOT_CANCELABLE: { status: string };
  QUOTE_MISMATCH: { asset: string; amountBrl: number };
  QUOTE_USED: { transactionId: string };
  /** ISO 8601. */
  QUOTE_EXPIRED: { expiredAt: string };
  PRICE_UNAVAILABLE: { retryAfterSeconds: number };
  PROMISES_EXHAUSTED: { scope: PromiseScope | (string & {}); retryAfterSeconds: number };
  LIMIT_EXCEEDED: {
    limit: ClientLimit | (string & {});
    /** A number of charges for `OPEN_CHARGES`, an amount in BRL for the other limits. */
    maximum: number;
    remaining: number;
    /** ISO 8601. */
    resetsAt: string;
    retryAfterSeconds: number;
    /** The purchase of an open charge, for `OPEN_CHARGES` only. `cancelTransaction` ends it. */
    transactionId?: string;
  };
  LIQUIDITY_UNAVAILABLE: { retryAfterSeconds: number };
  EXTERNAL_ID_TAKEN: { transactionId: string };
  RECEIPT_NOT_AVAILABLE: { status: string };
  WAIT_TIMED_OUT: { status: string };
  STATUS_UNREACHABLE: { status: string; reason: KycRejectionReason | FailureReason | (string & {}) };
  INVALID_WEBHOOK: { reason: WebhookFault };
};
