import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { keyRowId, partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { OTHER_API_KEY, REVOKED_API_KEY, SUSPENDED_API_KEY } from '../../sandbox/seed.ts';
import {
  approvedClient,
  call,
  clientPath,
  editRow,
  expectRefusal,
  holdingsOf,
  INITIATE_PATH,
  KYC_PATH,
  mfaPath,
  NOTHING,
  rawCall,
  statusPath,
  submitKyc,
} from '../support/partner-api.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { dynamo, newPartner, physical } from '../support/sandbox.ts';

const SECRET = '0'.repeat(16);
const UNKNOWN_ID = '0'.repeat(26);

/** Every endpoint, with a request that is correct except for its key. */
const ENDPOINTS: [method: string, path: string, body?: unknown][] = [
  ['POST', KYC_PATH, aSubmission()],
  ['GET', clientPath('kyc_x')],
  ['POST', INITIATE_PATH, aPurchase('kyc_x')],
  ['POST', mfaPath(UNKNOWN_ID), { totpCode: '123456' }],
  ['GET', statusPath(UNKNOWN_ID)],
];

async function putKey(partnerId: string, keyId: string, apiKey: string): Promise<void> {
  const sha256 = createHash('sha256').update(apiKey).digest('hex');
  const Item = {
    id: keyRowId(partnerId, keyId),
    partnerId,
    keyId,
    sha256,
    scopes: ['read'],
    status: 'ACTIVE',
  };
  await dynamo().send(new PutCommand({ TableName: physical('TablesPartners'), Item }));
}

describe.each(ENDPOINTS)('%s %s', (method, path, body) => {
  // Spec, Authentication: "Every request carries the header X-Service-API-Key"
  // Spec, Errors: "INVALID_API_KEY 401: Key missing, malformed or revoked"
  test('answers 401 without a key', async () => {
    expectRefusal(await call(method, path, { body }), 'INVALID_API_KEY', {});
  });

  // Spec, Errors: "INVALID_API_KEY 401: Key missing, malformed or revoked"
  test('answers 401 to a revoked key', async () => {
    expectRefusal(await call(method, path, { apiKey: REVOKED_API_KEY, body }), 'INVALID_API_KEY', {});
  });

  // Spec, Errors: "PARTNER_SUSPENDED 403: Partner account suspended"
  test('answers 403 to a suspended partner', async () => {
    expectRefusal(await call(method, path, { apiKey: SUSPENDED_API_KEY, body }), 'PARTNER_SUSPENDED', {});
  });
});

describe('the API key', () => {
  // Spec, Errors: "INVALID_API_KEY 401: Key missing, malformed or revoked"
  test.each([
    ['empty', ''],
    ['a word', 'secret'],
    ['without its secret', 'sk_sandbox_demo_key1'],
    ['with a short secret', 'sk_sandbox_demo_key1_000000000000000'],
    ['with a long secret', `sk_sandbox_demo_key1_${'0'.repeat(65)}`],
    ['of an unknown stage', `sk_staging_demo_key1_${SECRET}`],
    ['of an unknown partner', `sk_sandbox_nobody_key1_${SECRET}`],
    ['of an unknown number', `sk_sandbox_demo_key9_${SECRET}`],
    ['of the right number with another secret', 'sk_sandbox_other_key1_1111111111111111'],
    ['in upper case', 'SK_SANDBOX_DEMO_KEY1_0000000000000000'],
    ['with a separator in its partner', `sk_sandbox_demo#x_key1_${SECRET}`],
    ['in quotes', '"sk_sandbox_other_key1_0000000000000000"'],
    ['behind a scheme', 'Bearer sk_sandbox_other_key1_0000000000000000'],
    ['twice', 'sk_sandbox_other_key1_0000000000000000, sk_sandbox_other_key1_0000000000000000'],
    ['of ten thousand characters', `sk_sandbox_demo_key1_${'0'.repeat(10_000)}`],
  ])('is refused with 401 when it is %s', async (_, apiKey) => {
    const answer = await call('GET', statusPath(UNKNOWN_ID), { apiKey });

    expectRefusal(answer, 'INVALID_API_KEY', {});
  });

  test('is refused with 401 when it is not ASCII', async () => {
    const answer = await rawCall('GET', statusPath(UNKNOWN_ID), ['X-Service-API-Key', 'sk_sandbox_démo'], '');

    expectRefusal(answer, 'INVALID_API_KEY', {});
  });

  // docs/decisions.md, "API keys"
  test('is refused with 401 when it is of another stage, even if its row exists', async () => {
    const { partnerId } = await newPartner();
    const apiKey = `sk_production_${partnerId}_live_${SECRET}`;
    await putKey(partnerId, 'live', apiKey);

    const answer = await call('GET', statusPath(UNKNOWN_ID), { apiKey });

    expectRefusal(answer, 'INVALID_API_KEY', {});
  });

  // Spec, Authentication: "Every request carries the header X-Service-API-Key"
  // docs/decisions.md, "API keys"
  test('is refused with 401 anywhere but in its header', async () => {
    const path = `${statusPath(UNKNOWN_ID)}?X-Service-API-Key=${OTHER_API_KEY}`;

    expectRefusal(await call('GET', path, { headers: { Authorization: OTHER_API_KEY } }), 'INVALID_API_KEY');
  });

  test('may be in a header of any case', async () => {
    const { apiKey } = await newPartner();

    for (const name of ['x-service-api-key', 'X-SERVICE-API-KEY', 'X-Service-Api-Key']) {
      const answer = await rawCall('GET', statusPath(UNKNOWN_ID), [name, apiKey], '');
      expectRefusal(answer, 'TRANSACTION_NOT_FOUND', {});
    }
  });

  // Spec, Authentication: "Every request carries the header X-Service-API-Key"
  test('may be one of several keys of a partner', async () => {
    const { partnerId, apiKey } = await newPartner();
    const second = `sk_sandbox_${partnerId}_key2_${'a'.repeat(64)}`;
    await putKey(partnerId, 'key2', second);

    const answers = await Promise.all(
      [apiKey, second].map((each) => call('GET', statusPath(UNKNOWN_ID), { apiKey: each })),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('a revocation or a suspension', () => {
  test('applies from the next request on, and the request has no effect', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    await editRow('TablesPartners', keyRowId(partnerId, 'key1'), { status: 'REVOKED' });

    const refused = await call('POST', INITIATE_PATH, { apiKey, body: aPurchase(kycToken) });

    expectRefusal(refused, 'INVALID_API_KEY', {});
    expect(await holdingsOf(partnerId)).toMatchObject({ TablesTransactions: 0 });
  });

  test('of the partner is reported to every key, and ends with the suspension', async () => {
    const { partnerId, apiKey } = await newPartner();
    await editRow('TablesPartners', partnerRowId(partnerId), { status: 'SUSPENDED' });

    const suspended = await submitKyc(apiKey, aSubmission());
    const stored = await holdingsOf(partnerId);
    await editRow('TablesPartners', partnerRowId(partnerId), { status: 'ACTIVE' });
    const again = await submitKyc(apiKey, aSubmission());

    expectRefusal(suspended, 'PARTNER_SUSPENDED', {});
    expect(stored).toEqual(NOTHING);
    expect(again.status).toBe(200);
  });

  test('is not reported to a caller without the secret', async () => {
    const answer = await call('GET', statusPath(UNKNOWN_ID), {
      apiKey: 'sk_sandbox_frozen_key1_1111111111111111',
    });

    expectRefusal(answer, 'INVALID_API_KEY', {});
  });
});
