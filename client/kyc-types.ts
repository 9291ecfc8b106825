/** The resources and bodies of the KYC calls: see `types.ts`. */
import type { KycStatus } from './statuses.ts';

/** `PF` is an individual, `PJ` a legal entity. The `cpf` of a legal entity is that of its representative. */
export type PersonType = 'PF' | 'PJ';
export type RiskTier = 'STANDARD' | 'HIGH' | 'PEP';

type KycSubject = {
  /** `NNN.NNN.NNN-NN`, or 11 digits. */
  cpf: string;
  /** `PF` when absent. */
  personType?: PersonType;
  /**
   * The number of the legal entity (CNPJ), numeric or alphanumeric, only for `PJ`. The service never approves a `PJ`
   * without its CNPJ.
   */
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

/**
 * The data that you collected about the client. The service compares each field with the tax registry and with the
 * document that the verifier has checked.
 */
export type CollectedData = {
  /** The whole name. Middle names may be missing. */
  name?: string;
  /** `YYYY-MM-DD`. */
  birthDate?: string;
  /** As the document shows it. Separators, capitals and leading zeros make no difference. */
  documentNumber?: string;
};

/** Model 3, with what you collected. */
type KycShared = KycByService & { mode: 'shared' } & CollectedData;

/** Model 2: your own KYC vendor has approved the client. */
type KycByPartner = KycSubject & {
  /** A JWS that verifies against the key set that you registered. */
  partnerKycToken: string;
  /** `sha256:<hex>`. Optional in this model. */
  biometricHash?: string;
  mode?: undefined;
};

/** Spec, endpoint 1. */
export type SubmitKycRequest = KycByService | KycShared | KycByPartner;

/** `CNPJ_REQUIRED`: a legal entity was submitted without its `cnpj`. */
export type KycPendingReason = 'CNPJ_REQUIRED';

/** Spec, endpoints 1 and 2. */
export type KycRecord = {
  /** Pass the token to `initiateTransaction`. It is valid for 24 hours. */
  token: string;
  status: KycStatus;
  riskTier: RiskTier;
  /** When the token expires. */
  expiresAt: string;
  /**
   * Why the record is `REJECTED`, or why it stays `PENDING` until you submit the client again. An `APPROVED` record can
   * become `REJECTED`: after a change of a sanctions list, or after a later decision about the client.
   */
  reason?: KycRejectionReason | KycPendingReason;
};

/** Spec, endpoint 1. A `PENDING` record may say how your client shows documents and face. */
export type SubmittedKyc = KycRecord & {
  /** Model 1: the page where the client shows documents and face. Valid for 24 hours. */
  verificationUrl?: string;
  /** Model 3: the token for the verifier's widget in your app. Valid for one hour. */
  widgetToken?: string;
};

/** `details.reason` of `KYC_REJECTED`. */
export type KycRejectionReason =
  | 'SANCTIONS_HIT'
  | 'IDENTITY_MISMATCH'
  | 'DATA_MISMATCH'
  | 'CPF_IRREGULAR'
  | 'DECEASED'
  | 'UNDERAGE'
  | 'CNPJ_IRREGULAR'
  | 'PARTNER_TOKEN_INVALID'
  | 'DOCUMENT_REJECTED';
