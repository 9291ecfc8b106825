import { refuse } from '../errors.ts';
import type { Partner } from '../partners/partner.ts';
import type { Identity } from '../screening/screening.ts';
import { DAY_MS, type Instant } from '../time.ts';
import type { Corrected } from './correction.ts';
import type { Comparable } from './cross-check.ts';
import type { KycSource, RejectionReason } from './kyc-reasons.ts';

export const RISK_TIERS = ['STANDARD', 'HIGH', 'PEP'] as const;
export type RiskTier = (typeof RISK_TIERS)[number];
export type KycStatus = 'APPROVED' | 'PENDING' | 'REJECTED';

/** Spec, "KYC record": valid for 24 hours from issue. */
export const KYC_LIFE_MS = DAY_MS;

/** `PF` is an individual, `PJ` a legal entity. */
export type PersonType = 'PF' | 'PJ';

/** KYC ownership model of the spec: 1 direct, 2 client via partner, 3 shared. */
export type KycModel = 1 | 2 | 3;

type KycSubmission = {
  token: string;
  partnerId: string;
  /** Keyed hash of partner and CPF: see `Lookup`. */
  clientId: string;
  /** Keyed hash of the CPF, the same at all partners. */
  personId: string;
  model: KycModel;
  /** The name of the vendor's key that signed the partner's KYC token (Model 2). */
  vendorKid?: string;
  personType: PersonType;
  riskTier: RiskTier;
  issuedAt: number;
  expiresAt: number;
  /**
   * The identity that was searched, as encrypted JSON of `Screened`. Absent if the CPF registry gave no name, or if the
   * lists were not searched.
   */
  identityCipher?: string;
  /** The version of the search index of the sanctions and PEP lists that the last search used. */
  screenedWith?: string;
  /**
   * The instant of the last decision, if it is not the first. The first decision was at `issuedAt`. The
   * instant is part of the id of the decision's evidence.
   */
  decidedAt?: number;
  /** The number of the record's last event. Absent before the first event. */
  sequence?: number;
};

/** The partner's data of a submission, as keyed hashes (`Lookup`). */
export type KeyedInputs = {
  keyedBiometric?: string;
  /** The data that the partner collected about the client: docs/decisions.md, "Data that the partner collected". */
  keyedCollected?: Comparable;
};

type OpenQuestions = KeyedInputs & {
  /**
   * When `ReviewPendingKyc` next tries to decide the record, and how often it has tried. `nextCheckAt` is
   * absent if no further try is planned.
   */
  nextCheckAt?: number;
  checks: number;
  /** The encrypted CNPJ of a legal entity. */
  cnpjCipher?: string;
  /** The sources that have not answered. */
  unanswered: KycSource[];
  /** The pairs of an identity and a list entry that a reviewer must decide (`pairOf`). */
  openPairs: string[];
};

export type PendingRecord = KycSubmission & OpenQuestions & { status: 'PENDING'; reason?: undefined };
type DecidedRecord = KycSubmission & { [Name in keyof OpenQuestions]?: undefined } & (
    | { status: 'APPROVED'; reason?: undefined }
    | { status: 'REJECTED'; reason?: RejectionReason }
  );

/**
 * The record of a KYC submission. Instants are epoch milliseconds. A row may still exist when its token has expired,
 * because DynamoDB deletes rows late.
 */
export type KycRecord = PendingRecord | DecidedRecord;

/**
 * The identity for which the sanctions and PEP lists were searched, without the CPF. When the lists change,
 * the service searches the new lists for this identity.
 */
export type Screened = { name: string; birthDate: string; cnpj?: string; companyName?: string };

/** A person's entry in the tax registry, translated into our words. */
export type RegistryEntry = Identity & { situation: 'REGULAR' | 'IRREGULAR' | 'DECEASED' };
/** The law protects a minor's data, so the registry says only that the person exists. */
export type ClosedEntry = { situation: 'MINOR' };

/** A company's entry in the tax registry. The company of a sole trader has a person's name. */
export type CompanyEntry = { name: string; situation: 'ACTIVE' | 'INACTIVE' };

/**
 * Whether a source other than the identity provider has not answered. Its answer may still reject the client.
 */
export function hasOpenSources({ unanswered }: Pick<PendingRecord, 'unanswered'>): boolean {
  return unanswered.some((source) => source !== 'IDENTITY_PROVIDER');
}

/**
 * Whether the purchase's KYC submission has certainly compared this document with the registry. A purchase begins at
 * most 24 hours after its submission. Therefore the submission has seen every verification that ended more than 24
 * hours before the purchase. False for Model 2, whose submissions compare no document.
 */
export function wasCompared(
  { model, createdAt }: { model: KycModel; createdAt: number },
  verifiedAt: number | undefined,
): boolean {
  return model !== 2 && verifiedAt !== undefined && verifiedAt < createdAt - KYC_LIFE_MS;
}

export function requireKycRecord(record: KycRecord | undefined, partnerId: string): KycRecord {
  if (record?.partnerId !== partnerId) refuse('KYC_TOKEN_NOT_FOUND');
  return record;
}

/**
 * The latest rejection of a client, the latest decision that raised the client's risk tier, and the latest
 * correction, each with its instant.
 */
export type ClientVerdict = {
  rejectedAt?: number;
  rejectedFor?: RejectionReason;
} & (Raised | { raisedAt?: undefined; raisedTier?: undefined }) &
  Corrected;
type Raised = { raisedAt: number; raisedTier: RiskTier };

/**
 * The part of a decision that also applies to the client's other KYC tokens. Undefined if the decision is
 * `PENDING` or approves the client at the tier `STANDARD`. Undefined also if it refuses only the company or
 * the partner's data.
 */
export function verdictOf({ status, riskTier, reason }: KycDecision, now: number): ClientVerdict | undefined {
  if (status === 'REJECTED')
    return isAboutSubmission(reason) ? undefined : { rejectedAt: now, rejectedFor: reason };
  return status === 'APPROVED' && riskTier !== 'STANDARD'
    ? { raisedAt: now, raisedTier: riskTier }
    : undefined;
}

/**
 * The fields to save after a decision. Decisions may be saved in any order. A later one stays, and no tier
 * falls while a token from before it is valid.
 */
export function withVerdict(known: ClientVerdict, made: ClientVerdict): ClientVerdict {
  const { rejectedAt, rejectedFor, raisedAt, raisedTier } = made;
  const isLatest = rejectedAt !== undefined && rejectedAt >= (known.rejectedAt ?? 0);
  const rejected = isLatest ? { rejectedAt, rejectedFor } : {};
  return raisedAt === undefined ? rejected : { ...rejected, ...raisedOf(known, { raisedAt, raisedTier }) };
}

function raisedOf({ raisedAt, raisedTier }: ClientVerdict, made: Raised): Raised {
  if (raisedAt === undefined) return made;
  const latest = made.raisedAt < raisedAt ? { raisedAt, raisedTier } : made;
  const areFar = Math.abs(made.raisedAt - raisedAt) >= KYC_LIFE_MS;
  return areFar ? latest : { ...latest, raisedTier: higherTier(raisedTier, made.raisedTier) };
}

/**
 * Whether the reason concerns only this submission. A company's registration says nothing about the person
 * who represents the company. A partner's typing error says nothing about the client. A rejection for one
 * of these reasons therefore leaves the client's other tokens valid.
 */
const isAboutSubmission = (reason: RejectionReason | undefined) =>
  reason === 'CNPJ_IRREGULAR' || reason === 'DATA_MISMATCH';

/** The status, tier and reason of a record, after later decisions about its client are applied. */
type KycStanding = Pick<KycRecord, 'status' | 'riskTier' | 'reason'>;
type TokenLife = Pick<KycRecord, 'issuedAt' | 'expiresAt'>;

/** The decisions about the client after a record was issued, and the vendor's keys that were withdrawn. */
export type LaterFacts = ClientVerdict & Pick<Partner, 'withdrawnKids'>;

export const laterFacts = (client: ClientVerdict, { withdrawnKids }: Pick<Partner, 'withdrawnKids'>) => ({
  ...client,
  withdrawnKids,
});

/** Whether the key of the vendor that vouched was withdrawn: docs/decisions.md, "Partner KYC tokens (Model 2)". */
export function isVouchWithdrawn(
  { vendorKid }: Pick<KycRecord, 'vendorKid'>,
  { withdrawnKids = [] }: Pick<Partner, 'withdrawnKids'>,
): boolean {
  return vendorKid !== undefined && withdrawnKids.includes(vendorKid);
}

/**
 * The status, tier and reason that apply to the record now. New purchases and the API's answer
 * (`kycAnswer`) both use this function. A later decision also applies to older tokens: docs/decisions.md,
 * "Screening again".
 */
export function kycStanding(
  record: KycStanding & Pick<KycRecord, 'issuedAt' | 'vendorKid'>,
  { rejectedAt, rejectedFor, raisedAt, raisedTier, withdrawnKids }: LaterFacts,
): KycStanding {
  const { status, issuedAt, reason } = record;
  const isRaised = raisedAt !== undefined && issuedAt < raisedAt;
  const riskTier = isRaised ? higherTier(record.riskTier, raisedTier) : record.riskTier;
  if (status === 'REJECTED') return { status, riskTier, reason };
  if (isOverruled(record, { rejectedAt })) return { status: 'REJECTED', riskTier, reason: rejectedFor };
  if (!isVouchWithdrawn(record, { withdrawnKids })) return { status, riskTier, reason };
  return { status: 'REJECTED', riskTier, reason: 'PARTNER_TOKEN_INVALID' };
}

export function higherTier(one: RiskTier, other: RiskTier): RiskTier {
  return RISK_TIERS.indexOf(one) < RISK_TIERS.indexOf(other) ? other : one;
}

/** The tier of a new purchase with this record. Refuses a record that has expired or is not approved. */
export function requireUsable(record: KycRecord, verdict: LaterFacts, now: number): RiskTier {
  if (hasExpired(record, verdict, now)) refuse('KYC_TOKEN_EXPIRED');
  requireApproved(record, verdict);
  return kycStanding(record, verdict).riskTier;
}

/** Whether a decision has refused the client after this record was issued. */
export function isOverruled<Any extends Pick<ClientVerdict, 'rejectedAt'>>(
  { issuedAt }: Pick<KycRecord, 'issuedAt'>,
  verdict: Any,
): verdict is Any & { rejectedAt: number } {
  return verdict.rejectedAt !== undefined && issuedAt < verdict.rejectedAt;
}

/**
 * Refuses unless the record is still approved after later decisions about its client. The record may have expired,
 * because a purchase may last longer than its KYC token.
 */
export function requireApproved(record: KycRecord, verdict: LaterFacts): void {
  const { status } = kycStanding(record, verdict);
  if (status !== 'APPROVED') refuse('KYC_NOT_APPROVED', { status });
}

/** Whether the token has expired. A correction ends it at once, even if the operator's clock is ahead. */
export function hasExpired(record: TokenLife, { correctedAt = 0 }: Corrected, now: number): boolean {
  return record.issuedAt < correctedAt || now >= record.expiresAt;
}

/**
 * The status that partners and operators see. An expired record is `EXPIRED`, whatever its status was. Otherwise the
 * status is the one that a new purchase would use.
 */
export function statusOfRecord(
  record: KycStanding & TokenLife & Pick<KycRecord, 'vendorKid'>,
  verdict: LaterFacts,
  now: number,
): KycStatus | 'EXPIRED' {
  return hasExpired(record, verdict, now) ? 'EXPIRED' : kycStanding(record, verdict).status;
}

/**
 * At first the service tries once a minute to decide a PENDING record. Later tries are rarer, because
 * providers charge for each answer.
 */
const EARLY_CHECKS = 5;
const LONGEST_PAUSE_MINUTES = 30;

/**
 * When the service next looks at a PENDING record or at a refused client. `checks` is how many times it has
 * looked.
 */
export function nextCheckOf(checks: number, { now, minuteMs }: Instant): number {
  const minutes = Math.min(2 ** Math.max(0, checks - EARLY_CHECKS + 1), LONGEST_PAUSE_MINUTES);
  return now + minutes * minuteMs;
}

/**
 * An outcome that comes after the answer to the submission: a PENDING record was decided, or a record was screened
 * again or overruled.
 */
export type KycOutcome = KycDecision & { status: 'APPROVED' | 'REJECTED' };

export type KycDecision = {
  riskTier: RiskTier;
  /** The rules that applied, in words. */
  rules: string[];
} & KycResult;

type KycResult =
  | { status: 'APPROVED'; reason?: undefined }
  | { status: 'PENDING'; reason?: undefined }
  | { status: 'REJECTED'; reason?: RejectionReason };
