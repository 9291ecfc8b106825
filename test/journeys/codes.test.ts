import { getAddress } from 'ethers/address';
import { describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../functions/domain/errors.ts';
import { ORACLE_LISTED_WALLET } from '../../sandbox/chain/deploy.ts';
import { REVOKED_API_KEY, SUSPENDED_API_KEY } from '../../sandbox/seed.ts';
import {
  type Answer,
  approvedClient,
  askQuote,
  call,
  codeOf,
  confirmMfa,
  editRow,
  expectRefusal,
  getStatus,
  INITIATE_PATH,
  initiate,
  KYC_PATH,
  openPurchase,
  rowsWhere,
  submitKyc,
  wrongCodeOf,
} from '../support/partner-api.ts';
import { newKey } from '../support/partner-endpoints.ts';
import { pspDownFor } from '../support/provider-faults.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { eventually, newPartner } from '../support/sandbox.ts';
import { newSigner } from '../support/token-signer.ts';

const UNKNOWN_ID = '0'.repeat(26);
const ENDPOINTS_PATH = '/laas/partner/webhook-endpoints';
const HIGH_CPF = '111.444.777-35';
const PENDING_CPF = '900.000.003-37';
const SHORT_LIVED_CPF = '900.000.010-66';
const DETAILS: Partial<Record<ErrorCode, unknown>> = {
  KYC_QUOTA_EXCEEDED: {
    limit: 'REGISTRY_LOOK_UPS',
    maximum: 0,
    remaining: 0,
    resetsAt: expect.any(String),
    retryAfterSeconds: expect.any(Number),
  },
  KYC_REJECTED: { reason: 'SANCTIONS_HIT' },
  AMOUNT_OUT_OF_RANGE: { minimum: 50, maximum: 50_000 },
  KYC_NOT_APPROVED: { status: 'PENDING' },
  MFA_INVALID_CODE: { attemptsRemaining: 4 },
  INVALID_TRANSACTION_STATE: { status: 'AWAITING_PIX' },
  WEBHOOK_ENDPOINT_LIMIT: { maximum: 5 },
  API_KEY_LIMIT: { maximum: 50 },
  QUOTE_MISMATCH: { asset: 'USDC', amountBrl: 250 },
  QUOTE_USED: { transactionId: expect.any(String) },
  QUOTE_EXPIRED: { expiredAt: expect.any(String) },
  LIMIT_EXCEEDED: {
    limit: 'OPEN_CHARGES',
    maximum: 1,
    remaining: 0,
    resetsAt: expect.any(String),
    retryAfterSeconds: expect.any(Number),
    transactionId: expect.any(String),
  },
};

/** A client with a scenario's CPF, and the token of the submission. */
async function clientOf(cpf: string) {
  const { apiKey } = await newPartner();
  const { data } = await submitKyc(apiKey, aSubmission({ cpf }));
  return { apiKey, kycToken: data.token };
}

async function withKey(path: string, bodies: unknown[]): Promise<Answer> {
  const { apiKey } = await newPartner();
  const headers = { 'Idempotency-Key': 'one key' };
  const answers = await Promise.all(bodies.map((body) => call('POST', path, { apiKey, headers, body })));
  return answers.find(({ success }) => !success)!;
}

async function initiated(fields: Record<string, unknown>): Promise<Answer> {
  const { apiKey, kycToken } = await approvedClient();
  return initiate(apiKey, aPurchase(kycToken, fields));
}

/** A client with a quote of R$ 250. */
async function quoted() {
  const { apiKey, kycToken } = await approvedClient();
  const { data } = await askQuote(apiKey);
  const quoteId = String(data.quoteId);
  const order = (fields: object = {}) => initiate(apiKey, aPurchase(kycToken, { quoteId, ...fields }));
  return { quoteId, order };
}

/** These codes refuse every purchase. They have their own sandbox, in test/journeys/low-treasury.test.ts. */
const ELSEWHERE = ['LIQUIDITY_UNAVAILABLE', 'PRICE_UNAVAILABLE', 'PROMISES_EXHAUSTED'] as const;
type Elsewhere = (typeof ELSEWHERE)[number];
type Code = Exclude<ErrorCode, Elsewhere>;

/** How a partner meets each code: by its request, by a scenario's CPF, or by a fault of a provider. */
const TRIGGERS: Record<Code, () => Promise<Answer>> = {
  NOT_FOUND: () => call('GET', '/v1/laas/nothing', {}),
  INVALID_API_KEY: () => getStatus(REVOKED_API_KEY, UNKNOWN_ID),
  PARTNER_SUSPENDED: () => getStatus(SUSPENDED_API_KEY, UNKNOWN_ID),
  async KEY_SCOPE_INSUFFICIENT() {
    const { partnerId } = await newPartner();
    return submitKyc(await newKey(partnerId, 'reader', ['read']), aSubmission());
  },
  async RATE_LIMIT_EXCEEDED() {
    const { apiKey } = await newPartner();
    const ask = () => submitKyc(apiKey, 'null');
    // A minute may change during the calls, so there are more calls than two minutes allow.
    const answers = await Promise.all(Array.from({ length: 41 }, ask));
    const limited = answers.find(({ status }) => status === 429)!;
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    return limited;
  },
  async KYC_QUOTA_EXCEEDED() {
    const { apiKey, partnerId } = await newPartner();
    await editRow('TablesPartners', `PARTNER#${partnerId}`, { registryQuota: { perDay: 0 } });
    const answer = await submitKyc(apiKey, aSubmission());
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    return answer;
  },
  async REQUEST_TOO_LARGE() {
    const { apiKey } = await newPartner();
    return submitKyc(apiKey, aSubmission({ padding: 'x'.repeat(64 * 1024) }));
  },
  async INVALID_REQUEST() {
    const { apiKey } = await newPartner();
    return submitKyc(apiKey, aSubmission({ cpf: '529.982.247-26' }));
  },
  async IDEMPOTENCY_KEY_REUSED() {
    const { apiKey } = await newPartner();
    const headers = { 'Idempotency-Key': 'one key' };
    await call('POST', KYC_PATH, { apiKey, headers, body: aSubmission() });
    return call('POST', KYC_PATH, { apiKey, headers, body: aSubmission() });
  },
  async IDEMPOTENCY_IN_PROGRESS() {
    // On a busy machine the first request may be answered before the others begin.
    const answer = await eventually(
      () => withKey(KYC_PATH, Array(6).fill(aSubmission())),
      (refused) => refused !== undefined,
    );
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    return answer;
  },
  AMOUNT_OUT_OF_RANGE: () => initiated({ amountBrl: 49.99 }),
  async EXTERNAL_ID_TAKEN() {
    const { apiKey, kycToken } = await approvedClient();
    const order = aPurchase(kycToken, { externalId: 'order-1' });
    await initiate(apiKey, order);
    return initiate(apiKey, order);
  },
  async RECEIPT_NOT_AVAILABLE() {
    const { apiKey, id } = await openPurchase();
    return call('GET', `/v1/laas/transactions/${id}/receipt`, { apiKey });
  },
  UNSUPPORTED_ASSET: () => initiated({ asset: 'DAI' }),
  INVALID_WALLET_ADDRESS: () => initiated({ walletAddress: '0x8ba1f109551bd432803012645ac136ddd64dba72' }),
  WALLET_RISK_TOO_HIGH: () => initiated({ walletAddress: getAddress(ORACLE_LISTED_WALLET) }),
  KYC_TOKEN_NOT_FOUND: () => initiated({ kycToken: 'kyc_nobody' }),
  async KYC_REJECTED() {
    const { apiKey } = await newPartner();
    return submitKyc(apiKey, aSubmission({ cpf: '900.000.002-56' }));
  },
  async KYC_TOKEN_EXPIRED() {
    const { apiKey, kycToken } = await clientOf(SHORT_LIVED_CPF);
    return initiate(apiKey, aPurchase(kycToken));
  },
  async KYC_NOT_APPROVED() {
    const { apiKey, kycToken } = await clientOf(PENDING_CPF);
    return initiate(apiKey, aPurchase(kycToken));
  },
  async CLIENT_BLOCKED() {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    const [client] = await rowsWhere('TablesClients', (row) => row.partnerId === partnerId);
    await editRow('TablesClients', String(client!.id), { blockedFor: new Set(['MED_REFUND#E1#D1']) });
    return initiate(apiKey, aPurchase(kycToken));
  },
  async LIMIT_EXCEEDED() {
    const purchase = await openPurchase();
    await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));
    const answer = await initiate(purchase.apiKey, aPurchase(purchase.kycToken));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    return answer;
  },
  async TRANSACTION_NOT_FOUND() {
    const { id } = await openPurchase();
    return getStatus((await newPartner()).apiKey, id);
  },
  async TRANSACTION_EXPIRED() {
    const { apiKey, id } = await openPurchase();
    await eventually(
      () => getStatus(apiKey, id),
      ({ data }) => data.status === 'EXPIRED',
    );
    return confirmMfa(apiKey, id, '000000');
  },
  async INVALID_TRANSACTION_STATE() {
    const purchase = await openPurchase();
    await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));
    return confirmMfa(purchase.apiKey, purchase.id, '000000');
  },
  async TRANSACTION_NOT_CANCELABLE() {
    const purchase = await openPurchase();
    await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));
    await call('POST', `/v1/laas/sandbox/transactions/${purchase.id}/pay`, {
      apiKey: purchase.apiKey,
      body: {},
    });
    const path = `/v1/laas/transactions/${purchase.id}/cancel`;
    return call('POST', path, { apiKey: purchase.apiKey, body: {} });
  },
  async CHALLENGE_TYPE_MISMATCH() {
    const { apiKey, kycToken } = await clientOf(HIGH_CPF);
    const { data } = await initiate(apiKey, aPurchase(kycToken));
    return confirmMfa(apiKey, String(data.transactionId), '000000');
  },
  QUOTE_NOT_FOUND: () => initiated({ quoteId: 'quote_nothing' }),
  async QUOTE_MISMATCH() {
    const { order } = await quoted();
    return order({ amountBrl: 251 });
  },
  async QUOTE_USED() {
    const { order } = await quoted();
    await order();
    return order();
  },
  async QUOTE_EXPIRED() {
    const { order, quoteId } = await quoted();
    await editRow('TablesPromises', quoteId, { expiresAt: Date.now() });
    return order();
  },
  async MFA_INVALID_CODE() {
    const purchase = await openPurchase();
    return confirmMfa(purchase.apiKey, purchase.id, wrongCodeOf(purchase));
  },
  async MFA_ATTEMPTS_EXCEEDED() {
    const purchase = await openPurchase();
    for (let index = 0; index < 5; index++) {
      await confirmMfa(purchase.apiKey, purchase.id, wrongCodeOf(purchase, index));
    }
    return confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));
  },
  async WEBHOOK_ENDPOINT_NOT_FOUND() {
    const { apiKey } = await newPartner();
    return call('DELETE', `${ENDPOINTS_PATH}/nothing`, { apiKey });
  },
  async WEBHOOK_ENDPOINT_LIMIT() {
    const { apiKey } = await newPartner();
    const body = { url: 'https://partner.example/webhooks' };
    const add = () => call('POST', ENDPOINTS_PATH, { apiKey, body });
    return eventually(add, ({ success }) => !success);
  },
  async EVENT_NOT_FOUND() {
    const { apiKey } = await newPartner();
    return call('GET', `/v1/laas/events/${UNKNOWN_ID}.1`, { apiKey });
  },
  async VENDOR_KEY_LIMIT() {
    const { partnerId } = await newPartner();
    const apiKey = await newKey(partnerId, 'manager', ['read', 'manage']);
    const { jwk } = await newSigner('EdDSA');
    let made = 0;
    const propose = () =>
      call('POST', '/laas/partner/vendor-keys', {
        apiKey,
        body: { jwk: { ...jwk, alg: 'EdDSA', kid: `k${++made}` } },
      });
    return eventually(propose, ({ success }) => !success);
  },
  async VENDOR_KEY_NOT_FOUND() {
    const { partnerId } = await newPartner();
    const apiKey = await newKey(partnerId, 'manager', ['read', 'manage']);
    return call('DELETE', '/laas/partner/vendor-keys/nothing', { apiKey });
  },
  async API_KEY_LIMIT() {
    const { partnerId } = await newPartner();
    const apiKey = await newKey(partnerId, 'manager', ['read', 'manage']);
    const body = { scopes: ['read'], expiresInDays: 1 };
    const make = () => call('POST', '/laas/partner/keys', { apiKey, body });
    return eventually(make, ({ success }) => !success);
  },
  async API_KEY_NOT_FOUND() {
    const { apiKey } = await newPartner();
    return call('POST', '/laas/partner/keys/nothing/revoke', { apiKey, body: {} });
  },
  async API_KEY_IN_USE() {
    const { apiKey } = await newPartner();
    return call('POST', '/laas/partner/keys/key1/revoke', { apiKey, body: {} });
  },
  async INTERNAL_ERROR() {
    const purchase = await openPurchase();
    await pspDownFor(purchase.id);
    const answer = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    return answer;
  },
};

describe('over HTTP', () => {
  const codes = Object.keys(ERRORS).filter((code) => !ELSEWHERE.includes(code as Elsewhere)) as Code[];

  // Spec, Errors: "Every failure uses this envelope"
  // docs/decisions.md, "Charge limits of a client"
  test.concurrent.each(codes)('%s is answered', async (code) => {
    const answer = await TRIGGERS[code]();

    expectRefusal(answer, code, (DETAILS[code] as Record<string, unknown>) ?? expect.any(Object));
  });

  test('a refused initiate stores nothing that the status endpoint would find', async () => {
    const { apiKey } = await newPartner();

    const answer = await call('POST', INITIATE_PATH, { apiKey, body: aPurchase('kyc_nobody') });

    expectRefusal(answer, 'KYC_TOKEN_NOT_FOUND');
    expect(answer.data).toBeUndefined();
  });
});
