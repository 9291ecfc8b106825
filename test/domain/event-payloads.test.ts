import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { outcomeEvent, pendingEvent } from '../../functions/domain/kyc/kyc-answer.ts';
import {
  endpointPausedEvent,
  keyCreatedEvent,
  testEvent,
  vendorKeyEvent,
} from '../../functions/domain/partners/account-events.ts';
import { EVENT_TYPES, type EventType } from '../../functions/domain/partners/events.ts';
import { eventData } from '../../functions/domain/purchase/announcements.ts';
import { EVENT_PAYLOADS } from '../../functions/logic/partners/event-payloads.ts';
import { aKycRecord, aMadeKey, aPartner, aTransaction, NOW } from '../support/builders.ts';

const payment = { endToEndId: 'E1', paidAt: NOW, amountCentavos: 250_01 };
const purchase = aTransaction({
  externalId: 'order-1',
  pix: { payload: '000201…', expiresAt: NOW },
  payment,
  txHash: '0xaa',
  failure: { reason: 'PAID_LATE' },
  refund: { status: 'PENDING', ...payment, reason: 'PAID_LATE', tries: 1, nextTryAt: NOW },
});
const record = aKycRecord({ status: 'APPROVED' });
const facts = { id: 'kyc_1', now: NOW, verdict: {} };
const outcome = (status: 'APPROVED' | 'REJECTED') =>
  outcomeEvent(record, { status, reason: undefined, riskTier: 'STANDARD', rules: [] }, facts).data;

const MED_NEWS = {
  ...eventData('transaction.med_opened', purchase, 1),
  med: { returnId: 'D1', endToEndId: 'E1', amountBrl: 250.01 },
};

const DATA: Partial<Record<EventType, object>> = {
  'transaction.pix_returned': {
    ...eventData('transaction.pix_returned', purchase, 1),
    returned: { endToEndId: 'E1', amountBrl: 250.01, reason: 'PAID_TWICE' },
  },
  'transaction.med_opened': MED_NEWS,
  'transaction.med_closed': MED_NEWS,
  'api_key.created': keyCreatedEvent(aMadeKey(), []).data,
  'webhook_endpoint.paused': endpointPausedEvent(
    { id: 'hook', stopped: { as: 'PAUSED', at: NOW, missedFrom: NOW } },
    { partnerId: 'demo', failingSince: NOW, now: NOW },
  ).data,
  'vendor_key.changed': vendorKeyEvent(aPartner(), {
    kid: 'vendor-2',
    thumbprint: 'NzbLsXh8uDCcd',
    status: 'PENDING',
    by: 'manager',
    request: 'R',
    now: NOW,
  }).data,
  'webhook_endpoint.test': testEvent({ id: 'hook', partnerId: 'demo' }, { request: 'R', now: NOW }).data,
  'kyc.pending': pendingEvent(record, facts).data,
  'kyc.approved': outcome('APPROVED'),
  'kyc.rejected': outcome('REJECTED'),
};
const dataOf = (type: EventType) => JSON.parse(JSON.stringify(DATA[type] ?? eventData(type, purchase, 1)));

describe('the form of the data', () => {
  it.each(EVENT_TYPES)('of %s has each field that the event has, and no other', (type) => {
    const data = dataOf(type);

    // The schema leaves out what it does not know.
    expect(EVENT_PAYLOADS[type].parse(data)).toEqual(data);
  });
});

describe('an event', () => {
  /** These events may give a reason. They disclose nothing new, because the API answers give the same reasons. */
  const WITH_REASON: readonly EventType[] = [
    'transaction.failed',
    'transaction.refunded',
    'transaction.pix_returned',
    'kyc.approved',
    'kyc.rejected',
  ];
  const namesIn = (schema: unknown): string[] =>
    typeof schema !== 'object' || schema === null
      ? []
      : Object.entries(schema).flatMap(([name, value]) => [
          ...(name === 'properties' ? Object.keys(value as object) : []),
          ...namesIn(value),
        ]);
  const namesOf = (type: EventType) => namesIn(z.toJSONSchema(EVENT_PAYLOADS[type]));

  // docs/decisions.md, "Facts that partners learn"
  it.each(EVENT_TYPES)('%s has no field about a list, a review or a score', (type) => {
    expect(
      namesOf(type).filter((name) => /list|review|score|candidate|match|case|pair|sanction/i.test(name)),
    ).toEqual([]);
  });

  // docs/decisions.md, "Facts that partners learn"
  it.each(EVENT_TYPES.filter((type) => !WITH_REASON.includes(type)))('%s gives no reason', (type) => {
    const told = JSON.stringify(dataOf(type));

    expect(namesOf(type)).not.toContain('reason');
    expect(told).not.toMatch(/reason|SANCTIONS_HIT|REVIEW|PAID_LATE/i);
  });
});
