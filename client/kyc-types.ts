/** The request bodies and the answers of the KYC calls. `types.ts` exports them too. */
import type { KycStatus } from './statuses.ts';

/**
 * `PF` is an individual, `PJ` a legal entity. For a legal entity, `cpf` is the CPF of its representative.
 */
export type PersonType = 'PF' | 'PJ';
export type RiskTier = 'STANDARD' | 'HIGH' | 'PEP';

type KycSubject = {
  /** `NNN.NNN.NNN-NN`, or 11 digits. */
  cpf: string;
  /** `PF` when absent. */
  personType?: PersonType;
  /**
   * The CNPJ of the legal entity, numeric or alphanumeric, only for `PJ`. The service never approves a `PJ`
   * that was submitted without its CNPJ.
   */
  cnpj?: string;
};

/** Models 1 and 3: the client shows documents and face to the identity verifier that the service uses. */
type KycByService = KycSubject & {
  /** `sha256:<hex>`. */
  biometricHash: string;
  /** `shared` for Model 3. */
  mode?: 'shared';
  partnerKycToken?: undefined;
};

/**
 * The client's data that you collected yourself, in Model 3. The service compares them with the data of the
 * tax registry, and of the document that the identity verifier has checked.
 */
export type CollectedData = {
  /** The whole name. Middle names may be missing. */
  name?: string;
  /** `YYYY-MM-DD`. */
  birthDate?: string;
  /** The number as the document shows it. Separators, capitals and leading zeros make no difference. */
  documentNumber?: string;
};

/** Model 3, with what you collected. */
type KycShared = KycByService & { mode: 'shared' } & CollectedData;

/** Model 2: your own KYC vendor has approved the client, and has signed a token about it. */
type KycByPartner = KycSubject & {
  /**
   * A JWS that your vendor signed. The key set that you registered with the service must contain its public
   * key.
   */
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
  /** Pass the token to `initiateTransaction`. It is valid until `expiresAt`, for 24 hours at most. */
  token: string;
  status: KycStatus;
  /** It may change later, above all while the record is `PENDING`. */
  riskTier: RiskTier;
  /** When the token expires: earlier, if the client’s data are corrected at their source. */
  expiresAt: string;
  /**
   * The reason why the record is `REJECTED`, or why it stays `PENDING` until you submit the client again. An
   * `APPROVED` record can become `REJECTED` later: after a change of a sanctions list, or after another
   * decision about the client.
   */
  reason?: KycRejectionReason | KycPendingReason;
};

/**
 * Spec, endpoint 1. If the record is `PENDING`, `verificationUrl` or `widgetToken` may say how your client
 * shows documents and face.
 */
export type SubmittedKyc = KycRecord & {
  /** Model 1: the page on which the client shows documents and face. The URL is valid for 24 hours. */
  verificationUrl?: string;
  /**
   * Model 3: the token for the widget of the identity verifier in your app. The token is valid for one hour.
   */
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
