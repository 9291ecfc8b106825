import type { EvidenceOf } from '../screening/evidence.ts';
import { LIST_EFFECTS, type ListEffect, type ListEffects } from '../screening/lists.ts';
import { type Candidate, type Hit, hitsOf, reviewsOf, type Screening } from '../screening/screening.ts';
import type { IdentityReview } from './identity.ts';
import type {
  ClientVerdict,
  ClosedEntry,
  CompanyEntry,
  KeptBiometric,
  KycDecision,
  KycModel,
  KycSource,
  RegistryEntry,
  RejectionReason,
  RiskTier,
} from './kyc.ts';
import { isSamePerson } from './person-name.ts';

/** The provider's answer with its biometric hash keyed, too: keyed ones are compared. */
export type KeyedReview = Omit<IdentityReview, 'biometricHash'> & { keyedBiometric?: string };

/** Of a legal entity. Without an entry: the registry has no such CNPJ. `NO_CNPJ`: there was none to ask for. */
export type CompanyFinding = 'NO_CNPJ' | { entry?: CompanyEntry };

/** What was found out about a client, personal data among it. What is absent was not asked, or did not answer. */
export type Findings = {
  model: KycModel;
  /** Keyed hash of what the partner says the client's biometric data hash to. */
  keyedBiometric?: string;
  /** Keyed hash of CPF, name and birth date as the lists were searched for them; and of CNPJ and company's name. */
  personHash?: string;
  companyHash?: string;
  /** Of a legal entity alone. */
  company?: CompanyFinding;
  /** Without an entry: the registry has no such CPF. */
  registry?: { entry?: RegistryEntry | ClosedEntry };
  screening?: Screening;
  review?: KeyedReview;
  /** Those of the client's known wallets that may not be paid to. */
  refusedWallets: string[];
  /** Who did not answer. */
  unavailable: KycSource[];
};

/**
 * What is decided upon, free of personal data. Evidence keeps it whole, so that `decideKyc` of a record gives what was
 * decided then.
 */
export type Facts = Pick<
  Findings,
  'model' | 'personHash' | 'companyHash' | 'screening' | 'refusedWallets' | 'unavailable'
> & {
  company?: { situation: CompanyEntry['situation'] | 'UNKNOWN' | 'NO_CNPJ' };
  registry?: { situation: RegistryEntry['situation'] | 'MINOR' | 'UNKNOWN'; isAdult?: boolean };
  /** `holder` says whether the document is the client's, once it was read; `biometric` compares both hashes. */
  review?: Pick<IdentityReview, 'applicantId' | 'status'> & {
    holder?: 'SAME' | 'OTHER' | 'UNKNOWN';
    biometric?: 'SAME' | 'OTHER';
  };
  effects: ListEffects;
  /** A later decision that has refused the client: docs/decisions.md, "A later submission binds older tokens". */
  overruledBy?: Pick<ClientVerdict, 'rejectedAt' | 'rejectedFor'>;
};

export type KycEvidence = EvidenceOf<'kyc', { inputs: KycInputs; findings: Facts; decision: KycDecision }>;

type KycInputs = KeptBiometric & {
  clientId: string;
  model: KycModel;
  /** The index of the search before, where the lists have changed. */
  searchedBefore?: string;
  /** The KYC token, where the subject is a purchase. */
  kycToken?: string;
  overruledBy?: ClientVerdict;
};

const ADULT_YEARS = 18;

/** The findings without what is personal. `today` is an ISO date. */
export function factsOf(
  findings: Findings,
  { today, effects = LIST_EFFECTS }: { today: string; effects?: ListEffects },
): Facts {
  const { registry, company, review, keyedBiometric, ...rest } = findings;
  const { model, personHash, companyHash, screening, refusedWallets, unavailable } = rest;
  return {
    ...{ model, personHash, companyHash, screening, refusedWallets, unavailable, effects },
    company: company && {
      situation: company === 'NO_CNPJ' ? company : (company.entry?.situation ?? 'UNKNOWN'),
    },
    registry: registry && registryFacts(registry.entry, today),
    review: review && {
      ...{ applicantId: review.applicantId, status: review.status },
      holder: review.holder && holderFact(review, registry?.entry),
      biometric: biometricFact(review.keyedBiometric, keyedBiometric),
    },
  };
}

function registryFacts(entry: RegistryEntry | ClosedEntry | undefined, today: string): Facts['registry'] {
  if (!entry) return { situation: 'UNKNOWN' };
  if (entry.situation === 'MINOR') return { situation: 'MINOR' };
  return { situation: entry.situation, isAdult: ageAt(entry.birthDate, today) >= ADULT_YEARS };
}

function holderFact({ holder }: KeyedReview, entry: RegistryEntry | ClosedEntry | undefined) {
  if (!entry || entry.situation === 'MINOR') return 'UNKNOWN';
  return isSamePerson(holder!, entry) ? 'SAME' : 'OTHER';
}

/** Compared only where both sides give one. */
function biometricFact(held: string | undefined, given: string | undefined) {
  if (held === undefined || given === undefined) return undefined;
  return held === given ? 'SAME' : 'OTHER';
}

/** Whole years between two ISO dates. */
function ageAt(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

type RejectionRule = { reason: RejectionReason; applies: (facts: Facts) => boolean };

/** In their order, the first wins: docs/decisions.md, "Reasons of KYC_REJECTED". */
const REJECTION_RULES: readonly RejectionRule[] = [
  { reason: 'SANCTIONS_HIT', applies: (facts) => hitsIn(facts, 'REJECT').length > 0 },
  // A number that the registry does not have is nobody's.
  { reason: 'CPF_IRREGULAR', applies: ({ registry }) => registry?.situation === 'UNKNOWN' },
  { reason: 'DECEASED', applies: ({ registry }) => registry?.situation === 'DECEASED' },
  { reason: 'CPF_IRREGULAR', applies: ({ registry }) => registry?.situation === 'IRREGULAR' },
  {
    reason: 'UNDERAGE',
    applies: ({ registry }) => registry?.situation === 'MINOR' || registry?.isAdult === false,
  },
  {
    reason: 'CNPJ_IRREGULAR',
    applies: ({ company }) => company?.situation === 'UNKNOWN' || company?.situation === 'INACTIVE',
  },
  { reason: 'DOCUMENT_REJECTED', applies: ({ review }) => review?.status === 'REJECTED' },
  // Only what was approved is compared: before, the client may still show another document.
  {
    reason: 'IDENTITY_MISMATCH',
    applies: ({ review }) =>
      review?.status === 'APPROVED' && (review.holder === 'OTHER' || review.biometric === 'OTHER'),
  },
];

type TierRule = {
  tier: Exclude<RiskTier, 'STANDARD'>;
  because: string;
  when: { hit: ListEffect } | { wallet: 'REFUSED' } | { silent: readonly KycSource[] };
};

/**
 * In their order: the first that fires gives the tier, and each that fires is recorded with its reason. PEP outranks
 * HIGH: both need liveness, and a PEP must be known as one.
 */
export const TIER_RULES: readonly TierRule[] = [
  { tier: 'PEP', because: 'politically exposed', when: { hit: 'PEP' } },
  { tier: 'HIGH', because: 'debarred', when: { hit: 'HIGH' } },
  { tier: 'HIGH', because: 'refused wallet', when: { wallet: 'REFUSED' } },
  // While one of these is silent, nobody can say that it is STANDARD.
  {
    tier: 'HIGH',
    because: 'tier unknown',
    when: { silent: ['CPF_REGISTRY', 'COMPANY_REGISTRY', 'SANCTIONS_LISTS', 'WALLET_ORACLE'] },
  },
];

/** The outcome and the tier. Any rejection wins over PENDING. Nothing but the facts counts. */
export function decideKyc(facts: Facts): KycDecision {
  const { overruledBy } = facts;
  const isOverruled = overruledBy !== undefined;
  const reason = isOverruled
    ? overruledBy.rejectedFor
    : REJECTION_RULES.find(({ applies }) => applies(facts))?.reason;
  const open = openQuestions(facts);
  const fired = TIER_RULES.map((rule) => ({ ...rule, by: firedBy(rule, facts) })).filter(
    ({ by }) => by.length > 0,
  );
  const riskTier = fired[0]?.tier ?? 'STANDARD';
  return {
    status: reason || isOverruled ? 'REJECTED' : open.length > 0 ? 'PENDING' : 'APPROVED',
    riskTier,
    reason,
    rules: [
      ...(reason ? [`rejected: ${reason}`] : []),
      ...(isOverruled ? ['overruled: a later decision about the client'] : []),
      ...(reason === 'SANCTIONS_HIT' ? hitsIn(facts, 'REJECT').map((hit) => `hit: ${inWords(hit)}`) : []),
      ...open.map((question) => `pending: ${question}`),
      ...fired.flatMap(({ tier, because, by }) => by.map((what) => `${tier}: ${because}, ${what}`)),
      `tier: ${riskTier}`,
    ],
  };
}

/** What must be answered before the client may be approved. */
function openQuestions({ model, company, review, unavailable, screening, effects }: Facts): string[] {
  const open = [
    ...(company?.situation === 'NO_CNPJ' ? ['CNPJ required'] : []),
    ...unavailable.map((source) => `${source} unavailable`),
    ...reviewsOf(screening?.candidates ?? [], effects).map((each) => `review of ${inWords(each)}`),
  ];
  // Model 2: the partner's vendor has verified the person.
  if (model === 2 || unavailable.includes('IDENTITY_PROVIDER')) return open;
  if (review?.status !== 'APPROVED') return [...open, 'documents not reviewed'];
  return review.holder ? open : [...open, 'holder of the document not read'];
}

/** What made the rule fire, in words; nothing where it does not. */
function firedBy({ when }: TierRule, facts: Facts): string[] {
  if ('hit' in when) return hitsIn(facts, when.hit).map(inWords);
  if ('wallet' in when) return facts.refusedWallets;
  return facts.unavailable.filter((source) => when.silent.includes(source)).map((each) => `no ${each}`);
}

function hitsIn({ screening, effects }: Facts, effect: ListEffect): Hit[] {
  return hitsOf(screening?.candidates ?? [], effects).filter((hit) => hit.effect === effect);
}

function inWords({ list, entryId, score, threshold, explanation, review }: Candidate): string {
  const decided = review ? `, ${review.toLowerCase()}` : '';
  return `${list} ${entryId} (score ${score} of ${threshold}, ${explanation}${decided})`;
}
