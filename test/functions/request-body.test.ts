import { describe, expect, test } from 'vitest';
import { handler as cancelTransaction } from '../../functions/api/cancel-transaction.ts';
import { handler as confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { handler as initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { handler as addWebhookEndpoint } from '../../functions/api/partner/add-webhook-endpoint.ts';
import { handler as submitKyc } from '../../functions/api/submit-kyc.ts';
import { readBy, refusalBy } from '../support/requests.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
/** The text that API Gateway makes of bytes that are not UTF-8. */
const textOf = (body: Uint8Array) => Buffer.from(body).toString();
const NO_JSON = 'the body is not valid JSON';
const NO_OBJECT = 'the body must be a JSON object';
const LIMIT_BYTES = 64 * 1024;

const ENDPOINTS = [
  ['SubmitKyc', submitKyc],
  ['InitiateTransaction', initiateTransaction],
  ['ConfirmMfa', confirmMfa],
  ['AddWebhookEndpoint', addWebhookEndpoint],
] as const;

/** A JSON object of exactly this number of bytes. */
const ofBytes = (length: number, character = 'x') => {
  const bare = JSON.stringify({ padding: '' });
  const count = (length - bare.length) / Buffer.byteLength(character);
  return JSON.stringify({ padding: character.repeat(count) });
};

test.each([undefined, ''])('CancelTransaction needs no body', (body) => {
  expect(readBy(cancelTransaction, body, { id: 'one' })).toEqual({ id: 'one' });
});

describe.each(ENDPOINTS)('%s', (_, handler) => {
  test.each<[string, unknown, string]>([
    ['a blank', ' ', NO_JSON],
    ['text', 'hello', NO_JSON],
    ['a form', 'cpf=52998224725&amountBrl=250', NO_JSON],
    ['half of an object', '{"cpf": "529', NO_JSON],
    ['two objects', '{}{}', NO_JSON],
    ['an object with a comma too many', '{"cpf": "52998224725",}', NO_JSON],
    ['an array', '[{}]', NO_OBJECT],
    ['null', 'null', NO_OBJECT],
    ['a number', '42', NO_OBJECT],
    ['a truth value', 'true', NO_OBJECT],
    ['a JSON string', '"{}"', NO_OBJECT],
    ['invalid UTF-8', textOf(bytes(0x7b, 0xff, 0xfe, 0x7d)), NO_JSON],
    ['UTF-16', textOf(Buffer.from('{}', 'utf16le')), NO_JSON],
    ['a byte order mark before an object', textOf(bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d)), NO_JSON],
    ['NUL', '\u0000', NO_JSON],
    ['the literal NaN', '{"amountBrl": NaN}', NO_JSON],
    ['arrays ten thousand deep', '['.repeat(10_000), NO_JSON],
  ])('refuses %s as its body', (_what, body, message) => {
    expect(refusalBy(handler, body)).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { issues: [{ path: '', message }] },
    });
  });

  test.each([
    ['no body', undefined],
    ['an empty body', ''],
  ])('reads %s as one without fields', (_what, body) => {
    expect(refusalBy(handler, body)).toEqual(refusalBy(handler, '{}'));
  });

  test('reads a body of 64 kB', () => {
    expect(refusalBy(handler, ofBytes(LIMIT_BYTES))?.code).toBe('INVALID_REQUEST');
  });

  test.each([
    ['one byte over 64 kB', ofBytes(LIMIT_BYTES + 1)],
    ['over 64 kB in fewer characters', ofBytes(LIMIT_BYTES + 2, 'é')],
    ['of a megabyte', ofBytes(1024 * 1024)],
  ])('refuses a body %s', (_size, body) => {
    expect(refusalBy(handler, body)?.code).toBe('REQUEST_TOO_LARGE');
  });
});
