import { describe, expect, it } from 'vitest';
import { createOnrampClient, metaOf, type OnrampClient } from '../../client/onramp-client.ts';
import { apiKey, clientOf, ok, startStub } from './stub-server.ts';

const purchase = {
  kycToken: 'kyc_1',
  amountBrl: 250.5,
  asset: 'USDC',
  walletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
} as const;
const person = { cpf: '529.982.247-25', biometricHash: 'sha256:00', mode: 'shared' } as const;

type Call = [name: string, call: (client: OnrampClient) => Promise<object>, route: string, body?: object];

const calls: Call[] = [
  ['submitKyc', (c) => c.submitKyc(person), 'POST /v1/laas/kyc/submit', person],
  ['getKycStatus', (c) => c.getKycStatus('kyc/1'), 'GET /v1/laas/clients/kyc%2F1'],
  [
    'initiateTransaction',
    (c) => c.initiateTransaction(purchase),
    'POST /v1/laas/transactions/initiate',
    purchase,
  ],
  [
    'confirmMfa',
    (c) => c.confirmMfa({ transactionId: 'T1', totpCode: '012345' }),
    'POST /v1/laas/transactions/T1/mfa',
    { totpCode: '012345' },
  ],
  ['getTransactionStatus', (c) => c.getTransactionStatus('T1'), 'GET /v1/laas/transactions/T1/status'],
  ['events.get', (c) => c.events.get('e/1.2'), 'GET /v1/laas/events/e%2F1.2'],
  [
    'events.replay',
    (c) => c.events.replay('E1', { endpointId: 'one' }),
    'POST /v1/laas/events/E1/replay',
    { endpointId: 'one' },
  ],
  [
    'events.replayRange',
    (c) => c.events.replayRange({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
    'POST /v1/laas/events/replay',
    { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  ],
  ['events.list', (c) => c.events.list(), 'GET /v1/laas/events'],
  [
    'events.list with filters',
    (c) => c.events.list({ type: 'kyc.approved', limit: 5, cursor: 'a+b', transactionId: undefined }),
    'GET /v1/laas/events?type=kyc.approved&limit=5&cursor=a%2Bb',
  ],
  ['partner.get', (c) => c.partner.get(), 'GET /laas/partner'],
  [
    'partner.addWebhookEndpoint',
    (c) => c.partner.addWebhookEndpoint({ url: 'https://partner.example/' }),
    'POST /laas/partner/webhook-endpoints',
    { url: 'https://partner.example/' },
  ],
  [
    'partner.rotateWebhookSecret',
    (c) => c.partner.rotateWebhookSecret('e/1'),
    'POST /laas/partner/webhook-endpoints/e%2F1/rotate-secret',
    {},
  ],
  [
    'partner.removeWebhookEndpoint',
    (c) => c.partner.removeWebhookEndpoint('E1'),
    'DELETE /laas/partner/webhook-endpoints/E1',
  ],
  ['partner.revokeApiKey', (c) => c.partner.revokeApiKey('key2'), 'POST /laas/partner/keys/key2/revoke', {}],
  ['sandbox.pay', (c) => c.sandbox.pay('T1'), 'POST /v1/laas/sandbox/transactions/T1/pay', {}],
  [
    'sandbox.pay with options',
    (c) => c.sandbox.pay('T1', { amountBrl: 1, payerCpf: '111.444.777-35', times: 2 }),
    'POST /v1/laas/sandbox/transactions/T1/pay',
    { amountBrl: 1, payerCpf: '111.444.777-35', times: 2 },
  ],
  [
    'sandbox.liveness',
    (c) => c.sandbox.liveness('T1', { outcome: 'PASSED' }),
    'POST /v1/laas/sandbox/transactions/T1/liveness',
    { outcome: 'PASSED' },
  ],
  ['sandbox.webhooks', (c) => c.sandbox.webhooks(), 'GET /v1/laas/sandbox/webhooks'],
  [
    'sandbox.partnerKycToken',
    (c) => c.sandbox.partnerKycToken({ cpf: person.cpf }),
    'POST /v1/laas/sandbox/partner-kyc-token',
    { cpf: person.cpf },
  ],
  [
    'sandbox.trigger for a purchase',
    (c) => c.sandbox.trigger('MED', { transactionId: 'T1' }),
    'POST /v1/laas/sandbox/trigger',
    { event: 'MED', transactionId: 'T1' },
  ],
  [
    'sandbox.trigger for a client',
    (c) => c.sandbox.trigger('LOW_LIQUIDITY', { cpf: person.cpf }),
    'POST /v1/laas/sandbox/trigger',
    { event: 'LOW_LIQUIDITY', cpf: person.cpf },
  ],
  ['sandbox.reset', (c) => c.sandbox.reset(), 'POST /v1/laas/sandbox/reset', {}],
  ['sandbox.scenarios', (c) => c.sandbox.scenarios(), 'GET /v1/laas/sandbox/scenarios'],
];

describe('each call', () => {
  // Spec, Confirm MFA: "passes transactionId and totpCode"
  it.each(calls)('%s sends the key, the body and an idempotency key', async (_name, call, route, body) => {
    const stub = await startStub(ok({ any: 'data' }));

    const result = await call(clientOf(stub.url, { randomId: () => 'id-1' }).client);

    expect(result).toEqual({ any: 'data' });
    expect(stub.seen).toHaveLength(1);
    const [{ method, path, headers, body: sent }] = stub.seen as [(typeof stub.seen)[0]];
    expect(`${method} ${path}`).toBe(route);
    expect(sent === '' ? undefined : JSON.parse(sent)).toEqual(body);
    expect(headers['x-service-api-key']).toBe(apiKey);
    expect(headers['content-type']).toBe(body && 'application/json');
    expect(headers['idempotency-key']).toBe(method === 'GET' ? undefined : 'id-1');
  });

  it('keeps the path prefix of the base URL, with or without a slash at its end', async () => {
    const stub = await startStub(ok({}));

    await clientOf(`${stub.url}/stage`).client.getKycStatus('k');
    await clientOf(`${stub.url}/stage/`).client.getKycStatus('k');

    expect(stub.seen.map(({ path }) => path)).toEqual(Array(2).fill('/stage/v1/laas/clients/k'));
  });

  it('calls fetch without a receiver, as browsers require', async () => {
    let self: unknown = 'not called';
    async function fetch(this: unknown) {
      self = this;
      return Response.json({ success: true, data: {} });
    }

    await createOnrampClient({ apiKey, baseUrl: 'https://service.test', fetch }).getKycStatus('k');

    expect(self).toBeUndefined();
  });
});

describe('idempotency', () => {
  it('makes another UUID for every call', async () => {
    const stub = await startStub(ok({}));
    const { client } = clientOf(stub.url);

    await client.initiateTransaction(purchase);
    await client.initiateTransaction(purchase);

    const keys = stub.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('sends the caller’s key if there is one', async () => {
    const keys = ['order-42', 'order 42', '~', 'k'.repeat(255)];
    const stub = await startStub(ok({}));
    const { client } = clientOf(stub.url);

    for (const idempotencyKey of keys) await client.submitKyc(person, { idempotencyKey });

    expect(stub.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(keys);
  });
});

describe('metaOf', () => {
  it('gives the request id and the rate limit of a result', async () => {
    const headers = {
      'RateLimit-Limit': '100',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '17',
      'X-Request-Id': 'r-1',
      'Idempotent-Replayed': 'true',
    };
    const stub = await startStub(ok({}, headers));

    const result = await clientOf(stub.url).client.submitKyc(person);

    const rateLimit = { limit: 100, remaining: 0, resetSeconds: 17 };
    expect(metaOf(result)).toEqual({ status: 200, requestId: 'r-1', rateLimit, replayed: true });
  });

  it('uses API Gateway’s request id and has no rate limit when the headers are absent', async () => {
    const stub = await startStub(ok({}, { 'x-amzn-RequestId': 'aws-1' }));

    const result = await clientOf(stub.url).client.submitKyc(person);

    expect(metaOf(result)).toEqual({
      status: 200,
      requestId: 'aws-1',
      rateLimit: undefined,
      replayed: false,
    });
    expect(metaOf({})).toBeUndefined();
  });
});

describe('a client with wrong arguments', () => {
  it.each(['', 's k', 'sk\n', 'sk_é'])('refuses the key %j without repeating it', (key) => {
    const create = () => createOnrampClient({ apiKey: key, baseUrl: 'https://service.test' });

    expect(create).toThrow(
      new TypeError('apiKey must be 1 to 255 printable ASCII characters without spaces'),
    );
  });

  it.each(['', 'service.test', 'ftp://service.test', 'https://service.test?x=1', 'https://service.test#x'])(
    'refuses the base URL %j',
    (baseUrl) => {
      expect(() => createOnrampClient({ apiKey, baseUrl })).toThrow(TypeError);
    },
  );

  it.each([
    ['https://service.test/v1', '/v1'],
    ['https://service.test/v1/', '/v1'],
    ['https://service.test/V1', '/V1'],
    ['https://service.test/v1/laas', '/v1/laas'],
    ['https://service.test/v1/laas//', '/v1/laas'],
    ['https://service.test/laas/partner', '/laas/partner'],
    ['https://proxy.test/onramp/v1', '/v1'],
  ])('refuses the base URL %j, and names its superfluous part', (baseUrl, added) => {
    expect(() => createOnrampClient({ apiKey, baseUrl })).toThrow(
      new TypeError(`baseUrl must end before ${added}, which this library adds itself`),
    );
  });

  it.each(['', '/', '//', '/onramp', '/onramp/', '/apiv1', '/laas'])(
    'accepts a base URL that ends in %j, with or without slashes',
    async (end) => {
      const called: string[] = [];
      const fetch = async (url: string) => {
        called.push(url);
        return Response.json({ success: true, data: {} });
      };

      const { getKycStatus } = createOnrampClient({ apiKey, baseUrl: `https://v1${end}`, fetch });
      await getKycStatus('k');

      expect(called).toEqual([`https://v1${end.replace(/\/+$/, '')}/v1/laas/clients/k`]);
    },
  );

  it('refuses a missing key, which JavaScript allows', () => {
    const apiKey = undefined as unknown as string;

    expect(() => createOnrampClient({ apiKey, baseUrl: 'https://service.test' })).toThrow(TypeError);
  });

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: 2 ** 31 },
    { timeoutMs: 0.5 },
    { maxRetries: -1 },
    { maxRetries: Number.NaN },
    { maxRetries: Number.POSITIVE_INFINITY },
  ])('refuses %o, which would end every call or none', (options) => {
    expect(() => createOnrampClient({ apiKey, baseUrl: 'https://service.test', ...options })).toThrow(
      TypeError,
    );
  });

  it('refuses a value that is not JSON, and not as a failure of the network', async () => {
    const stub = await startStub(ok({}));
    const amountBrl = 250n as unknown as number;

    const call = clientOf(stub.url).client.initiateTransaction({ ...purchase, amountBrl });

    await expect(call).rejects.toThrow(TypeError);
    expect(stub.seen).toEqual([]);
  });

  it.each(['', '.', '..', undefined as unknown as string])(
    'refuses the id %j, which would make another path',
    async (id) => {
      const stub = await startStub(ok({}));
      const { client } = clientOf(stub.url);

      await expect(client.getKycStatus(id)).rejects.toThrow(TypeError);
      await expect(client.getTransactionStatus(id)).rejects.toThrow(TypeError);
      await expect(client.waitForStatus(id, ['COMPLETED'])).rejects.toThrow(TypeError);
      await expect(client.sandbox.pay(id)).rejects.toThrow(TypeError);
      await expect(client.partner.removeWebhookEndpoint(id)).rejects.toThrow(TypeError);
      expect(stub.seen).toEqual([]);
    },
  );

  it.each(['a\r\nb', 'a\tb', 'é', '', '  ', 'k'.repeat(256)])(
    'refuses the idempotency key %j',
    async (idempotencyKey) => {
      const stub = await startStub(ok({}));

      const call = clientOf(stub.url).client.submitKyc(person, { idempotencyKey });

      await expect(call).rejects.toThrow(TypeError);
      expect(stub.seen).toEqual([]);
    },
  );
});
