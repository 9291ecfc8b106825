import { describe, expect, it } from 'vitest';
import type { RiskTier } from '../../functions/domain/kyc/kyc.ts';
import { higherTier } from '../../functions/domain/kyc/kyc.ts';
import { decideKyc } from '../../functions/domain/kyc/kyc-decision.ts';
import type { KycFacts } from '../../functions/domain/kyc/kyc-facts.ts';
import { factsWith, recordChangeOf } from '../../functions/domain/kyc/rescreening.ts';
import { LIST_EFFECTS, type ListId } from '../../functions/domain/screening/lists.ts';
import { hasUndecidedPair } from '../../functions/domain/screening/review-case.ts';
import type { Candidate } from '../../functions/domain/screening/screening.ts';
import { aKycRecord } from '../support/builders.ts';

const decided = (
  status: 'APPROVED' | 'PENDING' | 'REJECTED',
  riskTier: RiskTier,
  openPairs: string[] = [],
) => ({
  decision: { status, riskTier, rules: [] },
  openPairs,
});

describe('a record that is screened again', () => {
  it.each([
    ['APPROVED', 'STANDARD', decided('APPROVED', 'STANDARD'), 'NONE'],
    ['APPROVED', 'STANDARD', decided('APPROVED', 'HIGH'), 'RAISED'],
    ['APPROVED', 'HIGH', decided('APPROVED', 'PEP'), 'RAISED'],
    ['APPROVED', 'STANDARD', decided('PENDING', 'STANDARD', ['pair']), 'HELD'],
    ['APPROVED', 'STANDARD', decided('REJECTED', 'STANDARD'), 'REJECTED'],
    // Another entry is close, too.
    ['APPROVED', 'PEP', decided('REJECTED', 'STANDARD', ['pair']), 'REJECTED'],
  ] as const)('changes from %s and %s, then %j: %s', (status, riskTier, found, change) => {
    expect(recordChangeOf(aKycRecord({ status, riskTier }), found as ReturnType<typeof decided>)).toBe(
      change,
    );
  });

  it.each([
    ['HIGH', 'STANDARD'],
    ['PEP', 'HIGH'],
    ['PEP', 'STANDARD'],
  ] as const)('keeps the tier %s if %s remains', (had, left) => {
    expect(recordChangeOf(aKycRecord({ riskTier: had }), decided('APPROVED', left))).toBe('NONE');
    expect(higherTier(had, left)).toBe(had);
    expect(higherTier(left, had)).toBe(had);
  });

  it.each([
    ['the same pairs', ['b', 'a'], 'NONE'],
    ['one pair more', ['a', 'b', 'c'], 'HELD'],
    ['one pair less', ['a'], 'HELD'],
    ['another pair', ['a', 'c'], 'HELD'],
    ['no pair any more', [], 'HELD'],
  ] as const)('waits again with %s if it was PENDING for two pairs', (_, openPairs, change) => {
    const record = aKycRecord({ status: 'PENDING', openPairs: ['a', 'b'] });
    expect(recordChangeOf(record, decided('PENDING', 'STANDARD', [...openPairs]))).toBe(change);
  });
});

describe('the facts of a new search', () => {
  const candidate = (list: ListId, score: number): Candidate => ({
    list,
    entryId: '7',
    entryVersion: 'ab',
    score,
    threshold: 0.9,
    explanation: 'name exact',
  });
  const last: KycFacts = {
    model: 1,
    registry: { situation: 'REGULAR', isAdult: true },
    personHash: 'old',
    review: { applicantId: 'a1', status: 'APPROVED', holder: 'SAME' },
    screening: { lists: [], candidates: [candidate('UN_SC', 1)] },
    refusedWallets: [],
    unavailable: [],
    effects: LIST_EFFECTS,
  };
  const decideWith = (...candidates: Candidate[]) =>
    decideKyc(
      factsWith(last, { screening: { lists: [], candidates }, personHash: 'new', effects: LIST_EFFECTS }),
    );

  it('hold the facts of the submission, and the present facts of the lists', () => {
    expect(decideWith()).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
    expect(decideWith(candidate('BR_CEIS', 1))).toMatchObject({ status: 'APPROVED', riskTier: 'HIGH' });
    expect(decideWith(candidate('OFAC_SDN', 0.8))).toMatchObject({ status: 'PENDING' });
    expect(decideWith(candidate('OFAC_CONS', 0.95))).toMatchObject({
      status: 'REJECTED',
      reason: 'SANCTIONS_HIT',
    });
  });

  it('use the present effects of the deployment', () => {
    const screening = { lists: [], candidates: [candidate('BR_CEIS', 1)] };
    const effects = { ...LIST_EFFECTS, BR_CEIS: 'REJECT' } as const;

    expect(decideKyc(factsWith(last, { screening, personHash: 'new', effects }))).toMatchObject({
      status: 'REJECTED',
      reason: 'SANCTIONS_HIT',
    });
  });
});

describe('the pairs that wait for a person', () => {
  it.each([
    [['a', 'b'], {}, true],
    [['a', 'b'], { clearedPairs: ['a'] }, true],
    [['a', 'b'], { clearedPairs: ['b', 'a', 'c'] }, false],
    [['a', 'b'], { confirmedPairs: ['a'] }, false],
    [['a', 'b'], { clearedPairs: ['a'], confirmedPairs: ['c'] }, true],
    [[], {}, false],
  ])('are for %j with %j: %s', (pairs, marks, expected) => {
    expect(hasUndecidedPair(pairs, marks)).toBe(expected);
  });
});
