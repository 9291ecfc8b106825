import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
import { fakeDataKeys } from '../support/fake-data-keys.ts';
import { openSeals } from '../support/seals.ts';
import { newAddress, newPayout } from '../support/settlement-world.ts';

const kms = fakeDataKeys();
const { seals, seal, forgers } = openSeals(kms);
const isAsSealed = (payout: Payout) => seals.isAsSealed(payout);

// docs/decisions.md, "A sealed payout"
describe('a payout is as it was sealed', () => {
  it('if both seals name its terms, also with the address in other letters', async () => {
    const payout = await seal(newPayout());

    expect(await isAsSealed(payout)).toBe(true);
    expect(await isAsSealed({ ...payout, to: payout.to.toUpperCase().replace('0X', '0x') })).toBe(true);
  });

  it('if its units are those that a quote has locked', async () => {
    const payout = newPayout();
    const changes = { destination: { lockedUnits: payout.units }, units: { isLocked: true } };

    expect(await isAsSealed(await seal(payout, changes))).toBe(true);
  });
});

// docs/decisions.md, "A sealed payout"
describe('a payout is not as it was sealed', () => {
  it.each<[string, Partial<Payout>]>([
    ['another wallet', { to: newAddress() }],
    ['more units', { units: 1_000_001n }],
    ['fewer units', { units: 999_999n }],
    ['another asset', { asset: 'USDT' }],
    ['no seal of its destination', { sealedDestination: undefined }],
    ['no seal of its units', { sealedUnits: undefined }],
    ['a destination that is no seal', { sealedDestination: '0x00' }],
    ['units that are no seal', { sealedUnits: 'v1.AAAA.AAAA.AAAA' }],
  ])('with %s', async (_, change) => {
    expect(await isAsSealed({ ...(await seal(newPayout())), ...change })).toBe(false);
  });

  it('with the seals of another purchase', async () => {
    const [small, large] = [await seal(newPayout()), await seal(newPayout('USDC', 9_000_000n))];
    const { to, units, sealedDestination, sealedUnits } = large;

    expect(await isAsSealed({ ...small, to, sealedDestination })).toBe(false);
    expect(await isAsSealed({ ...small, units, sealedUnits })).toBe(false);
  });

  it('with a seal that was made for the other purpose', async () => {
    const payout = await seal(newPayout());
    const { transactionId: id, asset, units, to: walletAddress } = payout;
    const order = { id, asset, amountCentavos: 250_00 };

    const sealedDestination = await forgers.destination.seal({ ...order, walletAddress });
    const sealedUnits = await forgers.units.seal({ ...order, units, isLocked: false });

    expect(await isAsSealed({ ...payout, sealedDestination })).toBe(false);
    expect(await isAsSealed({ ...payout, sealedUnits })).toBe(false);
  });

  it.each<[string, Parameters<typeof seal>[1]]>([
    ['a charge for another amount', { units: { amountCentavos: 1 } }],
    ['a charge of another asset', { units: { asset: 'USDT' } }],
    ['a destination of another asset', { destination: { asset: 'USDT' } }],
    ['a locked price that its opening did not lock', { units: { isLocked: true } }],
    ['other units than its opening locked', { destination: { lockedUnits: 1n }, units: { isLocked: true } }],
    ['a market price despite a locked one', { destination: { lockedUnits: 1_000_000n } }],
  ])('with %s', async (_, changes) => {
    expect(await isAsSealed(await seal(newPayout(), changes))).toBe(false);
  });

  it('on another chain', async () => {
    const payout = await seal(newPayout());

    expect(await openSeals(kms, { chainId: 137 }).seals.isAsSealed(payout)).toBe(false);
  });
});

describe('the seals of a payout', () => {
  it('are not judged while KMS does not answer', async () => {
    const payout = await seal(newPayout());
    const fresh = openSeals(kms);
    kms.failures = 1;

    await expect(fresh.seals.isAsSealed(payout)).rejects.toThrow(Unavailable);
    expect(await fresh.seals.isAsSealed(payout)).toBe(true);
  });
});
