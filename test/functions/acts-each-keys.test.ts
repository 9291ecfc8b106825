import type { PartnersKey } from '../../functions/domain/partners/api-key.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { type Acts, describeActs, type World } from '../support/acts-each.ts';
import { aPartner } from '../support/builders.ts';
import { ISSUER, vendorSigner } from '../support/vendor-key-world.ts';

/** A partner that has proposed the key `k2` of its vendor. */
async function proposing({ ports }: World, changes: Partial<Partner> = {}) {
  const { jwk } = await vendorSigner();
  const proposed = { jwk, proposedAt: 1, by: 'manager', request: 'REQUEST1' };
  const { id } = aPartner();
  await ports.register.create(aPartner({ proposedKeys: [proposed], ...changes }));
  return { words: `vendor-keys approve ${id} k2`, state: () => ports.partners.findPartner(id) };
}

const ACTS: Acts = {
  async 'keys approve'({ ports }) {
    const { id: partnerId } = aPartner();
    await ports.register.create(aPartner());
    const partner = (await ports.partners.findPartner(partnerId))!;
    const made = { sha256: 'aa', scopes: ['read'], expiresAt: 9, maker: 'key1', waitMs: 1, witnesses: [] };
    const key = { partnerId, keyId: 'made', status: 'ACTIVE', createdAt: 1, made, heard: {} };
    await ports.register.createKey(partner, key as unknown as PartnersKey);
    return {
      words: `keys approve ${partnerId} made`,
      state: () => ports.partners.findKey(partnerId, 'made'),
    };
  },
  'vendor-keys approve, the first key': async (world) => ({ ...(await proposing(world)), flags: ISSUER }),
  async 'vendor-keys approve, a later key'(world) {
    const { jwk } = await vendorSigner('ES256', 'k1');
    return proposing(world, { kycTokens: { ...ISSUER, jwks: { keys: [jwk] } } });
  },
};

describeActs(ACTS);
