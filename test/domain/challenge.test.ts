import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Client, isLocked, isReplay } from '../../functions/domain/kyc/client.ts';
import { LIVENESS_LINK_MINUTES } from '../../functions/domain/kyc/identity.ts';
import { RISK_TIERS } from '../../functions/domain/kyc/kyc.ts';
import {
  CLIENT_LOCK_MINUTES,
  CLIENT_WRONG_CODES,
  challengeFor,
  INSTRUCTIONS,
  MFA_ATTEMPTS,
  TOTP,
} from '../../functions/domain/purchase/challenge.ts';

const client: Client = {
  id: 'c1',
  partnerId: 'demo',
  cpfCipher: 'cipher',
  totpCipher: 'cipher',
  wrongCodes: 0,
  createdAt: 0,
};

describe('the challenge', () => {
  // Spec, Authentication: "TOTP for STANDARD, liveness verification for HIGH and PEP"
  // Spec, Auth challenge: "MFA_TOTP or LIVENESS"
  it.each([
    ['STANDARD', 'MFA_TOTP'],
    ['HIGH', 'LIVENESS'],
    ['PEP', 'LIVENESS'],
  ] as const)('is for tier %s of type %s', (tier, type) => {
    expect(challengeFor(tier)).toEqual({ type });
  });

  // Spec, Auth challenge: "Human-readable text"
  // docs/decisions.md, "Fields of the answers"
  it.each([
    ['MFA_TOTP', /6-digit TOTP code/],
    ['LIVENESS', /face/],
  ] as const)('%s has an instruction in plain words for the user', (type, word) => {
    expect(INSTRUCTIONS[type]).toMatch(word);
    expect(INSTRUCTIONS[type]).toMatch(/^[A-Z][^.]*\byour\b[^.]*\.$/);
    expect(INSTRUCTIONS[type]).not.toMatch(/the user|[a-z][A-Z]/);
  });

  // Spec, Limits: "Liveness URL validity: 10 minutes"
  it('has a liveness link for the 10 minutes of the specification', () => {
    expect(LIVENESS_LINK_MINUTES).toBe(10);
  });

  it('is LIVENESS in every tier after a reset of the secret, until the client has shown their face', () => {
    const tiers = RISK_TIERS.map((tier) => challengeFor(tier, { ...client, mustProve: 1 }).type);

    expect(new Set(tiers)).toEqual(new Set(['LIVENESS']));
    expect(challengeFor('STANDARD', client)).toEqual({ type: 'MFA_TOTP' });
  });

  it('has the designed limits', () => {
    expect(TOTP).toEqual({ digits: 6, stepSeconds: 30, windowSteps: 1 });
    expect([MFA_ATTEMPTS, CLIENT_WRONG_CODES, CLIENT_LOCK_MINUTES]).toEqual([5, 10, 15]);
  });
});

describe('isReplay', () => {
  const used: Client = { ...client, lastStep: 100, lastTransactionId: 'T1' };

  it.each([
    ['a first code', client, 100, 'T1', false],
    ['a first code of step 0', client, 0, 'T1', false],
    ['a newer code for the same transaction', used, 101, 'T1', false],
    ['a newer code for another', used, 101, 'T2', false],
    ['the same code for the same transaction', used, 100, 'T1', false],
    ['the same code for another', used, 100, 'T2', true],
    ['an older code for the same transaction', used, 99, 'T1', true],
    ['an older code for another', used, 99, 'T2', true],
    ['the code of step 0 for another', { ...used, lastStep: 0 }, 0, 'T2', true],
    ['the same code where no transaction is noted', { ...client, lastStep: 100 }, 100, 'T1', true],
  ])('judges %s', (_what, holder, step, transactionId, expected) => {
    expect(isReplay(holder, step, transactionId)).toBe(expected);
  });

  it('lets one code clear only one transaction, in any order of codes', () => {
    const tries = fc.array(fc.tuple(fc.nat(5), fc.constantFrom('T1', 'T2', 'T3')), { maxLength: 30 });
    fc.assert(
      fc.property(tries, (codes) => {
        const clearedBy = new Map<number, string>();
        let holder: Client = client;
        for (const [step, id] of codes) {
          if (isReplay(holder, step, id)) continue;
          expect(clearedBy.get(step) ?? id).toBe(id);
          clearedBy.set(step, id);
          holder = { ...holder, lastStep: step, lastTransactionId: id };
        }
      }),
    );
  });
});

describe('isLocked', () => {
  it.each([
    [undefined, 0, false],
    [1000, 999, true],
    [1000, 1000, false],
    [1000, 1001, false],
    [0, 0, false],
  ])('locks a client until %s, at the time %d: %s', (lockedUntil, now, expected) => {
    expect(isLocked({ ...client, lockedUntil }, now)).toBe(expected);
  });
});
