import { refuse } from '../errors.ts';
import type { DomainEvent } from '../partners/events.ts';
import type { Identity } from '../screening/screening.ts';
import type { Instant } from '../time.ts';
import type { KycSource, PendingReason, RejectionReason } from './kyc-reasons.ts';

export const RISK_TIERS = ['STANDARD', 'HIGH', 'PEP'] as const;
export type RiskTier = (typeof RISK_TIERS)[number];
export type KycStatus = 'APPROVED' | 'PENDING' | 'REJECTED';

/** Spec, "KYC record": valid for 24 hours from issue. */
export const KYC_LIFE_MS = 24 * 60 * 60 * 1000;

/** `PF` is an individual, `PJ` a legal entity. */
export type PersonType = 'PF' | 'PJ';

/** KYC ownership model of the spec: 1 direct, 2 client via partner, 3 shared. */
export type KycModel = 1 | 2 | 3;

/** The outcome of a submission. Instants are epoch milliseconds. Rows outlive the token: deletion is never relied upon. */
export type KycRecord = {
  token: string;
  partnerId: string;
  /** Keyed hash of partner and CPF: see `Vault.fingerprint`. */
  clientId: string;
  model: KycModel;
  personType: PersonType;
  status: KycStatus;
  riskTier: RiskTier;
  reason?: RejectionReason;
  issuedAt: number;
  expiresAt: number;
  /** While it is PENDING and its time is not over: when to look again, and how often that was done. */
  nextCheckAt?: number;
  checks?: number;
  /** While it is PENDING: the legal entity's CNPJ, ciphertext of the vault. */
  cnpjCipher?: string;
  /** While it is PENDING: who has not answered about the client yet. */
  unanswered?: KycSource[];
  /** While it is PENDING: the pairs that a person must decide about first: `pairOf`. */
  openPairs?: string[];
  /** Who was searched for, ciphertext of the vault: JSON of `Screened`. Absent where nobody was. */
  identityCipher?: string;
  /** The version of the index that the client was last searched in. */
  screenedWith?: string;
  /** The instant of its last decision, under which its evidence lies; absent where that is its first. */
  decidedAt?: number;
  /** Number of the last event announced; absent before the first. */
  sequence?: number;
} & KeptBiometric;

/** What a row keeps of the hash that the partner sent of the client's biometric data: a record, while it is PENDING. */
export type KeptBiometric = {
  /** Keyed hash of it: see `Vault.fingerprint`. */
  keyedBiometric?: string;
  /** In rows from before there were keyed ones: the hash itself. */
  biometricHash?: string;
};

/** Whom the lists were searched for: what a new search, after they have changed, takes besides the CPF. */
export type Screened = { name: string; birthDate: string; cnpj?: string; companyName?: string };

/** What the tax registry says of a CPF, in our words. */
export type RegistryEntry = Identity & { situation: 'REGULAR' | 'IRREGULAR' | 'DECEASED' };
/** A minor's data are closed by law: that there is such a person is all that the registry says. */
export type ClosedEntry = { situation: 'MINOR' };

/** What the tax registry says of a CNPJ. A sole trader's company bears a person's name. */
export type CompanyEntry = { name: string; situation: 'ACTIVE' | 'INACTIVE' };

/** Whether one of the others may still reject a client without documents, who may never show any. */
export function hasOpenSources({ unanswered = [] }: Pick<KycRecord, 'unanswered'>): boolean {
  return unanswered.some((source) => source !== 'IDENTITY_PROVIDER');
}

/**
 * Whether the submission that a purchase rests on has compared the verified document with the registry. It is a day old
 * at most, and what was verified before that day began it has seen; in Model 2 it asks for no document.
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

/** What a decision found against a client, and when. */
export type ClientVerdict = {
  rejectedAt?: number;
  rejectedFor?: RejectionReason;
  raisedAt?: number;
  raisedTier?: RiskTier;
};

/** What is remembered of a decision beside its own record; undefined where it found nothing against the client. */
export function verdictOf({ status, riskTier, reason }: KycDecision, now: number): ClientVerdict | undefined {
  // A company's registration says nothing of who represents it, and of their other tokens.
  if (status === 'REJECTED')
    return reason === 'CNPJ_IRREGULAR' ? undefined : { rejectedAt: now, rejectedFor: reason };
  return status === 'APPROVED' && riskTier !== 'STANDARD'
    ? { raisedAt: now, raisedTier: riskTier }
    : undefined;
}

/** What a record is worth together with all that was decided about its client since. */
export type Standing = Pick<KycRecord, 'status' | 'riskTier' | 'reason'>;

/**
 * The one place that says it, for purchases and for whoever asks alike. What a later decision found holds for the tokens
 * before it too: docs/decisions.md, "A later submission binds older tokens".
 */
export function standingOf(
  record: Standing & Pick<KycRecord, 'issuedAt'>,
  { rejectedAt, rejectedFor, raisedAt, raisedTier }: ClientVerdict,
): Standing {
  const { status, issuedAt, reason } = record;
  const isRaised = raisedAt !== undefined && raisedTier !== undefined && issuedAt < raisedAt;
  const riskTier = isRaised ? higherTier(record.riskTier, raisedTier) : record.riskTier;
  if (status === 'REJECTED' || !isOverruled(record, { rejectedAt })) return { status, riskTier, reason };
  return { status: 'REJECTED', riskTier, reason: rejectedFor };
}

export function higherTier(one: RiskTier, other: RiskTier): RiskTier {
  return RISK_TIERS.indexOf(one) < RISK_TIERS.indexOf(other) ? other : one;
}

/** The tier that a purchase on this record has, where it may rest on it at all. */
export function requireUsable(record: KycRecord, verdict: ClientVerdict, now: number): RiskTier {
  if (hasExpired(record, now)) refuse('KYC_TOKEN_EXPIRED');
  requireApproved(record, verdict);
  return standingOf(record, verdict).riskTier;
}

/** Whether a later decision about the client has refused what this record had approved. */
export function isOverruled(
  { issuedAt }: Pick<KycRecord, 'issuedAt'>,
  { rejectedAt }: Pick<ClientVerdict, 'rejectedAt'>,
): boolean {
  return rejectedAt !== undefined && issuedAt < rejectedAt;
}

/** The record still carries what was begun with it, whether or not its day is over. */
export function requireApproved(record: KycRecord, verdict: ClientVerdict): void {
  const { status } = standingOf(record, verdict);
  if (status !== 'APPROVED') refuse('KYC_NOT_APPROVED', { status });
}

export function hasExpired(record: KycRecord, now: number): boolean {
  return now >= record.expiresAt;
}

/** Looks at a PENDING record come each minute at first, then less and less often: providers charge for answers. */
const EARLY_CHECKS = 5;
const LONGEST_PAUSE_MINUTES = 30;

/** When a PENDING record is looked at again after so many checks. */
export function nextCheckOf(checks: number, { now, minuteMs }: Instant): number {
  const minutes = Math.min(2 ** Math.max(0, checks - EARLY_CHECKS + 1), LONGEST_PAUSE_MINUTES);
  return now + minutes * minuteMs;
}

/** An outcome after the submission's answer: of a PENDING record, or of one that was screened again. */
export type KycOutcome = KycDecision & { status: 'APPROVED' | 'REJECTED' };

/** The number of the record's next event. A record that is screened again may have several outcomes. */
export function nextSequenceOf({ sequence = 0 }: Pick<KycRecord, 'sequence'>): number {
  return sequence + 1;
}

/** What the partner is told of it. The event's id must not tell the token: ids are logged. */
export function outcomeEvent(
  record: KycRecord,
  { status, riskTier, reason }: KycOutcome,
  { id, now, verdict }: { id: string; now: number; verdict: ClientVerdict },
): DomainEvent {
  const sequence = nextSequenceOf(record);
  const answer = kycAnswer({ ...record, status, riskTier, reason }, verdict, now);
  return {
    ...{ id, partnerId: record.partnerId, sequence, at: now },
    type: status === 'APPROVED' ? 'kyc.approved' : 'kyc.rejected',
    data: { ...answer, sequence },
  };
}

/** A legal entity that did not say which it is: docs/decisions.md, "Legal entities". */
export function lacksCnpj({ status, personType, cnpjCipher }: KycRecord): boolean {
  return status === 'PENDING' && personType === 'PJ' && cnpjCipher === undefined;
}

function reasonOf(record: KycRecord): RejectionReason | PendingReason | undefined {
  if (record.status === 'REJECTED') return record.reason;
  return lacksCnpj(record) ? 'CNPJ_REQUIRED' : undefined;
}

/**
 * Spec, "KYC record", with its reason. A record past its day is told as `EXPIRED`, whatever it was; else as what initiate
 * would take it for.
 */
export function kycAnswer(record: KycRecord, verdict: ClientVerdict, now: number) {
  const { riskTier, ...standing } = standingOf(record, verdict);
  const status: KycStatus | 'EXPIRED' = hasExpired(record, now) ? 'EXPIRED' : standing.status;
  const reason = status === 'EXPIRED' ? undefined : reasonOf({ ...record, ...standing });
  return {
    token: record.token,
    status,
    riskTier,
    expiresAt: new Date(record.expiresAt).toISOString(),
    ...(reason && { reason }),
  };
}

export type KycDecision = {
  riskTier: RiskTier;
  /** Each rule that fired, in words. */
  rules: string[];
} & KycResult;

type KycResult =
  | { status: 'APPROVED' | 'PENDING'; reason?: undefined }
  | { status: 'REJECTED'; reason?: RejectionReason };
