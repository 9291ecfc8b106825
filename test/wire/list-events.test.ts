import { describe, expect, test } from 'vitest';
import { announce } from '../support/events.ts';
import { call, expectRefusal } from '../support/partner-api.ts';
import { newKey } from '../support/partner-endpoints.ts';
import { eventually, newPartner } from '../support/sandbox.ts';

const EVENTS_PATH = '/v1/laas/events';
const list = (apiKey: string, query = '') => call('GET', `${EVENTS_PATH}${query}`, { apiKey });

describe('200', () => {
  // docs/decisions.md, "Webhooks"
  test('lists the caller’s events by pages, for a key that may only read', async () => {
    const { partnerId } = await newPartner({ webhookEndpoints: [] });
    const reader = await newKey(partnerId, 'reader', ['read']);
    const ids = await announce(partnerId, 3);

    const first = await eventually(
      () => list(reader, '?limit=2&type=transaction.expired'),
      ({ data }) => data.nextCursor !== undefined,
    );
    const cursor = encodeURIComponent(String(first.data.nextCursor));
    const second = await list(reader, `?limit=2&type=transaction.expired&cursor=${cursor}`);

    const shown = [first, second].flatMap(({ data }) => data.events as { id: string }[]);
    expect(shown.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(shown[0]).toEqual({
      id: expect.any(String),
      type: 'transaction.expired',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: expect.objectContaining({ status: 'EXPIRED', sequence: 1 }),
    });
    expect(second.data).not.toHaveProperty('nextCursor');
  });
});

describe('400', () => {
  test('refuses a forged cursor, a filter that is given twice, and one that is not known', async () => {
    const { apiKey } = await newPartner();

    for (const [query, path] of [
      ['?cursor=forged', 'cursor'],
      ['?type=kyc.approved&type=kyc.pending', 'type'],
      ['?transactionId=1', 'transactionId'],
      ['?transactionID=1', 'transactionID'],
    ] as const)
      expectRefusal(await list(apiKey, query), 'INVALID_REQUEST', {
        issues: [{ path, message: expect.any(String) }],
      });
  });
});

describe('401', () => {
  test('refuses a call without a key', async () => {
    expectRefusal(await list(''), 'INVALID_API_KEY');
  });
});

describe('403', () => {
  test('refuses a key that may only write', async () => {
    const { partnerId } = await newPartner();

    expectRefusal(await list(await newKey(partnerId, 'writer', ['write'])), 'KEY_SCOPE_INSUFFICIENT');
  });
});
