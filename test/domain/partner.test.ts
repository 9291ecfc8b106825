import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperatorsKey } from '../../functions/domain/partners/api-key.ts';
import {
  isPartnerId,
  type Partner,
  requireCaller,
  requireKeyParts,
  requireNotSuspended,
} from '../../functions/domain/partners/partner.ts';
import { NOW } from '../support/builders.ts';

const SECRET = '0000000000000000';
const refused = (code: string) => expect.objectContaining({ code });

describe('requireKeyParts', () => {
  it.each([
    [`sk_sandbox_demo_key1_${SECRET}`, 'sandbox', { partnerId: 'demo', keyId: 'key1' }],
    [`sk_sandbox_frozen_key1_${SECRET}`, 'sandbox', { partnerId: 'frozen', keyId: 'key1' }],
    [`sk_production_a_b_${'Az09'.repeat(16)}`, 'production', { partnerId: 'a', keyId: 'b' }],
    [`sk_sandbox_${'p'.repeat(32)}_${'k'.repeat(32)}_${SECRET}`, 'sandbox', {}],
  ])('reads %s as a key of stage %s', (key, stage, parts) => {
    expect(requireKeyParts(key, stage)).toMatchObject({ stage, ...parts });
  });

  it.each([
    '',
    'sk_sandbox_demo_key1_',
    'sk_sandbox_demo_key1',
    'sk_sandbox_demo_key1_short',
    `sk_sandbox_demo_key1_${'0'.repeat(65)}`,
    `sk_sandbox__key1_${SECRET}`,
    `sk_sandbox_demo__${SECRET}`,
    `sk_sandbox_${'p'.repeat(33)}_key1_${SECRET}`,
    `sk_sandbox_Demo_key1_${SECRET}`,
    `sk_sandbox_de-mo_key1_${SECRET}`,
    `sk_sandbox_demo_key1_${SECRET}_more`,
    `sk_production_demo_key1_${SECRET}`,
    `sk_staging_demo_key1_${SECRET}`,
    `pk_sandbox_demo_key1_${SECRET}`,
    `SK_SANDBOX_DEMO_KEY1_${SECRET}`,
    ` sk_sandbox_demo_key1_${SECRET}`,
    `sk_sandbox_demo_key1_${SECRET} `,
    `sk_sandbox_demo_key1_${SECRET}\n`,
    `sk_sandbox_demo_key1_${SECRET}\u0000`,
    `Bearer sk_sandbox_demo_key1_${SECRET}`,
    `sk_sandbox_demo#x_key1_${SECRET}`,
  ])('refuses the key %j in the sandbox as an unknown key', (key) => {
    expect(() => requireKeyParts(key, 'sandbox')).toThrow(refused('INVALID_API_KEY'));
  });

  it('refuses every key of the other stage', () => {
    expect(() => requireKeyParts(`sk_sandbox_demo_key1_${SECRET}`, 'production')).toThrow(
      refused('INVALID_API_KEY'),
    );
  });

  it('reads the parts that a key was made of', () => {
    const part = fc.stringMatching(/^[a-z0-9]{1,32}$/);
    const secret = fc.stringMatching(/^[A-Za-z0-9]{16,64}$/);
    const stages = fc.constantFrom('sandbox', 'production');
    fc.assert(
      fc.property(stages, part, part, secret, (stage, partnerId, keyId, tail) => {
        const parts = requireKeyParts(`sk_${stage}_${partnerId}_${keyId}_${tail}`, stage);
        expect(parts).toEqual({ stage, partnerId, keyId });
      }),
    );
  });

  it('answers a refusal and never another error, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => requireKeyParts(text, 'sandbox')).toThrow(refused('INVALID_API_KEY'));
      }),
    );
  });
});

describe('requireCaller', () => {
  const key: OperatorsKey = {
    partnerId: 'demo',
    keyId: 'key1',
    sha256: 'aa',
    scopes: ['read', 'write'],
    status: 'ACTIVE',
    createdAt: NOW,
  };
  const partner: Partner = {
    id: 'demo',
    name: 'Demo',
    status: 'ACTIVE',
    spreadBasisPoints: 150,
    webhookEndpoints: [],
    keyIds: ['key1'],
    createdAt: NOW,
    version: 1,
  };
  const isSame = (sha256: string) => sha256 === 'aa';
  const revoked: OperatorsKey = { ...key, status: 'REVOKED' };
  const suspended: Partner = { ...partner, status: 'SUSPENDED' };

  it('gives the partner of an active key', () => {
    expect(requireCaller({ key, partner }, isSame, NOW)).toEqual({ key, partner });
  });

  it('leaves the refusal of a suspended partner to the caller, who first notes whose key it is', () => {
    expect(requireCaller({ key, partner: suspended }, isSame, NOW).partner).toBe(suspended);
    expect(() => requireNotSuspended(suspended)).toThrow(refused('PARTNER_SUSPENDED'));
    expect(() => requireNotSuspended(partner)).not.toThrow();
  });

  it.each([
    ['an unknown key', {}, 'INVALID_API_KEY'],
    ['a key without partner', { key }, 'INVALID_API_KEY'],
    ['a partner without key', { partner }, 'INVALID_API_KEY'],
    ['a revoked key', { key: revoked, partner }, 'INVALID_API_KEY'],
    ['another secret', { key: { ...key, sha256: 'bb' }, partner }, 'INVALID_API_KEY'],
    [
      'a suspended partner, to who lacks its secret',
      { key: { ...key, sha256: 'bb' }, partner: suspended },
      'INVALID_API_KEY',
    ],
    ['a suspended partner, to a revoked key', { key: revoked, partner: suspended }, 'INVALID_API_KEY'],
  ])('refuses %s', (_what, found, code) => {
    expect(() => requireCaller(found, isSame, NOW)).toThrow(refused(code));
  });
});

describe('isPartnerId', () => {
  it.each([
    ['acme', true],
    ['a1', true],
    ['a'.repeat(32), true],
    ['a'.repeat(33), false],
    ['Acme', false],
    ['a_b', false],
    ['a#b', false],
    ['', false],
  ])('is for %j: %s', (text, isGood) => {
    expect(isPartnerId(text)).toBe(isGood);
  });
});
