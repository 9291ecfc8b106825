import { expect } from 'vitest';
import { listVendorKeys } from '../../functions/api/partner/list-vendor-keys.ts';
import { proposeVendorKey } from '../../functions/api/partner/propose-vendor-key.ts';
import { withdrawVendorKey } from '../../functions/api/partner/withdraw-vendor-key.ts';
import type { VendorJwk } from '../../functions/domain/partners/partner-token.ts';
import { withApproved } from '../../functions/domain/partners/vendor-key.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { requirePartnerToken } from '../../functions/logic/kyc/partner-token.ts';
import { aPartner } from './builders.ts';
import { openPorts, START_AT } from './ports.ts';
import { memoryTables } from './tables.ts';
import { newSigner } from './token-signer.ts';

export const ISSUER = { issuer: 'https://vendor.example', audience: 'onramp' };
const ENDPOINT = { id: 'hook', url: 'https://partner.example/hook', secretCipher: 'c', createdAt: 0 };

/** A key of the vendor as a partner proposes it. */
export async function vendorSigner(alg = 'ES256', kid = 'k2') {
  const made = await newSigner(alg, kid);
  return { ...made, jwk: { ...made.jwk, alg } as VendorJwk };
}

/** A partner whose vendor has the key `k1`. */
export async function vendorWorld() {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const former = await vendorSigner('ES256', 'k1');
  const kycTokens = { ...ISSUER, jwks: { keys: [former.jwk] } };
  await ports.register.create(aPartner({ kycTokens, webhookEndpoints: [ENDPOINT] }));
  let requests = 0;
  const caller = async (request = `REQUEST${++requests}`) => ({
    partner: (await ports.partners.findPartner('demo'))!,
    keyId: 'manager',
    ids: { ...reservedIds({ at: 0, seed: '' }), request: () => request },
  });
  const propose = async (jwk: VendorJwk, request?: string) =>
    proposeVendorKey({ jwk: jwk as never }, await caller(request), ports);
  const withdraw = async (kid: string) => withdrawVendorKey({ kid }, await caller(), ports);
  const list = async () => (await listVendorKeys({}, await caller(), ports)).keys;
  /** Approves as the operators' command does. */
  async function approve(kid: string) {
    const { partner } = await caller();
    const proposed = partner.proposedKeys!.find(({ jwk }) => jwk.kid === kid)!;
    expect(await ports.partners.save(partner, withApproved(partner, proposed, ISSUER)!)).toBe(true);
  }
  function claimsFor(cpf: string) {
    const times = { iat: START_AT / 1000, exp: START_AT / 1000 + 600 };
    return { iss: ISSUER.issuer, aud: ISSUER.audience, sub: cpf, jti: `J${++requests}`, ...times };
  }
  /** Whether a KYC submission takes the vendor’s token, or the code of its refusal. */
  async function judge({ sign }: Pick<typeof former, 'sign'>) {
    const cpf = '52998224725';
    const vouched = { token: await sign(claimsFor(cpf)), cpf, request: {} };
    const { partner } = await caller();
    return requirePartnerToken(vouched, partner, ports).then(
      () => 'ACCEPTED',
      ({ code }: { code: string }) => code,
    );
  }
  return { tables, ports, former, propose, withdraw, list, approve, judge, claimsFor };
}
