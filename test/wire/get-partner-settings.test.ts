import { describe, expect, test } from 'vitest';
import { call, expectRefusal } from '../support/partner-api.ts';
import { managed, PARTNER_PATH } from '../support/partner-endpoints.ts';

const SETTINGS_PATH = `${PARTNER_PATH}/settings`;

describe('200', () => {
  test('shows what a manage key has set', async () => {
    const { apiKey } = await managed();
    const body = { displayName: 'Acme', returnHosts: ['app.example.com'] };
    expect((await call('GET', SETTINGS_PATH, { apiKey })).data).toMatchObject({ returnHosts: [] });

    const changed = await call('POST', SETTINGS_PATH, { apiKey, body });

    expect(changed).toMatchObject({ status: 200, data: body });
    expect(await call('GET', SETTINGS_PATH, { apiKey })).toMatchObject({ status: 200, data: body });
  });
});

describe('403', () => {
  test('answers a read key that would change the settings', async () => {
    const { apiKey } = await managed(['read']);

    const answer = await call('POST', SETTINGS_PATH, { apiKey, body: { displayName: 'Acme' } });

    expectRefusal(answer, 'KEY_SCOPE_INSUFFICIENT', { needs: 'manage', has: ['read'] });
  });
});
