import { describe, expect, test } from 'vitest';
import { expectRefusal, submitKyc } from '../support/partner-api.ts';
import { addEndpoint, getPartner, newKey } from '../support/partner-endpoints.ts';
import { aSubmission } from '../support/requests.ts';
import { newPartner } from '../support/sandbox.ts';

const HOOK = 'https://partner.example/hook';

describe('a key with scopes', () => {
  // docs/decisions.md, "API keys"
  test('reads with read, buys with write and manages with manage alone', async () => {
    const { partnerId } = await newPartner({ webhookEndpoints: [] });
    const [reader, writer, manager] = [
      await newKey(partnerId, 'reader', ['read']),
      await newKey(partnerId, 'writer', ['write']),
      await newKey(partnerId, 'manager', ['manage']),
    ] as const;

    expect((await getPartner(reader)).status).toBe(200);
    expectRefusal(await submitKyc(reader, aSubmission()), 'KEY_SCOPE_INSUFFICIENT', {
      needs: 'write',
      has: ['read'],
    });
    expect((await submitKyc(writer, aSubmission())).status).toBe(200);
    expectRefusal(await getPartner(writer), 'KEY_SCOPE_INSUFFICIENT', { needs: 'read', has: ['write'] });
    expectRefusal(await addEndpoint(writer, HOOK), 'KEY_SCOPE_INSUFFICIENT', {
      needs: 'manage',
      has: ['write'],
    });
    expect((await addEndpoint(manager, HOOK)).status).toBe(200);
    const { data } = await getPartner(reader);
    expect(data.keys).toMatchObject([
      { id: 'key1', scopes: ['read', 'write', 'manage'] },
      { id: 'reader', scopes: ['read'] },
      { id: 'writer', scopes: ['write'] },
      { id: 'manager', scopes: ['manage'] },
    ]);
  });
});
