import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PartnersKey } from '../../functions/domain/partners/api-key.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { actWorld } from '../support/act-world.ts';
import { type Acts, type Asked, describeActs, type World } from '../support/acts-each.ts';
import { aPartner } from '../support/builders.ts';
import { newId } from '../support/ports.ts';
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
  async 'partners kyc-tokens, the first vendor'({ ports }) {
    await ports.register.create(aPartner());
    return registering(ports, await jwksOf('k1'));
  },
  async 'partners kyc-tokens, new keys of the vendor'({ ports }) {
    await ports.register.create(aPartner({ kycTokens: { ...ISSUER, jwks: await jwksOf('k1') } }));
    return registering(ports, await jwksOf('k1'));
  },
};

/** An act whose call names a file. The second person does not have the file. */
async function registering(ports: World['ports'], jwks: object): Promise<Asked> {
  const file = join(tmpdir(), `${newId()}.json`);
  await writeFile(file, JSON.stringify(jwks));
  const { id } = aPartner();
  const { kycTokens } = (await ports.partners.findPartner(id))!;
  const state = async () => (await ports.partners.findPartner(id))?.kycTokens ?? kycTokens;
  return { words: `partners kyc-tokens ${id}`, flags: { ...ISSUER, jwks: file }, state };
}

const jwksOf = async (kid: string) => ({ keys: [(await vendorSigner('ES256', kid)).jwk] });

describeActs(ACTS);

// docs/operations.md, "Two persons"
describe('the keys of a vendor', () => {
  async function proposed() {
    const world = actWorld();
    await world.ports.register.create(aPartner({ kycTokens: { ...ISSUER, jwks: await jwksOf('k1') } }));
    const { words, flags } = await registering(world.ports, await jwksOf('k2'));
    const said = await world.ops('ana', words, { role: 'operator', flags });
    return { ...world, act: said.split('\n')[0]!, path: String(flags!.jwks) };
  }

  test('are those of the proposal, whatever happens to the file, and have thumbprints before and after', async () => {
    const { ports, ops, act, path } = await proposed();
    await writeFile(path, JSON.stringify(await jwksOf('k3')));

    await ops('rui', `acts approve ${act}`, { role: 'operator' });

    const { kycTokens } = (await ports.partners.findPartner(aPartner().id))!;
    expect(kycTokens!.jwks.keys.map(({ kid }) => kid)).toEqual(['k2']);
    const { first } = (await ports.acts.findAct(act))!;
    expect(first.before?.keys).toEqual([expect.stringMatching(/^k1 [\w-]{43}$/)]);
    expect(first.after?.keys).toEqual([expect.stringMatching(/^k2 [\w-]{43}$/)]);
  });

  test('are not replaced by their author alone, nor after others have changed them', async () => {
    const { ports, ops, act, kindsOf } = await proposed();
    expect(await ops('ana', `acts approve ${act}`, { role: 'operator' })).toContain(
      'another person must approve',
    );

    const partner = (await ports.partners.findPartner(aPartner().id))!;
    await ports.partners.save(partner, { kycTokens: { ...ISSUER, jwks: await jwksOf('k4') } });
    expect(await ops('rui', `acts approve ${act}`, { role: 'operator' })).toContain('is stale');
    expect(await kindsOf(act)).toEqual(['PROPOSED', 'STALE']);
  });
});
