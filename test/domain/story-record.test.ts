import { describe, expect, test } from 'vitest';
import { type ClientVerdict, statusOfRecord } from '../../functions/domain/kyc/kyc.ts';
import { causeOfRecord } from '../../functions/domain/purchase/story-record.ts';
import { aKycRecord, type KycRecordChanges } from '../support/builders.ts';

const ISSUED = 1_000;
const DECIDED = 2_000;
const LATER = 3_000;
const ENDS = 10_000;
const approved = { status: 'APPROVED', issuedAt: ISSUED, decidedAt: DECIDED, expiresAt: ENDS } as const;
const RENEW = 'Nothing. For a new purchase, the partner submits the client again.';

describe('a KYC record', () => {
  test.each<[string, KycRecordChanges, ClientVerdict, number, object]>([
    [
      'that is approved has nothing wrong',
      {},
      {},
      LATER,
      { status: 'APPROVED', why: 'nothing is wrong', since: DECIDED, todo: 'Nothing.' },
    ],
    [
      'whose time is over names its end and the way to go on',
      {},
      {},
      ENDS,
      { status: 'EXPIRED', why: 'its time is over', since: ENDS, todo: RENEW },
    ],
    [
      'of a client whose data was corrected names the correction',
      {},
      { correctedAt: LATER },
      LATER,
      { status: 'EXPIRED', why: 'the data of the client was corrected', since: LATER, todo: RENEW },
    ],
    [
      'of a client whom a later decision refused names that decision',
      {},
      { rejectedAt: LATER, rejectedFor: 'SANCTIONS_HIT' },
      LATER,
      { status: 'REJECTED', since: LATER, todo: 'Nothing.' },
    ],
    [
      'that was issued after a refusal is not affected by it',
      {},
      { rejectedAt: ISSUED, rejectedFor: 'SANCTIONS_HIT' },
      LATER,
      { status: 'APPROVED', why: 'nothing is wrong' },
    ],
    [
      'that was refused names its own decision',
      { status: 'REJECTED', reason: 'SANCTIONS_HIT' },
      {},
      LATER,
      { status: 'REJECTED', since: DECIDED },
    ],
  ])('%s', (_, changes, verdict, now, expected) => {
    const record = aKycRecord({ ...approved, ...changes });

    const status = statusOfRecord(record, verdict, now);

    expect({ status, ...causeOfRecord(record, verdict, now) }).toMatchObject(expected);
  });
});
