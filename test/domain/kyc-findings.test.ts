import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CrossCheck } from '../../functions/domain/kyc/cross-check.ts';
import type { DocumentHolder, IdentityReview } from '../../functions/domain/kyc/identity.ts';
import {
  KYC_LIFE_MS,
  nextCheckOf,
  type RegistryEntry,
  verdictOf,
  wasCompared,
} from '../../functions/domain/kyc/kyc.ts';
import { kycAnswer, outcomeEvent } from '../../functions/domain/kyc/kyc-answer.ts';
import { decideKyc } from '../../functions/domain/kyc/kyc-decision.ts';
import { type Findings, kycFacts } from '../../functions/domain/kyc/kyc-facts.ts';
import type { KycSource } from '../../functions/domain/kyc/kyc-reasons.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';
import { aKycRecord, MINUTE_MS, NOW } from '../support/builders.ts';

const TODAY = '2026-11-20';
const entry: RegistryEntry = {
  cpf: '52998224725',
  name: 'CLARA APARECIDA NINGUEM',
  birthDate: '1990-05-17',
  situation: 'REGULAR',
};
const approved: IdentityReview = {
  applicantId: 'a1',
  status: 'APPROVED',
  holder: { name: 'Clara Aparecida Ninguém', birthDate: '1990-05-17' },
};
const pending: IdentityReview = { applicantId: 'a1', status: 'PENDING' };
const rejected: IdentityReview = { applicantId: 'a1', status: 'REJECTED' };
const onLists = (...lists: ListId[]) => ({
  lists: [],
  candidates: lists.map((list) => ({ list, entryId: '1', score: 1, threshold: 0.9, explanation: 'equal' })),
});
const CLEAN: Findings = {
  model: 1,
  registry: { entry },
  screening: onLists(),
  review: approved,
  refusedWallets: [],
  unavailable: [],
};
const decide = (changes: Partial<Findings>) =>
  decideKyc(kycFacts({ ...CLEAN, ...changes }, { today: TODAY }));
const without = (...unavailable: KycSource[]): Partial<Findings> => ({
  unavailable,
  ...(unavailable.includes('CPF_REGISTRY') && { registry: undefined, screening: undefined }),
  ...(unavailable.includes('SANCTIONS_LISTS') && { screening: undefined }),
  ...(unavailable.includes('IDENTITY_PROVIDER') && { review: undefined }),
});

describe('documents', () => {
  it.each([
    ['the client’s CPF', { cpf: entry.cpf }, 'APPROVED'],
    ['the client’s CPF and fewer names', { cpf: entry.cpf, name: 'Clara Ninguém' }, 'APPROVED'],
    ['no CPF and one name less', { name: 'Clara Ninguém' }, 'APPROVED'],
    ['another CPF', { cpf: '11144477735' }, 'REJECTED'],
  ])('are judged with %s: %o', (_, shown, status) => {
    const review = { ...approved, holder: { ...approved.holder!, ...shown } };

    expect(decide({ review })).toMatchObject({
      status,
      ...(status === 'REJECTED' && { reason: 'IDENTITY_MISMATCH' }),
    });
  });

  it('must show a CPF when two middle names are missing, because namesakes are common', () => {
    const long = { ...entry, name: 'CLARA APARECIDA DE SOUZA NINGUEM' };
    const holder = { name: 'Clara Ninguém', birthDate: entry.birthDate };
    const of = (shown: DocumentHolder) =>
      decide({ registry: { entry: long }, review: { ...approved, holder: shown } });

    expect(of(holder)).toMatchObject({ status: 'REJECTED', reason: 'IDENTITY_MISMATCH' });
    expect(of({ ...holder, cpf: entry.cpf })).toMatchObject({ status: 'APPROVED' });
  });

  // Spec, What the service does: "both data sets are cross-checked"
  it('approve the person that the registry knows', () => {
    expect(decide({})).toEqual({ status: 'APPROVED', riskTier: 'STANDARD', rules: ['tier: STANDARD'] });
  });

  it.each([
    ['are not reviewed yet', pending, 'pending: documents not reviewed'],
    ['were never asked for', undefined, 'pending: documents not reviewed'],
    [
      'were approved and name nobody',
      { ...approved, holder: undefined },
      'pending: holder of the document not read',
    ],
  ])('leave the client PENDING if they %s', (_, review, rule) => {
    expect(decide({ review })).toEqual({
      status: 'PENDING',
      riskTier: 'STANDARD',
      rules: [rule, 'tier: STANDARD'],
    });
  });

  it.each([
    ['DOCUMENT_REJECTED', rejected],
    ['DOCUMENT_REJECTED', { ...rejected, holder: { name: 'Outra', birthDate: '1979-12-02' } }],
    ['IDENTITY_MISMATCH', { ...approved, holder: { ...approved.holder!, birthDate: '1990-05-18' } }],
    ['IDENTITY_MISMATCH', { ...approved, holder: { ...approved.holder!, name: 'Clara Outra' } }],
  ] as const)('reject with %s: %o', (reason, review) => {
    expect(decide({ review })).toMatchObject({ status: 'REJECTED', reason });
  });

  it('are compared after their approval only, because the client may still show others', () => {
    const review = { ...pending, holder: { name: 'Hortência Galvani', birthDate: '1979-12-02' } };

    expect(decide({ review }).status).toBe('PENDING');
  });

  it('are not requested in Model 2, where the partner has seen them', () => {
    expect(decide({ model: 2, review: undefined }).status).toBe('APPROVED');
  });
});

// docs/decisions.md, "Data that the partner collected"
describe('data that the partner collected', () => {
  const SAME = { name: 'SAME', birthDate: 'SAME', documentNumber: 'UNKNOWN' } as const;
  const OTHER = { ...SAME, birthDate: 'OTHER' } as const;
  const model3 = (crossCheck: CrossCheck, changes: Partial<Findings> = {}) =>
    decide({ model: 3, crossCheck, ...changes });

  // Spec, What the service does: "both data sets are cross-checked"
  it('approve the client if registry and document agree with them', () => {
    expect(model3({ registry: SAME, document: { ...SAME, documentNumber: 'SAME' } })).toEqual({
      status: 'APPROVED',
      riskTier: 'STANDARD',
      rules: ['tier: STANDARD'],
    });
  });

  it('do not hold the client if no source has the datum, because no answer would come', () => {
    const unknown = { name: 'UNKNOWN', birthDate: 'UNKNOWN', documentNumber: 'UNKNOWN' } as const;

    expect(model3({ registry: unknown, document: unknown }).status).toBe('APPROVED');
  });

  it.each([
    ['the registry', { registry: OTHER, document: SAME }, 'differs: birthDate of the CPF registry'],
    ['the document', { registry: SAME, document: OTHER }, 'differs: birthDate of the document'],
  ])('reject the client if they differ from %s, and the rule says where', (_, crossCheck, rule) => {
    expect(model3(crossCheck)).toEqual({
      status: 'REJECTED',
      riskTier: 'STANDARD',
      reason: 'DATA_MISMATCH',
      rules: ['rejected: DATA_MISMATCH', rule, 'tier: STANDARD'],
    });
  });

  it('are compared with an approved document only, because the client may still show another', () => {
    expect(model3({ registry: SAME, document: OTHER }, { review: pending }).status).toBe('PENDING');
  });

  it('are compared with the registry before any document', () => {
    expect(model3({ registry: OTHER }, { review: undefined })).toMatchObject({ reason: 'DATA_MISMATCH' });
  });

  it.each([
    ['DOCUMENT_REJECTED', { review: rejected }],
    ['IDENTITY_MISMATCH', { review: { ...approved, holder: { ...approved.holder!, name: 'Outra Pessoa' } } }],
    ['DECEASED', { registry: { entry: { ...entry, situation: 'DECEASED' as const } } }],
    ['SANCTIONS_HIT', { screening: onLists('UN_SC') }],
  ])('give no reason where %s is one', (reason, changes) => {
    expect(model3({ registry: OTHER, document: OTHER }, changes)).toMatchObject({ reason });
  });

  it('that differ bind no other token of the client, because the partner may have mistyped', () => {
    expect(verdictOf(model3({ registry: OTHER }), NOW)).toBeUndefined();
    expect(verdictOf(decide({ review: rejected }), NOW)).toMatchObject({ rejectedFor: 'DOCUMENT_REJECTED' });
  });
});

describe('a provider that does not answer', () => {
  it.each([
    ['CPF_REGISTRY', 'HIGH'],
    ['SANCTIONS_LISTS', 'HIGH'],
    ['WALLET_ORACLE', 'HIGH'],
    ['IDENTITY_PROVIDER', 'STANDARD'],
  ] as const)('leaves the client PENDING: %s, with tier %s while it is unknown', (source, riskTier) => {
    const { status, riskTier: given, rules } = decide(without(source));

    expect({ status, riskTier: given }).toEqual({ status: 'PENDING', riskTier });
    expect(rules).toContain(`pending: ${source} unavailable`);
    expect(rules.includes(`HIGH: tier unknown, no ${source}`)).toBe(riskTier === 'HIGH');
  });

  it('does not stop another provider from rejecting', () => {
    const dead = { registry: { entry: { ...entry, situation: 'DECEASED' as const } } };
    expect(decide({ ...without('SANCTIONS_LISTS'), ...dead })).toMatchObject({ reason: 'DECEASED' });
    expect(decide({ ...without('IDENTITY_PROVIDER'), screening: onLists('UN_SC') })).toMatchObject({
      status: 'REJECTED',
      reason: 'SANCTIONS_HIT',
    });
    expect(decide({ ...without('CPF_REGISTRY'), review: rejected })).toMatchObject({
      reason: 'DOCUMENT_REJECTED',
    });
  });

  it('is not the same as a registry that protects the data of a minor', () => {
    const minor = { registry: { entry: { situation: 'MINOR' as const } } };

    expect(decide({ ...minor, review: undefined })).toMatchObject({ status: 'REJECTED', reason: 'UNDERAGE' });
    expect(decide({ ...minor, review: rejected })).toMatchObject({ reason: 'UNDERAGE' });
  });

  it('does not hide that the client is a PEP', () => {
    expect(decide({ ...without('WALLET_ORACLE'), screening: onLists('BR_PEP') }).riskTier).toBe('PEP');
  });

  it('never counts as a good answer, whichever providers are silent', () => {
    const sources = fc.subarray<KycSource>(
      ['CPF_REGISTRY', 'SANCTIONS_LISTS', 'IDENTITY_PROVIDER', 'WALLET_ORACLE'],
      { minLength: 1 },
    );
    fc.assert(
      fc.property(sources, fc.constantFrom(1, 2, 3), (silent, model) => {
        expect(decide({ ...without(...silent), model }).status).toBe('PENDING');
      }),
    );
  });
});

describe('a wallet of the client', () => {
  const wallet = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

  it('makes the tier HIGH when the oracle lists it, and is named', () => {
    const { status, riskTier, rules } = decide({ refusedWallets: [wallet] });

    expect({ status, riskTier }).toEqual({ status: 'APPROVED', riskTier: 'HIGH' });
    expect(rules).toContain(`HIGH: refused wallet, ${wallet}`);
  });

  it('keeps the tier of a PEP', () => {
    expect(decide({ refusedWallets: [wallet], screening: onLists('BR_PEP') }).riskTier).toBe('PEP');
  });
});

describe('the next look at a PENDING record', () => {
  it('comes each minute at first, then less often, at least every half hour', () => {
    const minutes = Array.from({ length: 13 }, (_, checks) => {
      return (nextCheckOf(checks, { now: NOW, minuteMs: MINUTE_MS }) - NOW) / MINUTE_MS;
    });

    expect(minutes).toEqual([1, 1, 1, 1, 1, 2, 4, 8, 16, 30, 30, 30, 30]);
  });

  it('counts minutes with the length of the stage', () => {
    expect(nextCheckOf(0, { now: NOW, minuteMs: 1000 })).toBe(NOW + 1000);
  });
});

describe('the later outcome of a PENDING record', () => {
  const record = aKycRecord({ status: 'PENDING', riskTier: 'HIGH', nextCheckAt: NOW, cnpjCipher: 'cipher' });
  const at = { id: 'kyc_hash', now: NOW + 1, verdict: {} };
  const expiresAt = new Date(record.expiresAt).toISOString();

  it('is announced by kyc.approved with the data of the lookup', () => {
    expect(outcomeEvent(record, { status: 'APPROVED', riskTier: 'STANDARD', rules: [] }, at)).toEqual({
      id: 'kyc_hash',
      partnerId: 'demo',
      type: 'kyc.approved',
      sequence: 1,
      at: NOW + 1,
      data: { token: record.token, status: 'APPROVED', riskTier: 'STANDARD', expiresAt, sequence: 1 },
    });
  });

  it('is announced by kyc.rejected with its reason', () => {
    const outcome = { status: 'REJECTED', riskTier: 'HIGH', reason: 'DOCUMENT_REJECTED', rules: [] } as const;

    expect(outcomeEvent(record, { ...outcome, rules: [] }, at)).toMatchObject({
      type: 'kyc.rejected',
      data: { status: 'REJECTED', riskTier: 'HIGH', reason: 'DOCUMENT_REJECTED', sequence: 1 },
    });
  });
});

describe('the answer about a record', () => {
  it('gives the reason of a rejection, and no internal field', () => {
    const record = aKycRecord({ status: 'REJECTED', reason: 'UNDERAGE', cnpjCipher: 'cipher', checks: 3 });

    expect(kycAnswer(record, {}, NOW)).toEqual({
      token: record.token,
      status: 'REJECTED',
      riskTier: 'STANDARD',
      reason: 'UNDERAGE',
      expiresAt: new Date(record.expiresAt).toISOString(),
    });
  });

  // Spec, KYC record statuses: "APPROVED, PENDING, REJECTED, EXPIRED"
  it.each(['APPROVED', 'PENDING', 'REJECTED'] as const)(
    'is EXPIRED a day after issue, if the record was %s',
    (status) => {
      const record = aKycRecord({ status, reason: status === 'REJECTED' ? 'UNDERAGE' : undefined });

      expect(kycAnswer(record, {}, record.expiresAt - 1).status).toBe(status);
      expect(kycAnswer(record, {}, record.expiresAt)).toMatchObject({ status: 'EXPIRED' });
      expect(kycAnswer(record, {}, record.expiresAt)).not.toHaveProperty('reason');
    },
  );
});

describe('a verified document', () => {
  it.each([
    [1, NOW - KYC_LIFE_MS - 1, true],
    [3, NOW - KYC_LIFE_MS - 1, true],
    [1, NOW - KYC_LIFE_MS, false],
    [1, NOW, false],
    [1, undefined, false],
    [2, NOW - 2 * KYC_LIFE_MS, false],
  ] as const)('of Model %i, verified at %s, was compared by the submission: %s', (model, verifiedAt, was) => {
    expect(wasCompared({ model, createdAt: NOW }, verifiedAt)).toBe(was);
  });
});
