import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IdentityReview } from '../../functions/domain/kyc/identity.ts';
import {
  hasExpired,
  KYC_LIFE_MS,
  type KycRecord,
  type RegistryEntry,
  requireKycRecord,
  requireUsable,
  verdictOf,
} from '../../functions/domain/kyc/kyc.ts';
import { kycAnswer } from '../../functions/domain/kyc/kyc-answer.ts';
import { decideKyc } from '../../functions/domain/kyc/kyc-decision.ts';
import { type Findings, kycFacts } from '../../functions/domain/kyc/kyc-facts.ts';
import { LIST_EFFECTS, LIST_IDS, type ListId } from '../../functions/domain/screening/lists.ts';
import type { Candidate } from '../../functions/domain/screening/screening.ts';
import { aKycRecord } from '../support/builders.ts';

const TODAY = '2026-11-20';
const adult: RegistryEntry = {
  cpf: '52998224725',
  name: 'Clara Ninguém',
  birthDate: '1990-05-17',
  situation: 'REGULAR',
};

const hitOn = (list: ListId): Candidate => ({
  list,
  entryId: `${list}-1`,
  score: 1,
  threshold: 0.9,
  explanation: 'name equal',
});
const approved: IdentityReview = {
  applicantId: 'a1',
  status: 'APPROVED',
  holder: { name: adult.name, birthDate: adult.birthDate },
};
/** Findings about an adult without any problem. */
const found = (changes: Partial<Findings> = {}): Findings => ({
  model: 1,
  registry: { entry: adult },
  screening: onLists([]),
  review: approved,
  refusedWallets: [],
  unavailable: [],
  ...changes,
});
const onLists = (lists: ListId[]) => ({ lists: [], candidates: lists.map(hitOn) });
const decide = (entry: Partial<RegistryEntry>, lists: ListId[] = [], today = TODAY) => {
  const own = { ...adult, ...entry };
  const review = { ...approved, holder: { name: own.name, birthDate: own.birthDate } };
  return decideKyc(
    kycFacts(found({ registry: { entry: own }, screening: onLists(lists), review }), { today }),
  );
};

describe('decideKyc', () => {
  it('approves an adult without problems who is on no list', () => {
    expect(decide({})).toEqual({
      status: 'APPROVED',
      riskTier: 'STANDARD',
      reason: undefined,
      rules: ['tier: STANDARD'],
    });
  });

  const minor = '2010-01-01';
  // docs/decisions.md, "Decisions are made from facts alone"
  it.each([
    ['SANCTIONS_HIT', { situation: 'DECEASED', birthDate: minor }, ['OFAC_SDN']],
    ['SANCTIONS_HIT', { situation: 'IRREGULAR', birthDate: minor }, ['BR_PEP', 'UN_SC']],
    ['SANCTIONS_HIT', {}, ['BR_CEIS', 'OFAC_SDN']],
    ['DECEASED', { situation: 'DECEASED', birthDate: minor }, ['BR_PEP']],
    ['CPF_IRREGULAR', { situation: 'IRREGULAR', birthDate: minor }, ['BR_CEIS']],
    ['UNDERAGE', { birthDate: minor }, ['BR_PEP', 'BR_CNEP']],
  ] as const)('rejects for %s before later reasons: %o on %o', (reason, entry, lists) => {
    const decision = decide(entry, [...lists]);

    expect(decision).toMatchObject({ status: 'REJECTED', reason });
    expect(decision.rules[0]).toBe(`rejected: ${reason}`);
  });

  // Spec, What the service does: "politically-exposed-person (PEP) checks"
  // docs/compliance.md, "Effect of a hit"
  it.each([
    [[], 'STANDARD'],
    [['BR_CEIS'], 'HIGH'],
    [['BR_CNEP'], 'HIGH'],
    [['BR_PEP'], 'PEP'],
    [['BR_CEIS', 'BR_PEP'], 'PEP'],
    [['BR_PEP', 'BR_CNEP'], 'PEP'],
    [['OFAC_SDN'], 'STANDARD'],
    [['UN_SC', 'BR_PEP', 'BR_CEIS'], 'PEP'],
  ] as const)('gives for hits on %o the tier %s', (lists, riskTier) => {
    expect(decide({}, [...lists]).riskTier).toBe(riskTier);
  });

  it('names each rule that applied, for the evidence', () => {
    expect(decide({ birthDate: minor }, ['BR_CEIS', 'BR_PEP']).rules).toEqual([
      'rejected: UNDERAGE',
      'PEP: politically exposed, BR_PEP BR_PEP-1 (score 1 of 0.9, name equal)',
      'HIGH: debarred, BR_CEIS BR_CEIS-1 (score 1 of 0.9, name equal)',
      'tier: PEP',
    ]);
  });

  it('rejects a CPF that the registry does not have before it looks at documents', () => {
    const review: IdentityReview = { applicantId: 'a1', status: 'REJECTED' };

    expect(decideKyc(kycFacts(found({ registry: {}, review }), { today: TODAY }))).toMatchObject({
      status: 'REJECTED',
      reason: 'CPF_IRREGULAR',
    });
  });

  it('decides by the set of hits in any order, and never approves over a freeze', () => {
    const hits = fc.shuffledSubarray([...LIST_IDS]);
    fc.assert(
      fc.property(hits, (lists) => {
        const { status, riskTier } = decide({}, lists);
        expect({ status, riskTier }).toEqual({ ...expectedOf(lists) });
        expect(decide({}, lists.toReversed())).toMatchObject({ status, riskTier });
      }),
    );
  });

  function expectedOf(lists: ListId[]) {
    const has = (effect: string) => lists.some((list) => LIST_EFFECTS[list] === effect);
    const riskTier = has('PEP') ? 'PEP' : has('HIGH') ? 'HIGH' : 'STANDARD';
    return { status: has('REJECT') ? 'REJECTED' : 'APPROVED', riskTier };
  }
});

describe('the age of 18', () => {
  it.each([
    ['2008-11-21', TODAY, 'REJECTED'],
    ['2008-11-20', TODAY, 'APPROVED'],
    ['2008-11-19', TODAY, 'APPROVED'],
    ['2008-12-01', TODAY, 'REJECTED'],
    ['2008-10-31', TODAY, 'APPROVED'],
    ['2008-01-01', '2025-12-31', 'REJECTED'],
    ['2008-01-01', '2026-01-01', 'APPROVED'],
    ['2008-12-31', '2026-12-30', 'REJECTED'],
    ['2026-11-20', TODAY, 'REJECTED'],
    ['2026-11-21', TODAY, 'REJECTED'],
    ['1900-01-01', TODAY, 'APPROVED'],
  ])('is judged for a client born on %s on the day %s: %s', (birthDate, today, status) => {
    expect(decide({ birthDate }, [], today).status).toBe(status);
  });

  it.each([
    ['2026-02-28', 'REJECTED'],
    ['2026-03-01', 'APPROVED'],
  ])('is reached for a client born on 29 February on 1 March of a short year: %s', (today, status) => {
    expect(decide({ birthDate: '2008-02-29' }, [], today).status).toBe(status);
  });

  it('is reached on the 18th birthday, for ever', () => {
    const days = fc.date({ min: new Date('1930-01-01'), max: new Date('2100-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.integer({ min: -800, max: 800 }), (birth, offset) => {
        const birthday = new Date(birth);
        birthday.setUTCFullYear(birthday.getUTCFullYear() + 18);
        const day = new Date(birthday.getTime() + offset * 86_400_000);
        const [birthDate, today] = [birth, day].map((date) => date.toISOString().slice(0, 10));
        expect(decide({ birthDate }, [], today).status).toBe(offset >= 0 ? 'APPROVED' : 'REJECTED');
      }),
    );
  });
});

describe('a KYC record', () => {
  const issuedAt = Date.parse('2026-11-20T12:00:00Z');
  const record: KycRecord = {
    token: 'kyc_1',
    partnerId: 'demo',
    clientId: 'c1',
    personId: 'p1',
    model: 1,
    personType: 'PF',
    status: 'APPROVED',
    riskTier: 'STANDARD',
    issuedAt,
    expiresAt: issuedAt + KYC_LIFE_MS,
  };
  const codeOf = (found: KycRecord | undefined, now = issuedAt, partnerId = 'demo') => {
    try {
      return requireUsable(requireKycRecord(found, partnerId), {}, now);
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  // Spec, Limits: "KYC token lifetime: 24 hours"
  it('lives for 24 hours', () => {
    expect(KYC_LIFE_MS).toBe(86_400_000);
  });

  it.each([
    [0, false],
    [86_399_999, false],
    [86_400_000, true],
    [86_400_001, true],
  ])('has expired %d milliseconds after issue: %s', (age, isOver) => {
    expect(hasExpired(record, {}, issuedAt + age)).toBe(isOver);
    expect(codeOf(record, issuedAt + age)).toBe(isOver ? 'KYC_TOKEN_EXPIRED' : 'STANDARD');
  });

  // docs/operations.md, "A client's rights"
  it.each([
    ['before its issue', issuedAt - 1, false],
    ['at its issue', issuedAt, false],
    ['after its issue', issuedAt + 1, true],
    ['from a clock that is ahead', issuedAt + KYC_LIFE_MS + 1, true],
  ])('and a correction that came %s', (_, correctedAt, isOver) => {
    const [verdict, now] = [{ correctedAt }, issuedAt + 2];

    expect(hasExpired(record, verdict, now)).toBe(isOver);
    const expiresAt = Math.min(record.expiresAt, isOver ? correctedAt : Number.POSITIVE_INFINITY);
    expect(kycAnswer(record, verdict, now)).toMatchObject({
      status: isOver ? 'EXPIRED' : 'APPROVED',
      expiresAt: new Date(expiresAt).toISOString(),
    });
  });

  it.each(['PENDING', 'REJECTED'] as const)(
    'carries no transaction while it is %s, and the refusal says so',
    (status) => {
      const expected = { code: 'KYC_NOT_APPROVED', details: { status } };
      expect(() => requireUsable(aKycRecord({ ...record, status }), {}, issuedAt)).toThrow(
        expect.objectContaining(expected),
      );
    },
  );

  // docs/decisions.md, "Screening again"
  it.each([
    { verdict: {}, usable: 'STANDARD' },
    { verdict: { rejectedAt: issuedAt + 1 }, usable: 'KYC_NOT_APPROVED' },
    { verdict: { rejectedAt: issuedAt }, usable: 'STANDARD' },
    { verdict: { rejectedAt: issuedAt - 1 }, usable: 'STANDARD' },
    { verdict: { raisedAt: issuedAt + 1, raisedTier: 'HIGH' }, usable: 'HIGH' },
    { verdict: { raisedAt: issuedAt + 1, raisedTier: 'PEP' }, usable: 'PEP' },
    { verdict: { raisedAt: issuedAt - 1, raisedTier: 'HIGH' }, usable: 'STANDARD' },
    {
      verdict: { rejectedAt: issuedAt + 1, raisedAt: issuedAt + 2, raisedTier: 'HIGH' },
      usable: 'KYC_NOT_APPROVED',
    },
  ] as const)('follows the finding of a later submission: $verdict', ({ verdict, usable }) => {
    const used = () => requireUsable(record, verdict, issuedAt + 10);
    if (usable === 'KYC_NOT_APPROVED') {
      expect(used).toThrow(expect.objectContaining({ code: usable, details: { status: 'REJECTED' } }));
    } else expect(used()).toBe(usable);
  });

  it('stays PEP, whatever tier was found later', () => {
    const verdict = { raisedAt: issuedAt + 1, raisedTier: 'HIGH' } as const;
    expect(requireUsable({ ...record, riskTier: 'PEP' }, verdict, issuedAt + 10)).toBe('PEP');
  });

  it('is answered as expired before it is answered as not approved', () => {
    expect(codeOf({ ...record, status: 'REJECTED' }, record.expiresAt)).toBe('KYC_TOKEN_EXPIRED');
  });

  it('is unknown to another partner, even after it expired', () => {
    expect(codeOf(undefined)).toBe('KYC_TOKEN_NOT_FOUND');
    expect(codeOf(record, issuedAt, 'other')).toBe('KYC_TOKEN_NOT_FOUND');
    expect(codeOf(record, record.expiresAt, 'other')).toBe('KYC_TOKEN_NOT_FOUND');
  });

  it('can be read by its partner in any status and at any age', () => {
    const old: KycRecord = { ...record, status: 'REJECTED', expiresAt: 0 };
    expect(requireKycRecord(old, 'demo')).toBe(old);
  });
});

describe('the verdict that is remembered of a client', () => {
  const decision = { riskTier: 'STANDARD', rules: [] } as const;

  it.each([
    [{ ...decision, status: 'APPROVED' }, undefined],
    [
      { ...decision, status: 'APPROVED', riskTier: 'HIGH' },
      { raisedAt: 7, raisedTier: 'HIGH' },
    ],
    [
      { ...decision, status: 'APPROVED', riskTier: 'PEP' },
      { raisedAt: 7, raisedTier: 'PEP' },
    ],
    [{ ...decision, status: 'REJECTED', riskTier: 'PEP' }, { rejectedAt: 7 }],
    // An unknown tier is no finding.
    [{ ...decision, status: 'PENDING', riskTier: 'HIGH' }, undefined],
  ] as const)('is for the decision %j: %j', (decided, expected) => {
    expect(verdictOf({ ...decided, rules: [] }, 7)).toEqual(expected);
  });
});
