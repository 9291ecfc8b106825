import { describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/partner-api.ts';
import { editEndpoint, endpointsOf, managed } from '../support/partner-endpoints.ts';

const URL_ = 'https://partner.example/moved';

describe('200', () => {
  test('changes the named fields, and leaves the others', async () => {
    const { apiKey } = await managed();
    const [before] = await endpointsOf(apiKey);

    const moved = await editEndpoint(apiKey, 'receiver', { url: URL_, description: 'The ledger' });
    const filtered = await editEndpoint(apiKey, 'receiver', { eventTypes: ['kyc.approved'], enabled: false });

    expect(moved).toMatchObject({ status: 200, data: { ...before, url: URL_, description: 'The ledger' } });
    expect(filtered.data).toEqual({
      ...moved.data,
      eventTypes: ['kyc.approved'],
      status: 'DISABLED',
      stoppedAt: expect.any(String),
    });
    expect(await endpointsOf(apiKey)).toEqual([filtered.data]);
  });

  test('empties the filter and the description', async () => {
    const { apiKey } = await managed();
    const [before] = await endpointsOf(apiKey);
    await editEndpoint(apiKey, 'receiver', { eventTypes: ['kyc.approved'], description: 'The ledger' });

    const { data } = await editEndpoint(apiKey, 'receiver', { eventTypes: [], description: '' });

    expect(data).toEqual(before);
  });

  test('keeps each of several edits at once', async () => {
    const { apiKey } = await managed();

    const edits = [{ url: URL_ }, { description: 'The ledger' }, { eventTypes: ['kyc.approved'] }];
    await Promise.all(edits.map((edit) => editEndpoint(apiKey, 'receiver', edit)));

    expect(await endpointsOf(apiKey)).toMatchObject([Object.assign({}, ...edits)]);
  });
});

describe('400', () => {
  test.each([
    'http://10.0.0.1/hook',
    'http://partner.example/hook',
    'https://10.0.0.1/hook',
    'https://0x0a000001/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/hook',
    'https://[::1]/hook',
    'https://[fd00::1]/hook',
    'https://user:password@partner.example/',
    'javascript:alert(1)',
    '',
  ])('refuses the address %j, and changes nothing', async (url) => {
    const { apiKey } = await managed();
    const before = await endpointsOf(apiKey);

    const answer = await editEndpoint(apiKey, 'receiver', { url, description: 'moved' });

    const issues = [{ path: 'url', message: expect.stringContaining('an https address') }];
    expectRefusal(answer, 'INVALID_REQUEST', { issues });
    expect(await endpointsOf(apiKey)).toEqual(before);
  });

  test.each([
    ['url', null],
    ['url', `${URL_}/${'x'.repeat(2048)}`],
    ['enabled', 'true'],
    ['eventTypes', {}],
  ])('refuses the %s %j', async (field, value) => {
    const { apiKey } = await managed();

    const { error } = await editEndpoint(apiKey, 'receiver', { [field]: value });

    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { issues: [{ path: field }] } });
  });
});

describe('401', () => {
  test('refuses a call without a key', async () => {
    expectRefusal(await editEndpoint('', 'receiver', {}), 'INVALID_API_KEY');
  });
});

describe('403', () => {
  // docs/decisions.md, "API keys"
  test('refuses a key without manage', async () => {
    const { apiKey } = await managed(['read', 'write']);

    expectRefusal(await editEndpoint(apiKey, 'receiver', { url: URL_ }), 'KEY_SCOPE_INSUFFICIENT');
  });
});

describe('404', () => {
  test('answers for an endpoint that does not exist', async () => {
    const { apiKey } = await managed();

    expectRefusal(await editEndpoint(apiKey, 'unknown', { url: URL_ }), 'WEBHOOK_ENDPOINT_NOT_FOUND', {});
  });
});
