/**
 * The resources and bodies of the API, with the names of the spec ("Resources and their fields",
 * "Endpoints").
 *
 * Times are ISO 8601 strings. `amountBrl` and `feeBrl` are numbers of reais with at most two decimals.
 * Amounts of an asset are decimal strings, because a JavaScript number cannot hold each of them exactly.
 */

import type { KycStatus, TransactionStatus } from './statuses.ts';

export type * from './kyc-types.ts';
export type * from './partner-types.ts';
export type * from './sandbox-types.ts';
export type { KycStatus, TransactionStatus };

export type Asset = 'USDT' | 'USDC';

/** Spec, endpoint 3. */
export type InitiateTransactionRequest = {
  kycToken: string;
  /** 50 to 50000 reais, at most two decimals. */
  amountBrl: number;
  asset: Asset;
  /** EVM address with EIP-55 checksum. */
  walletAddress: string;
  /** Your own reference: 1 to 128 printable ASCII characters without spaces, unique among your purchases. */
  externalId?: string;
  /**
   * Your own entries: at most 20 names with texts, and 4,096 bytes as JSON. A name begins with a letter and has at most
   * 40 letters, digits, dots, dashes or underscores. A text has at most 500 characters.
   */
  metadata?: Readonly<Record<string, string>>;
  /**
   * The page to which the client comes back from the liveness page, with `transactionId` in the query. It is
   * an https URL of at most 1,000 characters. Its host must be one of `returnHosts` in your settings.
   */
  returnUrl?: string;
  /**
   * The id of a quote of yours with the same `amountBrl` and `asset`. The purchase then has the price of this
   * quote.
   */
  quoteId?: string;
};

/**
 * The data with which the client sets up an authenticator app. It is present until the service has accepted
 * the client's first code. If the service's operators replace the client's secret, it is present again.
 */
export type TotpEnrollment = {
  /** `otpauth://totp/…`, for an authenticator app. */
  otpauthUri: string;
  /** The same URI as a PNG data URI of a QR code. */
  qrCode: string;
};

type TotpChallenge = {
  type: 'MFA_TOTP';
  instruction: string;
  enrollment?: TotpEnrollment;
  livenessUrl?: undefined;
};

type LivenessChallenge = {
  type: 'LIVENESS';
  instruction: string;
  /**
   * The page on which the client passes the liveness check. The URL is valid for 10 minutes. To get a new URL
   * later, read the transaction's status.
   */
  livenessUrl: string;
  enrollment?: undefined;
};

/** How the client must authenticate (spec, "Auth challenge"). */
export type AuthChallenge = TotpChallenge | LivenessChallenge;

/**
 * The challenge in the answer of `getTransactionStatus`. `livenessUrl` is absent if the last URL has expired
 * and the service could not get a new one. In that case, read the status again.
 */
export type OpenChallenge =
  | (Omit<TotpChallenge, 'enrollment'> & { enrollment?: undefined })
  | (Omit<LivenessChallenge, 'livenessUrl'> & { livenessUrl?: string });

/** The quote is indicative. The service locks the price when it issues the Pix payload. */
export type Quote = {
  /** Reais per unit of the asset, decimal string. */
  rate: string;
  /** The fee in reais. `amountBrl` contains it. */
  feeBrl: number;
  /** The amount of the asset that the client's wallet will receive, as a decimal string. */
  assetAmount: string;
};

/** Spec, endpoint 3. The status `AWAITING_MFA` has the name `PENDING_AUTH` in this answer only. */
export type InitiatedTransaction = {
  transactionId: string;
  externalId?: string;
  status: 'PENDING_AUTH';
  authChallenge: AuthChallenge;
  quote: Quote;
  /** The client must authenticate before this time, 15 minutes after the purchase was opened. */
  expiresAt: string;
};

/** Spec, endpoint 4. */
export type ConfirmMfaRequest = {
  transactionId: string;
  /** The six digits of the client's authenticator app. */
  totpCode: string;
};

/**
 * Spec, endpoint 4. A repetition with the same idempotency key gives the same answer while the charge can be
 * paid. Later the answer holds only the id and the present status.
 */
export type MfaConfirmation = {
  transactionId: string;
  status: TransactionStatus;
  /** The Pix copy-paste code. Present while the charge can be paid. */
  pixPayload?: string;
  /** PNG data URI, in Model 1. */
  pixQrCode?: string;
  /** The client must pay before this time, which is 30 minutes after the first answer to this call. */
  pixExpiresAt?: string;
};

/** `POST /v1/laas/transactions/{id}/cancel`. */
export type CanceledTransaction = { transactionId: string; status: 'CANCELED' };

/** Why a transaction is `FAILED`, or why a Pix is refunded. */
export type FailureReason =
  | 'SETTLEMENT_FAILED'
  | 'SETTLEMENT_CANCELLED'
  | 'SANCTIONS_HIT'
  | 'KYC_REJECTED'
  | 'WALLET_RISK_TOO_HIGH'
  | 'PAYER_MISMATCH'
  | 'AMOUNT_MISMATCH'
  | 'PAID_LATE'
  /** The bank took back all or a part of the payment before the service sent any tokens. */
  | 'PAYMENT_TAKEN_BACK';

export type Failure = { reason: FailureReason };

/** The return (devolução) of the Pix to the payer when a paid transaction fails. */
export type Refund = {
  /**
   * `PENDING`: the refund has not ended. `REFUNDED`: the payer has the money back. `FAILED`: the bank has
   * refused the refund for good.
   */
  status: 'PENDING' | 'REFUNDED' | 'FAILED';
  /** The Pix payment that is refunded. */
  endToEndId: string;
  amountBrl: number;
  reason: FailureReason;
  /** Only if `REFUNDED`: the id of the return (devolução), as the service's bank shows it. */
  returnId?: string;
  /**
   * Only if `REFUNDED`: the id of the return between the banks. The client's bank finds the money by it. It is absent
   * if the service's bank did not show it.
   */
  rtrId?: string;
  /** Only if `REFUNDED`: when the service recorded that the money was returned. */
  refundedAt?: string;
};

/** Spec, endpoint 5. */
export type Transaction = {
  transactionId: string;
  /** Your own reference, if you gave one. */
  externalId?: string;
  status: TransactionStatus;
  asset: Asset;
  amountBrl: number;
  /** Decimal string. */
  assetAmount: string;
  walletAddress: string;
  createdAt: string;
  /**
   * The time at which the service stops waiting for the client. Absent while the service does not wait for
   * the client.
   */
  expiresAt?: string;
  /** Present while `AWAITING_MFA`. */
  authChallenge?: OpenChallenge;
  /** Present only in the status `AWAITING_PIX`. In any later status the client must not pay. */
  pixPayload?: string;
  txHash?: string;
  failure?: Failure;
  refund?: Refund;
  /** Oldest first. */
  history: readonly { status: TransactionStatus; at: string }[];
};
