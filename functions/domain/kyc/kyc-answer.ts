import type { DomainEvent } from '../partners/events.ts';
import { isoInstant } from '../time.ts';
import { endOfToken } from './correction.ts';
import {
  type ClientVerdict,
  type KycOutcome,
  type KycRecord,
  kycStanding,
  type LaterFacts,
  statusOfRecord,
} from './kyc.ts';
import type { PendingReason, RejectionReason } from './kyc-reasons.ts';

/**
 * The number of the record's next event. A record may have several outcomes, because it may be screened again or
 * overruled.
 */
export function nextSequenceOf({ sequence = 0 }: Pick<KycRecord, 'sequence'>): number {
  return sequence + 1;
}

type EventFacts = { id: string; now: number; verdict: ClientVerdict };

/** The event that tells the partner an outcome. The event's id must not contain the token, because ids are logged. */
export function outcomeEvent(
  record: KycRecord,
  { status, riskTier, reason }: KycOutcome,
  { id, now, verdict }: EventFacts,
): DomainEvent {
  const answer = kycAnswer({ ...record, status, riskTier, reason }, verdict, now);
  const type = status === 'APPROVED' ? 'kyc.approved' : 'kyc.rejected';
  return eventAbout(record, { id, now, type, data: answer });
}

/**
 * The event that tells the partner that an approved record waits for a new decision. It has no reason and no source,
 * because the client must not learn of a suspicion: docs/decisions.md, "Facts that partners learn".
 */
export function pendingEvent(record: KycRecord, { id, now, verdict }: EventFacts): DomainEvent {
  const { reason: _, ...data } = kycAnswer({ ...record, status: 'PENDING' }, verdict, now);
  return eventAbout(record, { id, now, type: 'kyc.pending', data });
}

function eventAbout(
  record: KycRecord,
  { id, now, type, data }: { id: string; now: number; type: DomainEvent['type']; data: object },
): DomainEvent {
  const sequence = nextSequenceOf(record);
  return { id, partnerId: record.partnerId, sequence, at: now, type, data: { ...data, sequence } };
}

/** Whether the record waits for the CNPJ of a legal entity: docs/decisions.md, "Data that the partner collected". */
export function lacksCnpj({
  status,
  personType,
  cnpjCipher,
}: Pick<KycRecord, 'status' | 'personType' | 'cnpjCipher'>): boolean {
  return status === 'PENDING' && personType === 'PJ' && cnpjCipher === undefined;
}

function kycReason(record: Answered): RejectionReason | PendingReason | undefined {
  if (record.status === 'REJECTED') return record.reason;
  return lacksCnpj(record) ? 'CNPJ_REQUIRED' : undefined;
}

type Answered = Pick<
  KycRecord,
  | 'token'
  | 'status'
  | 'riskTier'
  | 'reason'
  | 'issuedAt'
  | 'expiresAt'
  | 'personType'
  | 'cnpjCipher'
  | 'vendorKid'
>;

/** The answer about a record: spec, "KYC record", with its reason. */
export function kycAnswer(record: Answered, verdict: LaterFacts, now: number) {
  const { riskTier, ...standing } = kycStanding(record, verdict);
  const status = statusOfRecord(record, verdict, now);
  const reason = status === 'EXPIRED' ? undefined : kycReason({ ...record, ...standing });
  return {
    token: record.token,
    status,
    riskTier,
    expiresAt: isoInstant(endOfToken(record, verdict)),
    ...(reason && { reason }),
  };
}
