import { getAddress } from 'ethers/address';
import { describe, expect, test } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { localChain } from '../../sandbox/chain/deploy.ts';
import {
  approvedClient,
  call,
  expectRefusal,
  holdingsOf,
  INITIATE_PATH,
  initiate,
  KYC_PATH,
  mfaPath,
  NOTHING,
  openPurchase,
  rawCall,
  submitKyc,
} from '../support/partner-api.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner, rowOf } from '../support/sandbox.ts';

const UNKNOWN_ID = '0'.repeat(26);
const INVALID_UTF_8 = Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d);
const ISSUE = { path: expect.any(String), message: expect.any(String) };

/** The tests in test/functions/ try every kind of body at each endpoint. */
describe('over HTTP, a malformed body', () => {
  // Spec, Endpoints: "All bodies are JSON"
  // docs/decisions.md, "Fields of the answers"
  test.each([
    ['kyc submit', KYC_PATH, INVALID_UTF_8, ['']],
    ['kyc submit', KYC_PATH, { cpf: '1' }, ['cpf', 'biometricHash']],
    ['transaction initiate', INITIATE_PATH, '{"kycToken": "kyc', ['']],
    ['transaction initiate', INITIATE_PATH, {}, ['kycToken', 'amountBrl', 'asset', 'walletAddress']],
    ['mfa', mfaPath(UNKNOWN_ID), undefined, ['totpCode']],
    ['mfa', mfaPath(UNKNOWN_ID), { totpCode: 123456 }, ['totpCode']],
  ])('at %s is answered in the envelope, and stores nothing: %s', async (_, path, body, paths) => {
    const { apiKey, partnerId } = await newPartner();

    const answer = await call('POST', path, { apiKey, body });

    expectRefusal(answer, 'INVALID_REQUEST', { issues: paths.map((field) => ({ ...ISSUE, path: field })) });
    expect(await holdingsOf(partnerId)).toEqual(NOTHING);
  });

  test('does not use up its Idempotency-Key', async () => {
    const { apiKey } = await newPartner();
    const headers = { 'Idempotency-Key': 'first-try' };

    const malformed = await submitKyc(apiKey, aSubmission({ cpf: '1' }), { headers });
    const corrected = await submitKyc(apiKey, aSubmission(), { headers });

    expectRefusal(malformed, 'INVALID_REQUEST');
    expect(corrected.status).toBe(200);
  });

  test('on a purchase does not count as a try of a code', async () => {
    const { apiKey, id } = await openPurchase();

    for (const body of ['null', '[]', '{}', '', '{"totpCode":"12345"}']) {
      expectRefusal(await call('POST', mfaPath(id), { apiKey, body }), 'INVALID_REQUEST');
    }

    expect(await rowOf('TablesTransactions', id)).toMatchObject({ mfaAttempts: 0, status: 'AWAITING_MFA' });
  });

  test('may have unknown fields, which change nothing', async () => {
    const { apiKey } = await newPartner();
    const noise = '{"__proto__": {"mode": "shared"}, "constructor": 1, "status": "APPROVED", "token": "x"';
    const body = JSON.stringify(aSubmission()).replace('{', `${noise}, `);

    const answer = await submitKyc(apiKey, body);

    expect(answer.status).toBe(200);
    expect(await rowOf('TablesKycRecords', String(answer.data.token))).toMatchObject({ model: 1 });
  });

  test('cannot replace the path’s parameter by a field of its body', async () => {
    const purchase = await openPurchase();
    const { apiKey } = await newPartner();

    const answer = await call('POST', mfaPath(UNKNOWN_ID), {
      apiKey,
      body: { id: purchase.id, totpCode: '123456' },
    });

    expectRefusal(answer, 'TRANSACTION_NOT_FOUND', {});
    expect(await rowOf('TablesTransactions', purchase.id)).toMatchObject({ mfaAttempts: 0 });
  });
});

describe('over HTTP, an Idempotency-Key', () => {
  test.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['of 300 characters', 'k'.repeat(300)],
    ['not ASCII', 'clé-único'],
    ['with a tab', 'a\tb'],
  ])('is refused if it is %s', async (_, key) => {
    const { apiKey } = await newPartner();
    const headers = ['X-Service-API-Key', apiKey, 'Idempotency-Key', key];

    const answer = await rawCall('POST', KYC_PATH, headers, JSON.stringify(aSubmission()));

    expectRefusal(answer, 'INVALID_REQUEST', { issues: [{ ...ISSUE, path: 'Idempotency-Key' }] });
  });

  test('is accepted with spaces in it', async () => {
    const { apiKey } = await newPartner();

    const answer = await submitKyc(apiKey, aSubmission(), { headers: { 'Idempotency-Key': 'order 1 b' } });

    expect(answer.status).toBe(200);
  });
});

describe('over HTTP, transaction initiate', () => {
  test.each([
    ['AMOUNT_OUT_OF_RANGE', { amountBrl: 49.99 }, { minimum: 50, maximum: 50_000 }],
    ['UNSUPPORTED_ASSET', { asset: 'BTC' }, { supported: ASSET_NAMES }],
    ['INVALID_WALLET_ADDRESS', { walletAddress: 'vitalik.eth' }, { reason: 'FORM' }],
  ] as const)('answers 422 %s in the envelope', async (code, fields, details) => {
    const { apiKey, kycToken } = await approvedClient();

    expectRefusal(await initiate(apiKey, aPurchase(kycToken, fields)), code, details);
  });

  test.each([
    ...ASSET_NAMES.map((asset) => [`the contract of ${asset}`, localChain.tokens[asset]] as const),
    ["the oracle's contract", localChain.sanctionsOracle],
  ] as const)('refuses %s as a wallet, and opens nothing', async (_, address) => {
    const { partnerId, apiKey, kycToken } = await approvedClient();

    const answer = await initiate(apiKey, aPurchase(kycToken, { walletAddress: getAddress(address) }));

    expectRefusal(answer, 'INVALID_WALLET_ADDRESS', { reason: 'RESERVED' });
    expect(await holdingsOf(partnerId)).toEqual({ ...NOTHING, TablesKycRecords: 1, TablesClients: 1 });
  });
});
