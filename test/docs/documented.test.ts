import { beforeAll, describe, expect, it } from 'vitest';
import { documentedBy, type Exchange } from '../support/documented.ts';
import { sandboxDocument } from '../support/openapi.ts';

let documented: ReturnType<typeof documentedBy>;
beforeAll(async () => {
  documented = documentedBy(await sandboxDocument());
});

const ID = '01J9ZK3F0000000000000000AB';
const CANCELED = { transactionId: ID, status: 'CANCELED' };

function answer(status: number, body: object, changes: Partial<Exchange> = {}): string[] {
  const path = `/v1/laas/transactions/${ID}/cancel`;
  return documented.differencesOf({ method: 'POST', path, status, text: JSON.stringify(body), ...changes });
}
const success = (data: object, more: object = {}) => answer(200, { success: true, data, ...more });
const refusal = (status: number, code: string, details: object, more: object = {}) =>
  answer(status, { success: false, error: { code, message: 'm', details, ...more } });

describe('an answer like the document', () => {
  it('has no difference', () => {
    expect(success(CANCELED)).toEqual([]);
    expect(refusal(404, 'TRANSACTION_NOT_FOUND', {})).toEqual([]);
    expect(refusal(409, 'TRANSACTION_NOT_CANCELABLE', { status: 'COMPLETED' })).toEqual([]);
    expect(refusal(400, 'INVALID_REQUEST', { issues: [{ path: 'id', message: 'is required' }] })).toEqual([]);
  });

  it('may have another form, if the document has it', () => {
    const receipt = { method: 'GET', path: `/v1/laas/transactions/${ID}/receipt`, text: '%PDF' };

    expect(answer(200, {}, { ...receipt, type: 'application/pdf' })).toEqual([]);
    expect(answer(200, {}, { ...receipt, type: 'text/csv' }).join()).toContain('text/csv is not documented');
  });

  it('is not looked for at a path that is no endpoint', () => {
    expect(answer(404, {}, { path: '/v1/laas/unknown' })).toEqual([]);
  });
});

describe('a difference', () => {
  it.each<[string, () => string[], RegExp]>([
    ['a field that is not documented', () => success({ ...CANCELED, rate: '5.1' }), /additional.*"rate"/],
    ['one beside `data`', () => success(CANCELED, { page: 1 }), /additional.*"page"/],
    ['one inside a refusal', () => refusal(404, 'TRANSACTION_NOT_FOUND', {}, { hint: 'x' }), /"hint"/],
    ['one inside `details`', () => refusal(404, 'TRANSACTION_NOT_FOUND', { id: ID }), /"id"/],
    ['a field that is missing', () => success({ transactionId: ID }), /required property 'status'/],
    ['a value that is not documented', () => success({ ...CANCELED, status: 'GONE' }), /\/data\/status/],
    ['an id of another form', () => success({ ...CANCELED, transactionId: 'x' }), /\/data\/transactionId/],
    ['a status that is not documented', () => answer(418, {}), /the status 418 is not documented/],
    ['a code of another endpoint', () => refusal(422, 'MFA_INVALID_CODE', {}), /422 is not documented/],
    ['a code at another status', () => refusal(404, 'INVALID_API_KEY', {}), /INVALID_API_KEY.*at 404/],
    ['a body that is no JSON', () => answer(200, {}, { text: '<html>' }), /must be object/],
  ])('is %s', (_, differences, message) => {
    expect(differences().join('\n')).toMatch(message);
  });

  it('is an event that is not as documented', () => {
    const data = { ...CANCELED, sequence: 3 };
    const event = { type: 'transaction.canceled', timestamp: '2026-11-20T10:00:00.000Z', data };

    expect(documented.differencesIn(event)).toEqual([]);
    expect(documented.differencesIn({ ...event, type: 'transaction.lost' })).toEqual([
      'the event transaction.lost is not documented',
    ]);
    const wide = documented.differencesIn({ ...event, data: { ...data, cpf: '1' } });
    expect(wide.join('\n')).toContain('"cpf"');
  });

  it('is found inside the webhooks that the sandbox’s receiver lists', () => {
    const event = { type: 'transaction.lost' };
    const webhook = { id: 'e1', receivedAt: '2026-11-20T10:00:00.000Z', verified: true, event };
    const body = { success: true, data: { webhooks: [webhook] } };

    expect(answer(200, body, { method: 'GET', path: '/v1/laas/sandbox/webhooks' })).toEqual([
      'the event transaction.lost is not documented',
    ]);
  });
});
