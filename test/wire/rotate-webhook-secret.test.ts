import { describe, expect, test } from 'vitest';
import { WEBHOOK_SECRET } from '../../sandbox/seed.ts';
import { expectRefusal } from '../support/partner-api.ts';
import { addEndpoint, endpointsOf, rotateSecret } from '../support/partner-endpoints.ts';
import { newPartner, rowOf, webhookCipher } from '../support/sandbox.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
type Row = { webhookEndpoints: { secretCipher: string; formerSecret?: { cipher: string; until: number } }[] };

async function secretsOf(partnerId: string) {
  const row = (await rowOf('TablesPartners', `PARTNER#${partnerId}`)) as unknown as Row;
  const { secretCipher, formerSecret } = row.webhookEndpoints[0]!;
  const open = (cipher: string) => webhookCipher().decrypt(cipher, partnerId);
  return { secret: await open(secretCipher), former: formerSecret && (await open(formerSecret.cipher)) };
}

describe('200', () => {
  // docs/decisions.md, "Webhooks"
  test('shows a new secret, and the 24 hours for which the former secret signs', async () => {
    const { partnerId, apiKey } = await newPartner();
    const before = Date.now();

    const { status, data } = await rotateSecret(apiKey, 'receiver');

    expect(status).toBe(200);
    const { formerSecretUntil, ...shown } = data;
    expect(shown).toEqual({ id: 'receiver', secret: expect.stringMatching(/^whsec_/) });
    const until = Date.parse(String(formerSecretUntil));
    expect(until).toBeGreaterThanOrEqual(before + DAY_MS);
    expect(until).toBeLessThanOrEqual(Date.now() + DAY_MS);
    expect(await secretsOf(partnerId)).toEqual({ secret: data.secret, former: WEBHOOK_SECRET });
    expect(await endpointsOf(apiKey)).toMatchObject([{ id: 'receiver', formerSecretUntil }]);
  });

  test('rotates once for a request that comes twice', async () => {
    const { partnerId, apiKey } = await newPartner();
    const headers = { 'Idempotency-Key': 'rotate' };

    const first = await rotateSecret(apiKey, 'receiver', { headers });
    const second = await rotateSecret(apiKey, 'receiver', { headers });

    expect(second.data).toEqual(first.data);
    expect(await secretsOf(partnerId)).toEqual({ secret: first.data.secret, former: WEBHOOK_SECRET });
  });

  test('keeps the secret of the first rotation as the former one after a second', async () => {
    const { partnerId, apiKey } = await newPartner();

    const first = await rotateSecret(apiKey, 'receiver');
    const second = await rotateSecret(apiKey, 'receiver');

    expect(await secretsOf(partnerId)).toEqual({ secret: second.data.secret, former: first.data.secret });
  });
});

describe('401', () => {
  test('refuses a call without a key', async () => {
    expectRefusal(await rotateSecret('', 'receiver'), 'INVALID_API_KEY');
  });
});

describe('404', () => {
  test('answers for an endpoint that does not exist, or is another partner’s', async () => {
    const [{ apiKey }, other] = [await newPartner(), await newPartner()];
    const { data } = await addEndpoint(other.apiKey, 'https://partner.example/');

    for (const id of ['unknown', String(data.id)]) {
      expectRefusal(await rotateSecret(apiKey, id), 'WEBHOOK_ENDPOINT_NOT_FOUND', {});
    }
  });
});
