import { getAddress } from 'ethers/address';
import { describe, expect, test } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { localChain } from '../../sandbox/chain/deploy.ts';
import { WALLET } from '../support/builders.ts';
import {
  aPurchase,
  approvedClient,
  aSubmission,
  call,
  expectRefusal,
  holdingsOf,
  INITIATE_PATH,
  initiate,
  KYC_PATH,
  mfaPath,
  NOTHING,
  openPurchase,
  rationed,
  rawCall,
  submitKyc,
} from '../support/partner-api.ts';
import { newPartner, rowOf } from '../support/sandbox.ts';

const ONE_CLIENT = { ...NOTHING, TablesKycRecords: 1, TablesClients: 1 };
const bytes = (...values: number[]) => Uint8Array.from(values);
const NO_JSON = 'the body is not valid JSON';
const isJson = (body: unknown) => ['[{}]', 'null', '42', 'true', '"{}"'].includes(String(body));
const MEGABYTE = 1024 * 1024;

describe.each([
  ['kyc submit', KYC_PATH],
  ['transaction initiate', INITIATE_PATH],
  ['mfa', mfaPath('0'.repeat(26))],
])('%s', (_, path) => {
  const { next, made } = rationed(15, newPartner);

  // Spec, Endpoints: "All bodies are JSON"
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty body', ''],
    ['a blank', ' '],
    ['text', 'hello'],
    ['a form', 'cpf=52998224725&amountBrl=250'],
    ['half of an object', '{"cpf": "529'],
    ['two objects', '{}{}'],
    ['an object with a comma too many', '{"cpf": "52998224725",}'],
    ['an array', '[{}]'],
    ['null', 'null'],
    ['a number', '42'],
    ['a truth value', 'true'],
    ['a JSON string', '"{}"'],
    ['invalid UTF-8', bytes(0x7b, 0xff, 0xfe, 0x7d)],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['a byte order mark before an object', bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
    ['NUL', bytes(0)],
    ['the literal NaN', '{"amountBrl": NaN}'],
    ['arrays ten thousand deep', '['.repeat(10_000)],
  ])('answers 400 to %s', async (_, body) => {
    const { apiKey } = await next();

    const answer = await call('POST', path, { apiKey, body });

    expectRefusal(answer, 'INVALID_REQUEST', {
      issues: [{ path: '', message: isJson(body) ? 'the body must be a JSON object' : NO_JSON }],
    });
  });

  test('answers 413 to a megabyte', async () => {
    const { apiKey } = await next();

    const answer = await call('POST', path, { apiKey, body: { padding: 'x'.repeat(MEGABYTE) } });

    expectRefusal(answer, 'REQUEST_TOO_LARGE', {});
  });

  test.each([
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['of 300 characters', 'k'.repeat(300)],
    ['not ASCII', 'clé-único'],
    ['with a tab', 'a\tb'],
  ])('answers 400 to an Idempotency-Key that is %s', async (_, key) => {
    const { apiKey } = await next();
    const body = JSON.stringify({ ...aSubmission(), ...aPurchase('kyc_x'), totpCode: '123456' });

    const answer = await rawCall('POST', path, ['X-Service-API-Key', apiKey, 'Idempotency-Key', key], body);

    expectRefusal(answer, 'INVALID_REQUEST', {
      issues: [{ path: 'Idempotency-Key', message: expect.any(String) }],
    });
  });

  test('takes an Idempotency-Key with spaces in it for one', async () => {
    const { apiKey } = await next();

    const answer = await call('POST', path, {
      apiKey,
      body: '{}',
      headers: { 'Idempotency-Key': 'order 1 b' },
    });

    expectRefusal(answer, 'INVALID_REQUEST');
    expect(answer.text).not.toContain('Idempotency-Key');
  });

  test('has kept nothing of all that', async () => {
    for (const { partnerId } of made) expect(await holdingsOf(partnerId)).toEqual(NOTHING);
  });
});

describe('transaction initiate answers 422', () => {
  const { next, made } = rationed(30, approvedClient);
  const [lower, upper] = [WALLET.toLowerCase(), `0x${WALLET.slice(2).toUpperCase()}`];

  // Spec, Initiate a transaction: "minimum 50, maximum 50000 per transaction"
  // docs/decisions.md, "Precedence of refusals"
  test.each([49.99, 50_000.01, 49, 50_001, 0, -0.01, -250, 1e21, -1e21, 1e300])(
    'to the amount %d',
    async (amountBrl) => {
      const { apiKey, kycToken } = await next();

      const answer = await initiate(apiKey, aPurchase(kycToken, { amountBrl }));

      expectRefusal(answer, 'AMOUNT_OUT_OF_RANGE', { minimum: 50, maximum: 50_000 });
    },
  );

  // Spec, Initiate a transaction: "USDT or USDC"
  // docs/decisions.md, "Precedence of refusals"
  test.each(['', 'usdc', 'USDC ', 'USD', 'BTC', 'USDС', 'ＵＳＤＣ', 'USDC\u0000', '\ud800', 'constructor'])(
    'to the asset %j',
    async (asset) => {
      const { apiKey, kycToken } = await next();

      const answer = await initiate(apiKey, aPurchase(kycToken, { asset }));

      expectRefusal(answer, 'UNSUPPORTED_ASSET', { supported: ASSET_NAMES });
    },
  );

  // Spec, Errors: "INVALID_WALLET_ADDRESS 422: Wallet address fails checksum validation"
  // docs/decisions.md, "Form of a wallet address"
  test.each([
    ['CHECKSUM', 'with one letter of another case', WALLET.replace('b', 'B')],
    ['CHECKSUM', 'all in lower case', lower],
    ['CHECKSUM', 'all in upper case', upper],
    ['FORM', 'in upper case with its prefix', WALLET.toUpperCase()],
    ['FORM', 'without 0x', WALLET.slice(2)],
    ['FORM', 'in the form of ICAN', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'],
    ['FORM', 'surrounded by spaces', ` ${WALLET} `],
    ['FORM', 'followed by a line end', `${WALLET}\n`],
    ['FORM', 'followed by NUL', `${WALLET}\u0000`],
    ['FORM', 'one digit short', WALLET.slice(0, -1)],
    ['FORM', 'one digit long', `${WALLET}0`],
    ['FORM', 'in fullwidth digits', WALLET.replace('8', '８')],
    ['FORM', 'a name', 'vitalik.eth'],
    ['FORM', 'empty', ''],
    ['ZERO', 'zero', `0x${'0'.repeat(40)}`],
    ...ASSET_NAMES.map((asset) => [
      'RESERVED',
      `the contract of ${asset}`,
      getAddress(localChain.tokens[asset]),
    ]),
    ['RESERVED', "the oracle's contract", getAddress(localChain.sanctionsOracle)],
  ])('with reason %s to an address that is %s', async (reason, _, walletAddress) => {
    const { apiKey, kycToken } = await next();

    const answer = await initiate(apiKey, aPurchase(kycToken, { walletAddress }));

    expectRefusal(answer, 'INVALID_WALLET_ADDRESS', { reason });
  });

  test('and has opened nothing of all that', async () => {
    for (const { partnerId } of made) expect(await holdingsOf(partnerId)).toEqual(ONE_CLIENT);
  });
});

describe('a malformed request', () => {
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

    for (const body of ['null', '[]', '{}', '']) await call('POST', mfaPath(id), { apiKey, body });

    expect(await rowOf('TablesTransactions', id)).toMatchObject({ mfaAttempts: 0, status: 'AWAITING_MFA' });
  });

  test('may have fields besides that nobody knows, which change nothing', async () => {
    const { apiKey } = await newPartner();
    const noise = '{"__proto__": {"mode": "shared"}, "constructor": 1, "status": "APPROVED", "token": "x"';
    const body = JSON.stringify(aSubmission()).replace('{', `${noise}, `);

    const answer = await submitKyc(apiKey, body);

    expect(answer.status).toBe(200);
    expect(await rowOf('TablesKycRecords', String(answer.data.token))).toMatchObject({ model: 1 });
  });

  test("cannot smuggle the path's parameter in its body", async () => {
    const purchase = await openPurchase();
    const { apiKey } = await newPartner();

    const answer = await call('POST', mfaPath('0'.repeat(26)), {
      apiKey,
      body: { id: purchase.id, totpCode: '123456' },
    });

    expectRefusal(answer, 'TRANSACTION_NOT_FOUND', {});
    expect(await rowOf('TablesTransactions', purchase.id)).toMatchObject({ mfaAttempts: 0 });
  });
});
