import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClientVerdict,
  type KycRecord,
  kycStanding,
  RISK_TIERS,
  requireUsable,
  withVerdict,
} from '../../functions/domain/kyc/kyc.ts';
import { kycAnswer, outcomeEvent } from '../../functions/domain/kyc/kyc-answer.ts';
import { aKycRecord, NOW } from '../support/builders.ts';

const reasons = fc.constantFrom('SANCTIONS_HIT', 'CPF_IRREGULAR', 'DOCUMENT_REJECTED');
const tiers = fc.constantFrom(...RISK_TIERS);
/** Instants around issue and around the end of the day, before and after each. */
const around = fc.integer({ min: -2, max: 2 });

const records: fc.Arbitrary<KycRecord> = fc
  .record({ status: fc.constantFrom('APPROVED', 'PENDING', 'REJECTED'), riskTier: tiers, reason: reasons })
  .map(({ status, riskTier, reason }) =>
    aKycRecord({ status, riskTier, reason: status === 'REJECTED' ? reason : undefined }),
  );
const rejections = fc.record({ rejectedAt: around.map((by) => NOW + by), rejectedFor: reasons });
const raises = fc.record({ raisedAt: around.map((by) => NOW + by), raisedTier: tiers });
const verdicts: fc.Arbitrary<ClientVerdict> = fc
  .tuple(fc.option(rejections, { nil: {} }), fc.option(raises, { nil: {} }))
  .map(([rejection, raise]) => ({ ...rejection, ...raise }) as ClientVerdict);
const instants = fc.oneof(
  fc.constant(NOW + 10),
  around.map((by) => aKycRecord().expiresAt + by),
);

/** The tier that initiate uses, or the code that it refuses with. */
function initiate(record: KycRecord, verdict: ClientVerdict, now: number) {
  try {
    return { riskTier: requireUsable(record, verdict, now) };
  } catch (error) {
    const { code, details } = error as { code: string; details?: { status?: string } };
    return { code, status: details?.status };
  }
}

describe('decisions about a client that are saved in any order', () => {
  const HOUR = 3_600_000;
  const within = fc.integer({ min: -47, max: 0 }).map((hours) => NOW + hours * HOUR);
  const raised = fc.record({ raisedAt: within, raisedTier: fc.constantFrom('HIGH', 'PEP') });
  const refused = fc.record({ rejectedAt: within, rejectedFor: reasons });
  const made: fc.Arbitrary<ClientVerdict> = fc.oneof(raised, refused);
  function saved(decisions: ClientVerdict[]): ClientVerdict {
    const known: ClientVerdict = {};
    for (const made of decisions) Object.assign(known, withVerdict(known, made));
    return known;
  }

  // docs/decisions.md, "Screening again"
  it('leave no older token with a lower tier, and none that one of them has refused', () => {
    fc.assert(
      fc.property(fc.array(made, { maxLength: 6 }), within, (decisions, issuedAt) => {
        const record = aKycRecord({ issuedAt, expiresAt: issuedAt + 24 * HOUR, riskTier: 'STANDARD' });
        const standing = kycStanding(record, saved(decisions));

        const instantOf = ({ raisedAt = 0, rejectedAt = 0 }: ClientVerdict) => Math.max(raisedAt, rejectedAt);
        const later = decisions.filter((each) => instantOf(each) > issuedAt);
        fc.pre(later.every((each) => instantOf(each) < record.expiresAt));
        const expected = later.map(({ raisedTier = 'STANDARD' }) => RISK_TIERS.indexOf(raisedTier));
        expect(RISK_TIERS.indexOf(standing.riskTier)).toBeGreaterThanOrEqual(Math.max(0, ...expected));
        expect(standing.status).toBe(later.some((each) => each.rejectedAt) ? 'REJECTED' : 'APPROVED');
      }),
      { numRuns: 2000 },
    );
  });

  it('forget a tier of which no token is valid any more', () => {
    const recent = { raisedAt: NOW, raisedTier: 'HIGH' } as const;

    expect(saved([{ raisedAt: NOW - 24 * HOUR, raisedTier: 'PEP' }, recent])).toEqual(recent);
  });
});

describe('the answer of the lookup', () => {
  // docs/decisions.md, "Screening again"
  it('equals what initiate decides, for any record, client and instant', () => {
    fc.assert(
      fc.property(records, verdicts, instants, (record, verdict, now) => {
        const { status, riskTier, reason } = kycAnswer(record, verdict, now);

        const expected = {
          APPROVED: { riskTier },
          EXPIRED: { code: 'KYC_TOKEN_EXPIRED', status: undefined },
          PENDING: { code: 'KYC_NOT_APPROVED', status },
          REJECTED: { code: 'KYC_NOT_APPROVED', status },
        };
        expect(initiate(record, verdict, now)).toEqual(expected[status]);
        expect(reason !== undefined).toBe(status === 'REJECTED');
      }),
      { numRuns: 2000 },
    );
  });

  it('shows the reason or the tier that a later submission found', () => {
    const record = aKycRecord();
    const rejection = { rejectedAt: NOW + 1, rejectedFor: 'DOCUMENT_REJECTED' } as const;

    expect(kycAnswer(record, rejection, NOW + 2)).toMatchObject({
      status: 'REJECTED',
      reason: 'DOCUMENT_REJECTED',
    });
    expect(kycAnswer(record, { raisedAt: NOW + 1, raisedTier: 'PEP' }, NOW + 2)).toMatchObject({
      status: 'APPROVED',
      riskTier: 'PEP',
    });
  });

  it('keeps the reason of a record that was rejected itself', () => {
    const record = aKycRecord({ status: 'REJECTED', reason: 'UNDERAGE' });
    const verdict = { rejectedAt: NOW + 1, rejectedFor: 'SANCTIONS_HIT' } as const;

    expect(kycAnswer(record, verdict, NOW + 2)).toMatchObject({ status: 'REJECTED', reason: 'UNDERAGE' });
  });

  it('equals the event of the record’s outcome', () => {
    const outcome = { status: 'APPROVED', riskTier: 'STANDARD', rules: [] } as const;
    const [now, verdict] = [NOW + 2, { raisedAt: NOW + 1, raisedTier: 'PEP' } as const];
    const record = aKycRecord({ status: 'PENDING' });

    const { data } = outcomeEvent(record, { ...outcome, rules: [] }, { id: 'e1', now, verdict });

    expect(data).toEqual({ ...kycAnswer({ ...record, status: 'APPROVED' }, verdict, now), sequence: 1 });
  });
});
