import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../sandbox/providers/world.ts';
import { callbacksProcessed } from '../support/callback-queue.ts';
import { call, initiate, rawCall, submitKyc } from '../support/partner-api.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { eventually, newPartner, rowOf } from '../support/sandbox.ts';

const PATH = '/callbacks/identity';
const { webhookSecret } = defaultSettings.identity;
const ALGORITHMS = { HMAC_SHA256_HEX: 'sha256', HMAC_SHA512_HEX: 'sha512', HMAC_SHA1_HEX: 'sha1' } as const;
type Algorithm = keyof typeof ALGORITHMS;

function digestHeaders(body: string, algorithm: Algorithm = 'HMAC_SHA256_HEX', secret = webhookSecret) {
  const digest = createHmac(ALGORITHMS[algorithm], secret).update(body).digest('hex');
  return { 'x-payload-digest': digest, 'x-payload-digest-alg': algorithm };
}

const send = (body: string, headers: Record<string, string> = digestHeaders(body)) =>
  call('POST', PATH, { headers, body });

/** The provider's message that a check passed, true or not. */
const passed = (livenessId: string) =>
  JSON.stringify({
    applicantId: '5cb56e8e0a975a35f333cb83',
    applicantActionId: '5f0c5d5c0a975a7ab0e8f3e2',
    externalApplicantActionId: livenessId,
    type: 'applicantActionReviewed',
    reviewResult: { reviewAnswer: 'GREEN' },
    reviewStatus: 'completed',
  });

const storedOf = (body: string) =>
  rowOf('TablesCallbacks', `IDENTITY#${createHash('sha256').update(body).digest('hex')}`);

async function atLiveness() {
  const { apiKey, client } = await newPartner();
  const { data } = await submitKyc(apiKey, aSubmission({ cpf: '111.444.777-35' }));
  const opened = await initiate(apiKey, aPurchase(data.token));
  return { client, id: String(opened.data.transactionId) };
}

describe('a webhook of the identity provider', () => {
  test('is stored by its ids only, queued, and answered 200 at once if it is signed', async () => {
    const { client, id } = await atLiveness();
    const body = passed(`${id}-1`);

    const answer = await send(body);

    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect(await storedOf(body)).toMatchObject({ hints: [{ livenessId: `${id}-1` }] });
    expect(JSON.stringify(await storedOf(body))).not.toContain('GREEN');
    expect((await client.getTransactionStatus(id)).status).toBe('AWAITING_MFA');
  });

  // docs/security.md, "Providers calling us"
  test('moves nothing if it is false: the provider itself says that the check is open', async () => {
    const { client, id } = await atLiveness();

    for (const algorithm of ['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'] as const) {
      const body = passed(`${id}-1`);
      expect((await send(body, digestHeaders(body, algorithm))).status).toBe(200);
    }

    await callbacksProcessed();
    expect((await client.getTransactionStatus(id)).status).toBe('AWAITING_MFA');
  });

  test('clears the purchase once if it comes twice, and before it is true', async () => {
    const { client, id } = await atLiveness();
    await send(passed(`${id}-1`));
    await client.sandbox.liveness(id, { outcome: 'PASSED' });
    await Promise.all([send(passed(`${id}-1`)), send(passed(`${id}-1`))]);

    const cleared = await eventually(
      () => client.getTransactionStatus(id),
      ({ status }) => status === 'AWAITING_PIX',
    );
    expect(cleared.history.map(({ status }) => status)).toEqual(['CREATED', 'AWAITING_MFA', 'AWAITING_PIX']);
  });

  test.each([
    ['names an unknown check', passed('0'.repeat(26))],
    ['is of a type that we do not act on', JSON.stringify({ type: 'applicantCreated', applicantId: 'a' })],
    ['is no JSON', 'not json'],
    ['is no object', 'null'],
  ])('is accepted and does nothing if it %s', async (_, body) => {
    const answer = await send(body);

    expect([answer.status, answer.data]).toEqual([200, {}]);
  });

  test('is accepted with its signature in any case of its headers', async () => {
    const body = passed('0'.repeat(26));
    const { 'x-payload-digest': digest } = digestHeaders(body);
    const headers = ['X-Payload-Digest', digest, 'X-PAYLOAD-DIGEST-ALG', 'HMAC_SHA256_HEX'];

    expect((await rawCall('POST', PATH, headers, body)).status).toBe(200);
  });

  const body = passed('0'.repeat(26));
  test.each([
    ['no digest', {}],
    ['a digest of other bytes', digestHeaders(`${body} `)],
    ['a digest with another secret', digestHeaders(body, 'HMAC_SHA256_HEX', 'another secret')],
    ['the weak algorithm', digestHeaders(body, 'HMAC_SHA1_HEX')],
    ['an algorithm that is none', { ...digestHeaders(body), 'x-payload-digest-alg': 'none' }],
  ])('gets with %s the answer of an unknown address', async (_, headers) => {
    const answer = await send(body, headers);

    expect([answer.status, answer.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('is not read over 64 kB, and a stranger does not learn the limit', async () => {
    const large = JSON.stringify({ type: 'applicantReviewed', padding: 'x'.repeat(64 * 1024) });

    expect((await send(large)).error.code).toBe('REQUEST_TOO_LARGE');
    expect((await send(large, {})).error.code).toBe('NOT_FOUND');
  });
});
