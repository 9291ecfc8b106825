/**
 * What goes over the wire, in the spec's words ("Resources and their fields", "Endpoints").
 * Times are ISO 8601 strings. `amountBrl` and `feeBrl` are numbers of reais with at most two decimals;
 * amounts of an asset are decimal strings, because they may exceed what a number holds exactly.
 */

import type { KycStatus, TransactionStatus } from './statuses.ts';

export type { KycStatus, TransactionStatus };

/** `PF` is an individual, `PJ` a legal entity (whose `cpf` is its representative's). */
export type PersonType = 'PF' | 'PJ';
export type RiskTier = 'STANDARD' | 'HIGH' | 'PEP';
export type Asset = 'USDT' | 'USDC';

type KycSubject = {
  /** `NNN.NNN.NNN-NN`, or 11 digits. */
  cpf: string;
  /** `PF` when absent. */
  personType?: PersonType;
  /** The legal entity, for `PJ` only: numeric or alphanumeric. Without it a `PJ` is never approved. */
  cnpj?: string;
};

/** Models 1 and 3: the client shows documents and face to the service's identity verifier. */
type KycByService = KycSubject & {
  /** `sha256:<hex>`. */
  biometricHash: string;
  /** `shared` for Model 3. */
  mode?: 'shared';
  partnerKycToken?: undefined;
};

/** Model 2: your own KYC vendor has cleared the client. */
type KycByPartner = KycSubject & {
  /** A JWS that verifies against the key set you registered. */
  partnerKycToken: string;
  /** `sha256:<hex>`; optional in this model. */
  biometricHash?: string;
  mode?: undefined;
};

/** Spec, endpoint 1. */
export type SubmitKycRequest = KycByService | KycByPartner;

/** `CNPJ_REQUIRED`: a legal entity came without its `cnpj`. */
export type KycPendingReason = 'CNPJ_REQUIRED';

/** Spec, endpoints 1 and 2. */
export type KycRecord = {
  /** Pass it to `initiateTransaction`; valid for 24 hours. */
  token: string;
  status: KycStatus;
  riskTier: RiskTier;
  /** When the token expires. */
  expiresAt: string;
  /**
   * Why, of a `REJECTED` record: one that was `PENDING`, or `APPROVED` until a list changed. Of a `PENDING` one, what keeps
   * it so until you submit anew.
   */
  reason?: KycRejectionReason | KycPendingReason;
};

/** Spec, endpoint 1. A `PENDING` record may say how your client shows documents and face. */
export type SubmittedKyc = KycRecord & {
  /** Model 1: the page where the client does it; valid for 24 hours. */
  verificationUrl?: string;
  /** Model 3: what the verifier's widget, embedded in your app, wants; valid for an hour. */
  widgetToken?: string;
};

/** Spec, endpoint 3. */
export type InitiateTransactionRequest = {
  kycToken: string;
  /** 50 to 50000 reais, at most two decimals. */
  amountBrl: number;
  asset: Asset;
  /** EVM address with EIP-55 checksum. */
  walletAddress: string;
};

/** Shown once, until the client's first accepted code. */
export type TotpEnrollment = {
  /** `otpauth://totp/…`, for an authenticator app. */
  otpauthUri: string;
  /** The same as a PNG data URI. */
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
  /** Send the client here; valid for 10 minutes. A status read gives a fresh one. */
  livenessUrl: string;
  enrollment?: undefined;
};

/** How the client must authenticate (spec, "Auth challenge"). */
export type AuthChallenge = TotpChallenge | LivenessChallenge;

/** The challenge as a status read tells it: `livenessUrl` is absent while no fresh one can be had. Read again. */
export type OpenChallenge =
  | TotpChallenge
  | (Omit<LivenessChallenge, 'livenessUrl'> & { livenessUrl?: string });

/** Indicative; the price is locked when the Pix payload is issued. */
export type Quote = {
  /** Reais per unit of the asset, decimal string. */
  rate: string;
  /** In reais, contained in `amountBrl`. */
  feeBrl: number;
  /** What the wallet will receive, decimal string. */
  assetAmount: string;
};

/** Spec, endpoint 3. `PENDING_AUTH` is this answer's name for `AWAITING_MFA`. */
export type InitiatedTransaction = {
  transactionId: string;
  status: 'PENDING_AUTH';
  authChallenge: AuthChallenge;
  quote: Quote;
  /** Authenticate before then: 15 minutes from now. */
  expiresAt: string;
};

/** Spec, endpoint 4. */
export type ConfirmMfaRequest = {
  transactionId: string;
  /** The six digits of the client's authenticator app. */
  totpCode: string;
};

/** Spec, endpoint 4. A repetition under the same key tells the status of now; once it cannot be paid, that alone. */
export type MfaConfirmation = {
  transactionId: string;
  status: TransactionStatus;
  /** Pix copy-paste string, while it can be paid. */
  pixPayload?: string;
  /** PNG data URI, in Model 1. */
  pixQrCode?: string;
  /** Pay before then: 30 minutes from the first answer. */
  pixExpiresAt?: string;
};

/** `POST /v1/laas/transactions/{id}/cancel`. */
export type CanceledTransaction = { transactionId: string; status: 'CANCELED' };

/** Why a transaction is `FAILED`, or why a Pix is given back. */
export type FailureReason =
  | 'SETTLEMENT_FAILED'
  | 'SETTLEMENT_CANCELLED'
  | 'SANCTIONS_HIT'
  | 'KYC_REJECTED'
  | 'WALLET_RISK_TOO_HIGH'
  | 'PAYER_MISMATCH'
  | 'AMOUNT_MISMATCH'
  | 'PAID_LATE'
  /** The bank took the payment back, or a part of it, before anything was sent. */
  | 'PAYMENT_TAKEN_BACK';

export type Failure = { reason: FailureReason };

/** The Pix that goes back to the payer (devolução) when a paid transaction fails. */
export type Refund = {
  /** `PENDING` until the money is back (`REFUNDED`) or the bank refused (`FAILED`). */
  status: 'PENDING' | 'REFUNDED' | 'FAILED';
  /** The Pix payment that is given back. */
  endToEndId: string;
  amountBrl: number;
  reason: FailureReason;
};

/** Spec, endpoint 5. */
export type Transaction = {
  transactionId: string;
  status: TransactionStatus;
  asset: Asset;
  amountBrl: number;
  /** Decimal string. */
  assetAmount: string;
  walletAddress: string;
  createdAt: string;
  /** When the present wait ends; absent when nobody outside is waited for. */
  expiresAt?: string;
  /** While `AWAITING_MFA`. */
  authChallenge?: OpenChallenge;
  /** While `AWAITING_PIX`: afterwards nobody is to pay it. */
  pixPayload?: string;
  txHash?: string;
  failure?: Failure;
  refund?: Refund;
  /** Oldest first. */
  history: readonly { status: TransactionStatus; at: string }[];
};

/** Your account; a key's `id` is the part of the key before its secret. */
export type Partner = {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  /** The service's margin on the exchange's price, in basis points. */
  spreadBasisPoints: number;
  keys: readonly { id: string; status: 'ACTIVE' | 'REVOKED'; createdAt: string }[];
  webhookEndpoints: readonly WebhookEndpoint[];
};

export type WebhookEndpoint = {
  id: string;
  url: string;
  createdAt: string;
  /** After a rotation: until then the former secret signs besides. */
  formerSecretUntil?: string;
};

export type AddWebhookEndpointRequest = {
  /** https, and reachable by everybody; the sandbox of `npm start` also takes http to its own machine. */
  url: string;
};

/** `secret` is `whsec_<base64>`, for `verifyWebhook`. */
export type AddedWebhookEndpoint = { id: string; url: string; secret: string };
export type RotatedWebhookSecret = { id: string; secret: string; formerSecretUntil: string };
export type RemovedWebhookEndpoint = { id: string };
export type RevokedApiKey = { id: string; status: 'REVOKED' };

/** How the sandbox's payer departs from paying once, in full, from the client's own account. */
export type SandboxPayRequest = {
  /** Another amount than the charge's. */
  amountBrl?: number;
  /** Somebody else pays. */
  payerCpf?: string;
  /** Pays this often. */
  times?: number;
};

/** `note` where the CPF's scenario could not act, as without a local chain. */
export type SandboxPayment = { transactionId: string; endToEndIds: readonly string[]; note?: string };
export type SandboxLivenessRequest = { outcome: 'PASSED' | 'FAILED' };
export type SandboxLiveness = { transactionId: string; outcome: 'PASSED' | 'FAILED' };

/** A Model 2 token signed by the demo partner's key. */
export type SandboxPartnerKycToken = { partnerKycToken: string };

/** Which CPF, or CNPJ of a legal entity, forces what today. */
export type SandboxScenarios = {
  scenarios: readonly { cpf: string; forces: string }[];
  companies: readonly { cnpj: string; forces: string }[];
};

/** `details.reason` of `KYC_REJECTED`. */
export type KycRejectionReason =
  | 'SANCTIONS_HIT'
  | 'IDENTITY_MISMATCH'
  | 'CPF_IRREGULAR'
  | 'DECEASED'
  | 'UNDERAGE'
  | 'CNPJ_IRREGULAR'
  | 'PARTNER_TOKEN_INVALID'
  | 'DOCUMENT_REJECTED';
