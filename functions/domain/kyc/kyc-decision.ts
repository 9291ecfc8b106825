import type { EvidenceOf } from '../screening/evidence.ts';
import type { ListEffect } from '../screening/lists.ts';
import { type Candidate, type Hit, hitsOf, reviewsOf } from '../screening/screening.ts';
import { differencesIn } from './cross-check.ts';
import type { ClientVerdict, KeyedInputs, KycDecision, KycModel, RiskTier } from './kyc.ts';
import type { KycFacts } from './kyc-facts.ts';
import { type KycSource, type OpenQuestion, type RejectionReason, ruleOf } from './kyc-reasons.ts';

export type KycEvidence = EvidenceOf<'kyc', { inputs: KycInputs; findings: KycFacts; decision: KycDecision }>;

type KycInputs = KeyedInputs & {
  clientId: string;
  model: KycModel;
  /**
   * The version of the search index of the sanctions and PEP lists that the previous search for this record
   * used.
   */
  searchedBefore?: string;
  /** The KYC token, if this evidence is about a purchase. */
  kycToken?: string;
  overruledBy?: ClientVerdict;
};

type RejectionRule = { reason: RejectionReason; applies: (facts: KycFacts) => boolean };

/**
 * The first rule that applies gives the reason of the rejection. If a later decision overrules the record,
 * the record gets the reason of the later decision: docs/decisions.md, "Decisions are made from facts alone".
 */
const REJECTION_RULES: readonly RejectionRule[] = [
  { reason: 'SANCTIONS_HIT', applies: (facts) => hitsIn(facts, 'REJECT').length > 0 },
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
  // A document that is not the client's rejects the client only once it is approved. Until then the client
  // may still show another document.
  {
    reason: 'IDENTITY_MISMATCH',
    applies: ({ review }) =>
      review?.status === 'APPROVED' && (review.holder === 'OTHER' || review.biometric === 'OTHER'),
  },
  { reason: 'DATA_MISMATCH', applies: (facts) => differences(facts).length > 0 },
];

type TierRule = {
  tier: Exclude<RiskTier, 'STANDARD'>;
  because: string;
  when: { hit: ListEffect } | { wallet: 'REFUSED' } | { silent: readonly KycSource[] };
};

/**
 * The first rule that applies gives the tier. Every rule that applies is recorded. Both tiers require liveness. PEP
 * comes first, because politically exposed persons must be recorded as such.
 */
const TIER_RULES: readonly TierRule[] = [
  { tier: 'PEP', because: 'politically exposed', when: { hit: 'PEP' } },
  { tier: 'HIGH', because: 'debarred', when: { hit: 'HIGH' } },
  { tier: 'HIGH', because: 'refused wallet', when: { wallet: 'REFUSED' } },
  // If one of these sources does not answer, the client may belong in a higher tier.
  {
    tier: 'HIGH',
    because: 'tier unknown',
    when: { silent: ['CPF_REGISTRY', 'COMPANY_REGISTRY', 'SANCTIONS_LISTS', 'WALLET_ORACLE'] },
  },
];

/**
 * Decides outcome and tier from the facts alone. If the facts reject the client, open questions are
 * ignored.
 */
export function decideKyc(facts: KycFacts): KycDecision {
  const rejection = rejectionOf(facts);
  const open = openQuestions(facts);
  const fired = firedTiers(facts);
  const riskTier = fired[0]?.tier ?? 'STANDARD';
  const rules = [
    ...(rejection?.rules ?? []),
    ...open.map((question) => `pending: ${ruleOf(question, questionSubject(question))}`),
    ...fired.flatMap(({ tier, because, by }) => by.map((what) => `${tier}: ${because}, ${what}`)),
    `tier: ${riskTier}`,
  ];
  if (rejection) return { status: 'REJECTED', riskTier, reason: rejection.reason, rules };
  return { status: open.length > 0 ? 'PENDING' : 'APPROVED', riskTier, reason: undefined, rules };
}

type Rejection = { reason: RejectionReason | undefined; rules: string[] };

function rejectionOf(facts: KycFacts): Rejection | undefined {
  const { overruledBy } = facts;
  const reason = overruledBy
    ? overruledBy.rejectedFor
    : REJECTION_RULES.find(({ applies }) => applies(facts))?.reason;
  if (!overruledBy && !reason) return undefined;
  const hits = reason === 'SANCTIONS_HIT' ? hitsIn(facts, 'REJECT') : [];
  const rules = [
    ...(reason ? [`rejected: ${reason}`] : []),
    ...(overruledBy ? ['overruled: a later decision about the client'] : []),
    ...hits.map((hit) => `hit: ${candidateWords(hit)}`),
    ...(reason === 'DATA_MISMATCH' ? differences(facts).map((what) => `differs: ${what}`) : []),
  ];
  return { reason, rules };
}

function differences({ crossCheck, review }: KycFacts): string[] {
  return differencesIn(crossCheck, review?.status === 'APPROVED');
}

function openQuestions({
  model,
  company,
  review,
  unavailable,
  screening,
  effects,
}: KycFacts): OpenQuestion[] {
  const open: OpenQuestion[] = [
    ...(company?.situation === 'NO_CNPJ' ? [{ kind: 'CNPJ_REQUIRED' as const }] : []),
    ...unavailable.map((source) => ({ kind: 'SOURCE_UNAVAILABLE' as const, source })),
    ...reviewsOf(screening?.candidates ?? [], effects).map((candidate) => {
      return { kind: 'REVIEW' as const, candidate };
    }),
  ];
  // In Model 2 the partner's vendor has already verified the person, so no question about documents stays
  // open.
  if (model === 2 || unavailable.includes('IDENTITY_PROVIDER')) return open;
  if (review?.status !== 'APPROVED') return [...open, { kind: 'DOCUMENTS_NOT_REVIEWED' }];
  return review.holder ? open : [...open, { kind: 'HOLDER_NOT_READ' }];
}

/** The source or the candidate that an open question is about, in words. */
function questionSubject(question: OpenQuestion): string | undefined {
  if (question.kind === 'SOURCE_UNAVAILABLE') return question.source;
  return question.kind === 'REVIEW' ? candidateWords(question.candidate) : undefined;
}

function firedTiers(facts: KycFacts) {
  const all = TIER_RULES.map((rule) => ({ ...rule, by: kycRuleWords(rule, facts) }));
  return all.filter(({ by }) => by.length > 0);
}

/** The facts to which the rule applies, in words. Empty if the rule does not apply. */
function kycRuleWords({ when }: TierRule, facts: KycFacts): string[] {
  if ('hit' in when) return hitsIn(facts, when.hit).map(candidateWords);
  if ('wallet' in when) return facts.refusedWallets;
  return facts.unavailable.filter((source) => when.silent.includes(source)).map((each) => `no ${each}`);
}

function hitsIn({ screening, effects }: KycFacts, effect: ListEffect): Hit[] {
  return hitsOf(screening?.candidates ?? [], effects).filter((hit) => hit.effect === effect);
}

function candidateWords({ list, entryId, score, threshold, explanation, review }: Candidate): string {
  const decided = review ? `, ${review.toLowerCase()}` : '';
  return `${list} ${entryId} (score ${score} of ${threshold}, ${explanation}${decided})`;
}
