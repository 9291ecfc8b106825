import { refuse } from './errors.ts';
import type { Identity, Screening } from './screening.ts';

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

/** The outcome of a submission. Instants are epoch milliseconds. Rows outlive the token: deletion is never relied upon. */
export type KycRecord = {
  token: string;
  partnerId: string;
  /** Keyed hash of partner and CPF: see `Vault.fingerprint`. */
  clientId: string;
  /** KYC ownership model of the spec: 1 direct, 2 client via partner, 3 shared. */
  model: 1 | 2 | 3;
  personType: 'PF' | 'PJ';
  status: KycStatus;
  riskTier: RiskTier;
  reason?: RejectionReason;
  issuedAt: number;
  expiresAt: number;
};

export type KycDecision = {
  status: KycStatus;
  riskTier: RiskTier;
  reason?: RejectionReason;
  rules: string[];
};

/** What the tax registry says of a CPF, in our words. */
export type RegistryEntry = Identity & { situation: 'REGULAR' | 'IRREGULAR' | 'DECEASED' };

/**
 * The tier and the outcome, by rules in their order; the first rejection wins. Each rule that fired is named, for
 * the evidence. `today` is an ISO date.
 */
export function decideKyc(
  entry: RegistryEntry | undefined,
  screening: Screening,
  today: string,
): KycDecision {
  const reason = rejectionOf(entry, screening, today);
  const riskTier = tierOf(screening);
  return {
    status: reason ? 'REJECTED' : 'APPROVED',
    riskTier,
    reason,
    rules: [...(reason ? [`rejected: ${reason}`] : []), ...tierRules(screening), `tier: ${riskTier}`],
  };
}

function rejectionOf(
  entry: RegistryEntry | undefined,
  screening: Screening,
  today: string,
): RejectionReason | undefined {
  if (screening.hits.some((hit) => hit.effect === 'REJECT')) return 'SANCTIONS_HIT';
  // A number that the registry does not have is nobody's.
  if (!entry) return 'CPF_IRREGULAR';
  if (entry.situation === 'DECEASED') return 'DECEASED';
  if (entry.situation === 'IRREGULAR') return 'CPF_IRREGULAR';
  if (ageAt(entry.birthDate, today) < ADULT_YEARS) return 'UNDERAGE';
  return undefined;
}

/** PEP outranks HIGH: both need liveness, and a PEP must be known as one. */
function tierOf(screening: Screening): RiskTier {
  if (screening.hits.some((hit) => hit.effect === 'PEP')) return 'PEP';
  return screening.hits.some((hit) => hit.effect === 'HIGH') ? 'HIGH' : 'STANDARD';
}

function tierRules(screening: Screening): string[] {
  return screening.hits
    .filter((hit) => hit.effect !== 'REJECT')
    .map((hit) => `${hit.effect}: ${hit.list} ${hit.entryId}`);
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

/** A record that a transaction may rest on. */
export function requireUsable(record: KycRecord | undefined, partnerId: string, now: number): KycRecord {
  const own = requireKycRecord(record, partnerId);
  if (hasExpired(own, now)) refuse('KYC_TOKEN_EXPIRED');
  if (own.status !== 'APPROVED') refuse('KYC_NOT_APPROVED', { status: own.status });
  return own;
}

export function hasExpired(record: KycRecord, now: number): boolean {
  return now >= record.expiresAt;
}
