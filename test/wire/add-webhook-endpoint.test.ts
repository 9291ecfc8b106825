import { describe, expect, test } from 'vitest';
import { MOST_ENDPOINTS } from '../../functions/domain/partners/webhook-endpoint.ts';
import { SUSPENDED_API_KEY } from '../../sandbox/seed.ts';
import { expectRefusal } from '../support/partner-api.ts';
import { addEndpoint, endpointsOf } from '../support/partner-endpoints.ts';
import { newPartner, rowOf } from '../support/sandbox.ts';

const URL_ = 'https://partner.example/hook';

describe('200', () => {
  // docs/decisions.md, "Accounts of partners"
  test('shows the secret once, and stores it encrypted only', async () => {
    const { partnerId, apiKey } = await newPartner({ webhookEndpoints: [] });

    const { status, data } = await addEndpoint(apiKey, URL_);

    expect(status).toBe(200);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{16}$/),
      url: URL_,
      createdAt: expect.any(String),
      status: 'ENABLED',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(await endpointsOf(apiKey)).toMatchObject([{ id: data.id, url: URL_ }]);
    const row = JSON.stringify(await rowOf('TablesPartners', `PARTNER#${partnerId}`));
    expect(row).not.toContain(String(data.secret));
    expect(row).not.toContain(String(data.secret).slice('whsec_'.length));
  });

  test('adds a disabled endpoint with a description and a filter', async () => {
    const { apiKey } = await newPartner({ webhookEndpoints: [] });
    const words = { description: 'The ledger', eventTypes: ['transaction.completed'] };

    const { data } = await addEndpoint(apiKey, URL_, { fields: { enabled: false, ...words } });

    expect(data).toMatchObject({ ...words, status: 'DISABLED', stoppedAt: expect.any(String) });
    const { secret: _, ...shown } = data;
    expect(await endpointsOf(apiKey)).toEqual([shown]);
  });

  test('gives each endpoint its own secret', async () => {
    const { apiKey } = await newPartner({ webhookEndpoints: [] });

    const added = [await addEndpoint(apiKey, URL_), await addEndpoint(apiKey, URL_)];

    expect(new Set(added.map(({ data }) => data.secret)).size).toBe(2);
    expect(new Set(added.map(({ data }) => data.id)).size).toBe(2);
  });

  test('answers a repetition with the same secret, and adds nothing', async () => {
    const { apiKey } = await newPartner({ webhookEndpoints: [] });
    const headers = { 'Idempotency-Key': 'register' };

    const first = await addEndpoint(apiKey, URL_, { headers });
    const second = await addEndpoint(apiKey, URL_, { headers });

    expect(second.data).toEqual(first.data);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await endpointsOf(apiKey)).toHaveLength(1);
  });

  test('keeps all of several endpoints that are added at once', async () => {
    const { apiKey } = await newPartner({ webhookEndpoints: [] });
    const urls = ['a', 'b', 'c'].map((name) => `${URL_}/${name}`);

    const answers = await Promise.all(urls.map((url) => addEndpoint(apiKey, url)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await endpointsOf(apiKey)).map(({ url }) => url).sort()).toEqual(urls);
  });

  test('takes an address on the sandbox’s own machine', async () => {
    const { apiKey } = await newPartner();

    expect((await addEndpoint(apiKey, 'http://127.0.0.1:9/hook')).status).toBe(200);
  });
});

describe('400', () => {
  test.each([
    'http://10.0.0.1/hook',
    'http://partner.example/hook',
    'http://127.0.0.1.partner.example/hook',
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/hook',
    'https://user:password@partner.example/',
    'ftp://partner.example/',
    'partner.example',
    '',
  ])('refuses the address %j', async (url) => {
    const { apiKey } = await newPartner({ webhookEndpoints: [] });

    const issues = [{ path: 'url', message: expect.stringContaining('an https address') }];
    expectRefusal(await addEndpoint(apiKey, url), 'INVALID_REQUEST', { issues });
    expect(await endpointsOf(apiKey)).toEqual([]);
  });

  test.each([
    ['enabled', 'false'],
    ['description', 'x'.repeat(201)],
    ['description', '\ud800'],
    ['eventTypes.0', ['transaction.unknown']],
    ['eventTypes.0', ['webhook_endpoint.test']],
    ['eventTypes', 'kyc.approved'],
    ['eventTypes', Array.from({ length: 100 }, () => 'kyc.approved')],
  ])('refuses a wrong %s: %j', async (path, value) => {
    const { apiKey } = await newPartner({ webhookEndpoints: [] });
    const [field = ''] = path.split('.');

    const answer = await addEndpoint(apiKey, URL_, { fields: { [field]: value } });

    expectRefusal(answer, 'INVALID_REQUEST', { issues: [{ path, message: expect.any(String) }] });
    expect(await endpointsOf(apiKey)).toEqual([]);
  });

  test.each([undefined, 5, null, `https://partner.example/${'x'.repeat(2048)}`])(
    'refuses the url %s',
    async (url) => {
      const { apiKey } = await newPartner();

      const { error } = await addEndpoint(apiKey, url);

      expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { issues: [{ path: 'url' }] } });
    },
  );
});

describe('401', () => {
  test('refuses a call without a key', async () => {
    expectRefusal(await addEndpoint('', URL_), 'INVALID_API_KEY');
  });
});

describe('403', () => {
  test('refuses a suspended partner', async () => {
    expectRefusal(await addEndpoint(SUSPENDED_API_KEY, URL_), 'PARTNER_SUSPENDED');
  });
});

describe('409', () => {
  test('refuses the sixth endpoint, however many are requested at once', async () => {
    const { apiKey } = await newPartner();

    const answers = await Promise.all(Array.from({ length: 6 }, () => addEndpoint(apiKey, URL_)));

    // Six writes at once may be too many for one row. The calls whose write fails are told to come again.
    const refused = answers.filter(({ status }) => status === 409);
    for (const answer of refused)
      expectRefusal(answer, 'WEBHOOK_ENDPOINT_LIMIT', { maximum: MOST_ENDPOINTS });
    for (let full = false; !full; ) full = (await addEndpoint(apiKey, URL_)).status === 409;
    expect(await endpointsOf(apiKey)).toHaveLength(MOST_ENDPOINTS);
  });
});
