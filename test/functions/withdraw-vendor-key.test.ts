import { describe, expect, test } from 'vitest';
import { getKycStatus } from '../../functions/api/get-kyc-status.ts';
import { handler as submission } from '../../functions/api/submit-kyc.ts';
import { withApproved } from '../../functions/domain/partners/vendor-key.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { aBuyer } from '../support/buyer.ts';
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

// docs/decisions.md, "Partner KYC tokens (Model 2)"
describe('the KYC tokens of a withdrawn key', () => {
  const notApproved = { code: 'KYC_NOT_APPROVED', details: { status: 'REJECTED' } };

  async function vouchedBuyer(world: Awaited<ReturnType<typeof vendorWorld>>, signer = world.former) {
    const partner = (await world.ports.partners.findPartner('demo'))!;
    const caller = { partner, ids: reservedIds({ at: 0, seed: '' }) };
    const { ports } = world;
    const buyer = await aBuyer(ports, { partner, vouch: (cpf) => signer.sign(world.claimsFor(cpf)) });
    const present = async () => ({ ...caller, partner: (await ports.partners.findPartner('demo'))! });
    const status = async () => getKycStatus({ kycToken: buyer.token }, await present(), ports);
    /** The answer to the repeated submission, whose first answer was stored. */
    const first = await status();
    const repeated = async () => submission.replay!(first, ports as never, (await present()).partner);
    return { ...buyer, status, repeated };
  }

  test('open no purchase, and the status says why', async () => {
    const world = await vendorWorld();
    const buyer = await vouchedBuyer(world);
    await buyer.initiate();

    await world.withdraw('k1');

    await expect(buyer.initiate()).rejects.toMatchObject(notApproved);
    expect(await buyer.repeated()).toMatchObject({ status: 'REJECTED', reason: 'PARTNER_TOKEN_INVALID' });
    expect(await buyer.status()).toMatchObject({ status: 'REJECTED', reason: 'PARTNER_TOKEN_INVALID' });
  });

  test('get no charge for a purchase that is open', async () => {
    const world = await vendorWorld();
    const buyer = await vouchedBuyer(world);
    const opened = await buyer.initiate();

    await world.withdraw('k1');

    await expect(buyer.confirm(opened)).rejects.toMatchObject(notApproved);
    expect(world.ports.pix.charges.size).toBe(0);
  });

  test('are not approved later', async () => {
    const world = await vendorWorld();
    world.ports.cpfRegistry.isDown = true;
    const buyer = await vouchedBuyer(world);
    await world.withdraw('k1');
    world.ports.cpfRegistry.isDown = false;
    world.ports.clock.advance(2 * MINUTE_MS);

    await reviewPendingKyc(world.ports);

    expect(await world.ports.kycRecords.findRecord(buyer.token)).toMatchObject({ status: 'PENDING' });
    expect(await buyer.status()).toMatchObject({ status: 'REJECTED' });
  });

  test('are told apart from those of the vendor’s other key', async () => {
    const world = await vendorWorld();
    const next = await vendorSigner();
    await world.propose(next.jwk);
    await world.approve('k2');
    const buyer = await vouchedBuyer(world, next);

    await world.withdraw('k1');

    expect(await buyer.status()).toMatchObject({ status: 'APPROVED' });
    expect(await buyer.initiate()).toMatchObject({ status: 'PENDING_AUTH' });
  });
});

describe('404', () => {
  test('refuses to withdraw a key that is not there', async () => {
    const { withdraw } = await vendorWorld();

    await expect(withdraw('k9')).rejects.toMatchObject({ code: 'VENDOR_KEY_NOT_FOUND' });
  });
});
