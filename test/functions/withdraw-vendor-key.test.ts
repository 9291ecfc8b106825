import { describe, expect, test } from 'vitest';
import { withApproved } from '../../functions/domain/partners/vendor-key.ts';
import { ISSUER, vendorSigner, vendorWorld } from '../support/vendor-key-world.ts';

// docs/decisions.md, "Partner KYC tokens (Model 2)"
describe('200', () => {
  test('refuses the tokens of an active key, and its name for ever', async () => {
    const { former, propose, approve, withdraw, judge, list } = await vendorWorld();
    const next = await vendorSigner();
    await propose(next.jwk);
    await approve('k2');

    expect(await withdraw('k1')).toEqual({ kid: 'k1', status: 'WITHDRAWN' });

    expect([await judge(next), await judge(former)]).toEqual(['ACCEPTED', 'KYC_REJECTED']);
    expect((await list())[0]).toMatchObject({ kid: 'k1', status: 'WITHDRAWN' });
    expect(await withdraw('k1')).toEqual({ kid: 'k1', status: 'WITHDRAWN' });
    await expect(propose({ ...next.jwk, kid: 'k1' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('takes a proposal back, which no operator can approve after that', async () => {
    const { ports, propose, withdraw, list } = await vendorWorld();
    const { jwk } = await vendorSigner();
    await propose(jwk);
    const before = (await ports.partners.findPartner('demo'))!;

    await withdraw('k2');
    await propose(jwk);

    expect(await list()).toHaveLength(2);
    const after = (await ports.partners.findPartner('demo'))!;
    expect(withApproved(after, before.proposedKeys![0]!, ISSUER)).toBeUndefined();
  });
});

describe('404', () => {
  test('refuses to withdraw a key that is not there', async () => {
    const { withdraw } = await vendorWorld();

    await expect(withdraw('k9')).rejects.toMatchObject({ code: 'VENDOR_KEY_NOT_FOUND' });
  });
});
