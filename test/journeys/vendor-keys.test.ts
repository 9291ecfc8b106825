import { expect, test } from 'vitest';
import { createOnrampClient, type VendorJwk } from '../../client/onramp-client.ts';
import { signPartnerKycToken } from '../../client/partner-kyc-token.ts';
import { sandboxVendor } from '../../sandbox/partner-keys.ts';
import { operations } from '../support/operations.ts';
import { newKey } from '../support/partner-endpoints.ts';
import { SLOW_MS } from '../support/purchases.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventually, newPartner, randomCpf, sandbox } from '../support/sandbox.ts';

const { ops } = operations();

/** A new key of the vendor, and a token that it signs for a new client. */
async function vendorKey(keyId: string) {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  const { x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const jwk: VendorJwk = { kty: 'EC', crv: 'P-256', alg: 'ES256', kid: keyId, x, y };
  const { privateKey } = pair;
  const sign = (cpf: string) => signPartnerKycToken({ cpf, ...sandboxVendor, keyId, privateKey });
  return { jwk, sign };
}

// docs/decisions.md, "Partner KYC tokens (Model 2)"
test('a partner’s vendor changes its key without an outage, and only once an operator has approved', async () => {
  const receiver = await startReceiver();
  const { partnerId, client } = await newPartner({ webhookEndpoints: [] });
  await client.partner.addWebhookEndpoint({ url: receiver.url, eventTypes: ['kyc.approved'] });
  const apiKey = await newKey(partnerId, 'manager', ['read', 'manage']);
  const { partner } = createOnrampClient({ apiKey, baseUrl: sandbox().url });
  const next = await vendorKey('vendor-2');
  const cpfs = Array.from({ length: 5 }, randomCpf);
  const submit = async (cpf: string, partnerKycToken: string) => {
    const submitted = client.submitKyc({ cpf, partnerKycToken });
    return submitted.then(
      ({ status }) => status,
      ({ code }: { code: string }) => code,
    );
  };
  const byFormer = async (cpf: string) =>
    submit(cpf, (await client.sandbox.partnerKycToken({ cpf })).partnerKycToken);
  const byNext = async (cpf: string) => submit(cpf, await next.sign(cpf));

  const { thumbprint } = await partner.proposeVendorKey(next.jwk);

  expect(await byNext(cpfs[0]!)).toBe('KYC_REJECTED');
  const shown = await ops(['vendor-keys', 'list', partnerId]);
  expect(shown.out).toContain(thumbprint);
  const reason = ['--reason', 'compared by phone', '--yes'];
  const approved = await ops(['vendor-keys', 'approve', partnerId, 'vendor-2', ...reason]);
  expect(approved, approved.err).toMatchObject({ code: 0 });
  expect([await byNext(cpfs[1]!), await byFormer(cpfs[2]!)]).toEqual(['APPROVED', 'APPROVED']);
  await partner.withdrawVendorKey('sandbox-1');
  expect([await byNext(cpfs[3]!), await byFormer(cpfs[4]!)]).toEqual(['APPROVED', 'KYC_REJECTED']);
  const { keys } = await partner.vendorKeys();
  expect(keys.map(({ kid, status }) => `${kid} ${status}`)).toEqual([
    'sandbox-1 WITHDRAWN',
    'vendor-2 ACTIVE',
  ]);
  const told = () =>
    receiver.received
      .map(({ payload }) => JSON.parse(payload) as { type: string; data: { kid: string; status: string } })
      .filter(({ type }) => type === 'vendor_key.changed')
      .map(({ data }) => `${data.kid} ${data.status}`);
  await eventually(
    async () => new Set(told()),
    ({ size }) => size === 3,
    SLOW_MS,
  );
  expect(new Set(told())).toEqual(new Set(['vendor-2 PENDING', 'vendor-2 ACTIVE', 'sandbox-1 WITHDRAWN']));
});
