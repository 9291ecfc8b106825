import { describe, expect, it } from 'vitest';
import {
  type CaseDecision,
  isDecidable,
  isDecided,
  isDecidedSo,
  pairOf,
  type ReviewCase,
  type SearchedHashes,
  withReviews,
} from '../../functions/domain/screening/review-case.ts';
import { type Candidate, hitsOf, reviewsOf } from '../../functions/domain/screening/screening.ts';

const PERSON = { personHash: 'ab'.repeat(32) };
const ANOTHER = { personHash: 'cd'.repeat(32) };
const near: Candidate = {
  list: 'OFAC_SDN',
  entryId: '9001',
  entryVersion: '2e7047584874c49c',
  score: 0.8,
  threshold: 0.9,
  zone: 'REVIEW',
  explanation: 'name equal, birth date differs',
};
const hit: Candidate = { ...near, score: 0.99, zone: 'HIT' };
const pair = pairOf(PERSON, near);

describe('a pair', () => {
  it('is the same at any score', () => {
    expect(pairOf(PERSON, hit)).toBe(pair);
    expect(pairOf(PERSON, { ...near, listed: 'another alias', explanation: 'other words' })).toBe(pair);
  });

  it.each<[string, SearchedHashes, Candidate]>([
    ['the entry’s data', PERSON, { ...near, entryVersion: '0000000000000000' }],
    ['the entry', PERSON, { ...near, entryId: '9002' }],
    ['the list', PERSON, { ...near, list: 'UN_SC' }],
    ['the client’s name or birth date', ANOTHER, near],
  ])('is another pair if %s changes', (_, person, candidate) => {
    expect(pairOf(person, candidate)).not.toBe(pair);
    expect(withReviews([candidate], person, { clearedPairs: [pair] })).toEqual([candidate]);
  });
});

describe('a pair of a company', () => {
  const company: Candidate = { ...near, of: 'COMPANY' };
  const of = (digits: string) => ({ ...PERSON, companyHash: digits.repeat(32) });

  it('names the company, whoever represents it', () => {
    expect(pairOf({ ...ANOTHER, companyHash: 'ef'.repeat(32) }, company)).toBe(pairOf(of('ef'), company));
    expect(pairOf(of('ef'), company)).not.toBe(pairOf(of('01'), company));
    expect(pairOf(of('ef'), near)).toBe(pair);
  });

  it('is cleared for that company only', () => {
    const clearedPairs = [pairOf(of('ef'), company)];

    expect(withReviews([company], of('ef'), { clearedPairs })).toMatchObject([{ review: 'CLEARED' }]);
    expect(withReviews([company], of('01'), { clearedPairs })).toEqual([company]);
  });
});

describe('a candidate', () => {
  it('is neither raised again nor a hit after it was cleared', () => {
    const known = withReviews([near, hit], PERSON, { clearedPairs: [pair] });

    expect(known).toMatchObject([{ review: 'CLEARED' }, { review: 'CLEARED' }]);
    expect([reviewsOf(known), hitsOf(known)]).toEqual([[], []]);
  });

  it('is a hit after it was confirmed, at any score, even if it was cleared before', () => {
    const known = withReviews([near], PERSON, { clearedPairs: [pair], confirmedPairs: [pair] });

    expect(hitsOf(known)).toMatchObject([{ review: 'CONFIRMED', effect: 'REJECT' }]);
    expect(reviewsOf(known)).toEqual([]);
  });

  it('stays confirmed when the publisher changes the entry, for that entry and person only', () => {
    const changed = { ...near, entryVersion: '0000000000000000' };
    const known = (candidate: Candidate, person = PERSON) =>
      withReviews([candidate], person, { confirmedPairs: [pair] });

    expect(known(changed)).toMatchObject([{ review: 'CONFIRMED' }]);
    expect(known({ ...near, entryId: '9002' })).toEqual([{ ...near, entryId: '9002' }]);
    expect(known({ ...near, list: 'UN_SC' })).toEqual([{ ...near, list: 'UN_SC' }]);
    expect(known(near, ANOTHER)).toEqual([near]);
  });

  it('stays cleared for any name while the registry is silent, for that version of that entry only', () => {
    const known = (
      candidate: Candidate,
      decided = { clearedPairs: [pair], confirmedPairs: [] as string[] },
    ) => withReviews([candidate], ANOTHER, decided, () => true);

    expect(known(hit)).toMatchObject([{ review: 'CLEARED' }]);
    const others = [
      { ...hit, entryVersion: '0000000000000000' },
      { ...hit, entryId: '900' },
      { ...hit, list: 'UN_SC' as const },
    ];
    for (const other of others) expect(known(other)).toEqual([other]);
    const confirmedPairs = [pairOf(PERSON, { ...near, entryVersion: '0000000000000000' })];
    expect(known(hit, { clearedPairs: [pair], confirmedPairs })).toEqual([hit]);
  });

  it('is unchanged if nobody has decided about it', () => {
    expect(withReviews([near], PERSON, {})).toEqual([near]);
    expect(reviewsOf([near])).toEqual([near]);
  });
});

describe('a case', () => {
  const open: ReviewCase = {
    id: 'case',
    pair,
    clientId: 'client',
    partnerId: 'demo',
    token: 'kyc_TOKEN',
    candidate: near,
    index: { version: '2026-11-20T00:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' },
    opened: 'PENDING',
    status: 'OPEN',
    openedAt: 1,
  };
  const decision: CaseDecision = { status: 'CLEARED', decidedBy: 'ana', decidedAt: 2, reason: 'born later' };

  it.each([
    ['OPEN', 'CLEARED', true],
    ['OPEN', 'CONFIRMED', true],
    ['CLEARED', 'CONFIRMED', true],
    ['CLEARED', 'CLEARED', false],
    ['CONFIRMED', 'CLEARED', false],
    ['CONFIRMED', 'CONFIRMED', false],
  ] as const)('may go from %s to %s: %s', (status, to, may) => {
    expect(isDecidable({ status }, to)).toBe(may);
  });

  it('is changed by one decision only', () => {
    const decided = { ...open, ...decision };

    expect(isDecidedSo(decided, decision)).toBe(true);
    const others: Partial<CaseDecision>[] = [
      ...[{ status: 'CONFIRMED' as const }, { decidedBy: 'bia' }],
      ...[{ decidedAt: 3 }, { reason: 'other' }],
    ];
    for (const other of others) expect(isDecidedSo(decided, { ...decision, ...other })).toBe(false);
    expect([isDecided(decided), isDecided(open)]).toEqual([true, false]);
  });
});
