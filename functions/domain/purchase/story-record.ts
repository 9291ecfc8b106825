/** Explains to operators why a KYC record does not yet allow purchases. */
import { endOfToken } from '../kyc/correction.ts';
import {
  type ClientVerdict,
  isOverruled,
  type KycRecord,
  kycStanding,
  type LaterFacts,
  type PendingRecord,
  statusOfRecord,
} from '../kyc/kyc.ts';
import { lacksCnpj } from '../kyc/kyc-answer.ts';
import { type KycSource, OPEN_QUESTIONS, REJECTION_REASONS } from '../kyc/kyc-reasons.ts';
import type { Cause } from './story-facts.ts';

const SOURCES: Record<KycSource, { name: string; todo: string }> = {
  CPF_REGISTRY: {
    name: 'the CPF registry',
    todo: 'Look at the registry’s status page, and at `$CpfRegistrySecret`.',
  },
  COMPANY_REGISTRY: {
    name: 'the company registry',
    todo: 'Look at the registry’s status page, and at `$CompanyRegistrySecret`.',
  },
  SANCTIONS_LISTS: {
    name: 'the sanctions lists',
    todo: 'Look at the log of `RefreshLists` and at `$ListsBucket`.',
  },
  IDENTITY_PROVIDER: {
    name: 'the identity provider',
    todo: 'Look at the provider’s status page, and at `$IdentitySecret`.',
  },
  WALLET_ORACLE: {
    name: 'the wallets’ oracle (chain RPC)',
    todo: 'Look at the status pages of the nodes in `$ChainSecret`.',
  },
};

export function causeOfRecord(record: KycRecord, verdict: LaterFacts, now: number): Cause {
  const { issuedAt, decidedAt = issuedAt } = record;
  const status = statusOfRecord(record, verdict, now);
  const { reason } = kycStanding(record, verdict);
  if (status === 'EXPIRED') return expiryOf(record, verdict);
  if (status === 'REJECTED')
    return {
      why: reason ? REJECTION_REASONS[reason] : 'it was refused',
      since: isOverruled(record, verdict) ? verdict.rejectedAt : decidedAt,
      todo: 'Nothing.',
    };
  if (record.status !== 'PENDING') return { why: 'nothing is wrong', since: decidedAt, todo: 'Nothing.' };
  return { ...pendingFor(record), since: issuedAt, times: record.checks, nextAt: record.nextCheckAt };
}

function expiryOf(record: KycRecord, { correctedAt = 0 }: ClientVerdict): Cause {
  const why = record.issuedAt < correctedAt ? 'the data of the client was corrected' : 'its time is over';
  const todo = 'Nothing. For a new purchase, the partner submits the client again.';
  return { why, since: endOfToken(record, { correctedAt }), todo };
}

function pendingFor(record: PendingRecord): { why: string; todo: string } {
  const { unanswered, openPairs } = record;
  if (lacksCnpj(record)) return { why: 'the CNPJ is missing', todo: OPEN_QUESTIONS.CNPJ_REQUIRED.operator };
  if (openPairs.length > 0) return { why: 'a reviewer must decide', todo: OPEN_QUESTIONS.REVIEW.operator };
  const [first] = unanswered;
  if (first === undefined)
    return {
      why: 'the client has not passed the check of document and face',
      todo: OPEN_QUESTIONS.DOCUMENTS_NOT_REVIEWED.operator,
    };
  const names = unanswered.map((source) => SOURCES[source].name);
  return { why: `no answer of ${names.join(', ')}`, todo: SOURCES[first].todo };
}
