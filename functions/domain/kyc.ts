import { refuse } from './errors.ts';
import type { DomainEvent } from './events.ts';
import type { IdentityReview } from './identity.ts';
import { isSamePerson } from './person-name.ts';
import type { Identity, Screening } from './screening.ts';
import type { Instant } from './transaction.ts';

export const RISK_TIERS = ['STANDARD', 'HIGH', 'PEP'] as const;
export type RiskTier = (typeof RISK_TIERS)[number];
export type KycStatus = 'APPROVED' | 'PENDING' | 'REJECTED';

/** Spec, "KYC record": valid for 24 hours from issue. */
export const KYC_LIFE_MS = 24 * 60 * 60 * 1000;
const ADULT_YEARS = 18;

export type RejectionReason =
  | 'SANCTIONS_HIT'
  | 'IDENTITY_MISMATCH'
  | 'CPF_IRREGULAR'
  | 'DECEASED'
  | 'UNDERAGE'
  | 'PARTNER_TOKEN_INVALID'
  | 'DOCUMENT_REJECTED';

/** KYC ownership model of the spec: 1 direct, 2 client via partner, 3 shared. */
export type KycModel = 1 | 2 | 3;

/** The outcome of a submission. Instants are epoch milliseconds. Rows outlive the token: deletion is never relied upon. */
export type KycRecord = {
  token: string;
  partnerId: string;
  /** Keyed hash of partner and CPF: see `Vault.fingerprint`. */
  clientId: string;
  model: KycModel;
  personType: 'PF' | 'PJ';
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
};

export type KycDecision = {
  status: KycStatus;
  riskTier: RiskTier;
  reason?: RejectionReason;
  rules: string[];
};

/** What the tax registry says of a CPF, in our words. */
export type RegistryEntry = Identity & { situation: 'REGULAR' | 'IRREGULAR' | 'DECEASED' };
/** A minor's data are closed by law: that there is such a person is all that the registry says. */
export type ClosedEntry = { situation: 'MINOR' };

/** Who is asked about a client. */
export type KycSource = 'CPF_REGISTRY' | 'SANCTIONS_LISTS' | 'IDENTITY_PROVIDER' | 'WALLET_ORACLE';

/** Whether one of the others may still reject a client without documents, who may never show any. */
export function hasOpenSources({ unanswered = [] }: Pick<KycRecord, 'unanswered'>): boolean {
  return unanswered.some((source) => source !== 'IDENTITY_PROVIDER');
}

/** What was found out about a client. What is absent was not asked, or did not answer. */
export type Findings = {
  model: KycModel;
  /** Without an entry: the registry has no such CPF. */
  registry?: { entry?: RegistryEntry | ClosedEntry };
  screening?: Screening;
  review?: IdentityReview;
  /** Those of the client's known wallets that the chain's oracle lists. */
  sanctionedWallets: string[];
  /** Who did not answer. */
  unavailable: KycSource[];
};

/**
 * The tier and the outcome, by rules in their order; the first rejection wins, and any rejection wins over PENDING.
 * Each rule that fired is named, for the evidence. `today` is an ISO date.
 */
export function decideKyc(findings: Findings, today: string): KycDecision {
  const reason = rejectionOf(findings, today);
  const riskTier = tierOf(findings);
  const open = openQuestions(findings);
  return {
    status: reason ? 'REJECTED' : open.length > 0 ? 'PENDING' : 'APPROVED',
    riskTier,
    reason,
    rules: [
      ...(reason ? [`rejected: ${reason}`] : []),
      ...open.map((question) => `pending: ${question}`),
      ...tierRules(findings),
      `tier: ${riskTier}`,
    ],
  };
}

/** docs/decisions.md, "Reasons of KYC_REJECTED". */
function rejectionOf({ registry, screening, review }: Findings, today: string): RejectionReason | undefined {
  if (screening?.hits.some((hit) => hit.effect === 'REJECT')) return 'SANCTIONS_HIT';
  if (registry) {
    // A number that the registry does not have is nobody's.
    if (!registry.entry) return 'CPF_IRREGULAR';
    if (registry.entry.situation === 'DECEASED') return 'DECEASED';
    if (registry.entry.situation === 'IRREGULAR') return 'CPF_IRREGULAR';
    if (registry.entry.situation === 'MINOR') return 'UNDERAGE';
    if (ageAt(registry.entry.birthDate, today) < ADULT_YEARS) return 'UNDERAGE';
  }
  if (review?.status === 'REJECTED') return 'DOCUMENT_REJECTED';
  if (registry?.entry && isOfAnother(registry.entry, review)) return 'IDENTITY_MISMATCH';
  return undefined;
}

/** Only what was approved is compared: before, the client may still show another document. */
function isOfAnother(entry: RegistryEntry | ClosedEntry, review: IdentityReview | undefined): boolean {
  if (entry.situation === 'MINOR') return false;
  return review?.status === 'APPROVED' && review.holder !== undefined && !isSamePerson(review.holder, entry);
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

/** What must be answered before the client may be approved. */
function openQuestions({ model, review, unavailable }: Findings): string[] {
  const open = unavailable.map((source) => `${source} unavailable`);
  // Model 2: the partner's vendor has verified the person.
  if (model === 2 || unavailable.includes('IDENTITY_PROVIDER')) return open;
  if (review?.status !== 'APPROVED') return [...open, 'documents not reviewed'];
  return review.holder ? open : [...open, 'holder of the document not read'];
}

/** What may raise the tier: while one of these is silent, nobody can say that it is STANDARD. */
const TIER_SOURCES: readonly KycSource[] = ['CPF_REGISTRY', 'SANCTIONS_LISTS', 'WALLET_ORACLE'];

/** PEP outranks HIGH: both need liveness, and a PEP must be known as one. */
function tierOf(findings: Findings): RiskTier {
  const hits = findings.screening?.hits ?? [];
  if (hits.some((hit) => hit.effect === 'PEP')) return 'PEP';
  const isHigh = hits.some((hit) => hit.effect === 'HIGH') || findings.sanctionedWallets.length > 0;
  return isHigh || isTierUnknown(findings) ? 'HIGH' : 'STANDARD';
}

const isTierUnknown = ({ unavailable }: Findings) =>
  unavailable.some((source) => TIER_SOURCES.includes(source));

function tierRules(findings: Findings): string[] {
  const { screening, sanctionedWallets } = findings;
  return [
    ...(screening?.hits ?? [])
      .filter((hit) => hit.effect !== 'REJECT')
      .map((hit) => `${hit.effect}: ${hit.list} ${hit.entryId}`),
    ...sanctionedWallets.map((address) => `HIGH: sanctioned wallet ${address}`),
    ...(isTierUnknown(findings) ? ['HIGH: tier unknown'] : []),
  ];
}

/** Whole years between two ISO dates. */
function ageAt(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

export function requireKycRecord(record: KycRecord | undefined, partnerId: string): KycRecord {
  if (record?.partnerId !== partnerId) refuse('KYC_TOKEN_NOT_FOUND');
  return record;
}

/** What a decision found against a client, and when. */
export type Verdict = { rejectedAt?: number; raisedAt?: number; raisedTier?: RiskTier };

/** What is remembered of a decision beside its own record; undefined where it found nothing against the client. */
export function verdictOf({ status, riskTier }: KycDecision, now: number): Verdict | undefined {
  if (status === 'REJECTED') return { rejectedAt: now };
  return status === 'APPROVED' && riskTier !== 'STANDARD'
    ? { raisedAt: now, raisedTier: riskTier }
    : undefined;
}

/**
 * The tier that a purchase on this record has, where it may rest on it at all. What a later submission found holds for
 * the tokens before it too: docs/decisions.md, "A later submission binds older tokens".
 */
export function requireUsable(record: KycRecord, verdict: Verdict, now: number): RiskTier {
  const { rejectedAt, raisedAt, raisedTier } = verdict;
  if (hasExpired(record, now)) refuse('KYC_TOKEN_EXPIRED');
  const isOverruled = rejectedAt !== undefined && record.issuedAt < rejectedAt;
  const status = isOverruled ? 'REJECTED' : record.status;
  if (status !== 'APPROVED') refuse('KYC_NOT_APPROVED', { status });
  const isRaised = raisedTier !== undefined && record.issuedAt < raisedAt! && record.riskTier !== 'PEP';
  return isRaised ? raisedTier : record.riskTier;
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

/** The later outcome of a PENDING record. */
export type KycOutcome = KycDecision & { status: 'APPROVED' | 'REJECTED' };

/** What the partner is told of it. The event's id must not tell the token: ids are logged. */
export function outcomeEvent(
  record: KycRecord,
  { status, riskTier, reason }: KycOutcome,
  { id, now }: { id: string; now: number },
): DomainEvent {
  return {
    id,
    partnerId: record.partnerId,
    type: status === 'APPROVED' ? 'kyc.approved' : 'kyc.rejected',
    sequence: 1,
    at: now,
    data: { ...kycAnswer({ ...record, status, riskTier, reason }, now), sequence: 1 },
  };
}

/** Spec, "KYC record", with the reason of a rejection. A record past its day is told as `EXPIRED`, whatever it was. */
export function kycAnswer(record: KycRecord, now: number) {
  const status = hasExpired(record, now) ? 'EXPIRED' : record.status;
  return {
    token: record.token,
    status,
    riskTier: record.riskTier,
    expiresAt: new Date(record.expiresAt).toISOString(),
    ...(status === 'REJECTED' && record.reason && { reason: record.reason }),
  };
}
