import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../functions/domain/kyc/cross-check.ts';
import { decideKyc } from '../../functions/domain/kyc/kyc-decision.ts';
import type { KycFacts } from '../../functions/domain/kyc/kyc-facts.ts';
import type { KycSource } from '../../functions/domain/kyc/kyc-reasons.ts';
import { decideAgain, type Evidence } from '../../functions/domain/purchase/evidence.ts';
import { LIST_EFFECTS, LIST_IDS, mapLists } from '../../functions/domain/screening/lists.ts';
import { type Candidate, REJECT_POINT } from '../../functions/domain/screening/screening.ts';
import { anEvidence } from '../support/builders.ts';

const SOURCES: KycSource[] = [
  'CPF_REGISTRY',
  'COMPANY_REGISTRY',
  'SANCTIONS_LISTS',
  'IDENTITY_PROVIDER',
  'WALLET_ORACLE',
];
const evidence = (kind: Evidence['kind'], findings: object) => anEvidence(kind, { findings });

const candidates: fc.Arbitrary<Candidate> = fc.record(
  {
    list: fc.constantFrom(...LIST_IDS),
    entryId: fc.stringMatching(/^[0-9]{1,5}$/),
    score: fc.double({ min: 0.05, max: 1, noNaN: true }),
    threshold: fc.constant(REJECT_POINT),
    explanation: fc.constant('name equal, birth date unknown'),
    review: fc.constantFrom('CLEARED', 'CONFIRMED'),
  },
  { requiredKeys: ['list', 'entryId', 'score', 'threshold', 'explanation'] },
);
const verdict = fc.constantFrom<Verdict>('SAME', 'OTHER', 'UNKNOWN');
const verdicts = fc.record(
  { name: verdict, birthDate: verdict, documentNumber: verdict },
  { requiredKeys: [] },
);
const facts: fc.Arbitrary<KycFacts> = fc.record(
  {
    model: fc.constantFrom(1, 2, 3),
    personHash: fc.constant('ab'.repeat(32)),
    companyHash: fc.constant('cd'.repeat(32)),
    company: fc.record({ situation: fc.constantFrom('ACTIVE', 'INACTIVE', 'UNKNOWN', 'NO_CNPJ') }),
    registry: fc.record({
      situation: fc.constantFrom('REGULAR', 'IRREGULAR', 'DECEASED', 'MINOR', 'UNKNOWN'),
      isAdult: fc.option(fc.boolean(), { nil: undefined }),
    }),
    screening: fc.record({ lists: fc.constant([]), candidates: fc.array(candidates, { maxLength: 5 }) }),
    review: fc.record({
      applicantId: fc.constant('a1'),
      status: fc.constantFrom('PENDING', 'APPROVED', 'REJECTED'),
      holder: fc.option(fc.constantFrom('SAME', 'OTHER', 'UNKNOWN'), { nil: undefined }),
      biometric: fc.option(fc.constantFrom('SAME', 'OTHER'), { nil: undefined }),
    }),
    refusedWallets: fc.array(fc.constant('0x8ba1f109551bD432803012645Ac136ddd64DBA72'), { maxLength: 2 }),
    crossCheck: fc.record({ registry: verdicts, document: verdicts }, { requiredKeys: [] }),
    unavailable: fc.subarray(SOURCES),
    overruledBy: fc.record({
      rejectedAt: fc.nat(),
      rejectedFor: fc.constantFrom('SANCTIONS_HIT', 'DECEASED'),
    }),
    effects: fc.record(mapLists(({ effects }) => fc.constantFrom(...effects))),
  } as { [Name in keyof KycFacts]-?: fc.Arbitrary<KycFacts[Name]> },
  { requiredKeys: ['model', 'refusedWallets', 'unavailable', 'effects'] },
);

describe('decideAgain', () => {
  it('repeats the decision of a stored KYC record, whatever the record holds', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const stored = JSON.parse(JSON.stringify(given)) as KycFacts;
        expect(decideAgain(evidence('kyc', stored))).toEqual(decideKyc(given));
      }),
    );
  });

  it('never approves over a hit that refuses, an open review, or a silent source', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const decision = decideKyc(given);
        const { effects, unavailable, screening } = given;
        const refusing = (screening?.candidates ?? []).filter(({ list }) => effects[list] === 'REJECT');
        const isStopped = refusing.some(
          ({ score, review }) => review === 'CONFIRMED' || (!review && score >= 0.7),
        );
        if (isStopped || unavailable.length > 0) expect(decision.status).not.toBe('APPROVED');
      }),
    );
  });

  it('applies the configured effects: a debarment refuses if the deployment says so', () => {
    const debarred: Candidate = {
      list: 'BR_CEIS',
      entryId: '7',
      score: 1,
      threshold: REJECT_POINT,
      explanation: 'CPF equal',
    };
    const given: KycFacts = {
      model: 2,
      registry: { situation: 'REGULAR', isAdult: true },
      screening: { lists: [], candidates: [debarred] },
      refusedWallets: [],
      unavailable: [],
      effects: LIST_EFFECTS,
    };

    expect(decideKyc(given)).toMatchObject({ status: 'APPROVED', riskTier: 'HIGH' });
    expect(decideKyc({ ...given, effects: { ...LIST_EFFECTS, BR_CEIS: 'REJECT' } })).toMatchObject({
      status: 'REJECTED',
      reason: 'SANCTIONS_HIT',
    });
  });

  it.each([
    ['REGULAR', 'SAME', { status: 'PASSED' }],
    ['REGULAR', 'OTHER', { status: 'FAILED', reason: 'IDENTITY_MISMATCH' }],
    ['REGULAR', 'UNREAD', { status: 'FAILED', reason: 'IDENTITY_MISMATCH' }],
    ['DECEASED', 'SAME', { status: 'FAILED', reason: 'IDENTITY_MISMATCH' }],
    ['UNKNOWN', 'OTHER', { status: 'FAILED', reason: 'IDENTITY_MISMATCH' }],
  ])('repeats the decision about a face: registry %s, holder %s', (situation, holder, decision) => {
    expect(decideAgain(evidence('liveness', { registry: { situation }, holder }))).toEqual(decision);
  });

  it.each(['operation', 'lists'] as const)('has no rule for records of kind %s', (kind) => {
    expect(decideAgain(evidence(kind, {}))).toBeUndefined();
  });
});

describe('the biometric hash', () => {
  const given = (biometric?: 'SAME' | 'OTHER'): KycFacts => ({
    model: 1,
    registry: { situation: 'REGULAR', isAdult: true },
    screening: { lists: [], candidates: [] },
    review: { applicantId: 'a1', status: 'APPROVED', holder: 'SAME', biometric },
    refusedWallets: [],
    unavailable: [],
    effects: LIST_EFFECTS,
  });

  it.each([
    ['is the provider’s own', 'SAME', 'APPROVED', undefined],
    ['is not held by the provider', undefined, 'APPROVED', undefined],
    ['differs from the provider’s', 'OTHER', 'REJECTED', 'IDENTITY_MISMATCH'],
  ] as const)('%s', (_, biometric, status, reason) => {
    expect(decideKyc(given(biometric))).toMatchObject({ status, reason });
  });
});
