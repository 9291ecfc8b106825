import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  decideWallet,
  VENDOR_RISKS,
  type WalletFacts,
  type WalletSource,
} from '../../functions/domain/screening/wallet-risk.ts';

const index = { version: '2026-11-20T12:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' } as const;
const listed = { index };
const oracle = { address: '0xoracle', blockNumber: 42, isSanctioned: false };

const issuer = { asset: 'USDT', token: '0xtoken', blockNumber: 43, isBlocked: false } as const;

const facts = (changes: Partial<WalletFacts> = {}): WalletFacts => ({
  listed,
  oracle,
  unavailable: [],
  ...changes,
});
const vendor = (risk: (typeof VENDOR_RISKS)[number]) => ({ name: 'CHAINALYSIS', risk }) as const;

describe('decideWallet', () => {
  it('clears a wallet if no source objects', () => {
    const clear = { isClear: true, isSanctioned: false, isRisky: false, rules: [] };

    expect(decideWallet(facts())).toEqual(clear);
    expect(decideWallet(facts({ vendor: vendor('LOW') }))).toEqual(clear);
  });

  it('refuses a wallet that OFAC lists, and names the entry', () => {
    expect(decideWallet(facts({ listed: { index, entryId: '18503' } }))).toEqual({
      isClear: false,
      isSanctioned: true,
      isRisky: false,
      rules: ['listed by OFAC: 18503'],
    });
  });

  it('refuses a wallet that the oracle lists, and names the block', () => {
    expect(decideWallet(facts({ oracle: { ...oracle, isSanctioned: true } }))).toEqual({
      isClear: false,
      isSanctioned: true,
      isRisky: false,
      rules: ['listed by the oracle: block 42'],
    });
  });

  it.each([
    ['LOW', true],
    ['MEDIUM', true],
    ['HIGH', false],
    ['SEVERE', false],
  ] as const)('judges a wallet of risk %s as clear: %s', (risk, isClear) => {
    expect(decideWallet(facts({ vendor: vendor(risk) }))).toEqual({
      isClear,
      isSanctioned: false,
      isRisky: !isClear,
      rules: isClear ? [] : [`risk: CHAINALYSIS ${risk}`],
    });
  });

  // docs/compliance.md, "Effect of a hit"
  it('refuses a wallet that the asset’s issuer blocks, and names the asset and the block', () => {
    expect(decideWallet(facts({ issuer: { ...issuer, isBlocked: true } }))).toEqual({
      isClear: false,
      isSanctioned: false,
      isRisky: true,
      rules: ['blocked by the issuer: USDT, block 43'],
    });
    expect(decideWallet(facts({ issuer }))).toMatchObject({ isClear: true });
  });

  it('names every objection against a wallet', () => {
    const all = facts({
      listed: { index, entryId: '1' },
      oracle: { ...oracle, isSanctioned: true },
      issuer: { ...issuer, isBlocked: true },
      vendor: vendor('SEVERE'),
    });

    expect(decideWallet(all)).toEqual({
      isClear: false,
      isSanctioned: true,
      isRisky: true,
      rules: [
        ...['listed by OFAC: 1', 'listed by the oracle: block 42'],
        ...['blocked by the issuer: USDT, block 43', 'risk: CHAINALYSIS SEVERE'],
      ],
    });
  });

  it.each<[WalletSource, Partial<WalletFacts>]>([
    ['SANCTIONS_ORACLE', { oracle: undefined, listed: { index, entryId: '1' } }],
    ['OFAC_LIST', { listed: undefined, oracle: { ...oracle, isSanctioned: true } }],
    ['WALLET_VENDOR', { oracle: { ...oracle, isSanctioned: true } }],
    ['TOKEN_ISSUER', { oracle: { ...oracle, isSanctioned: true } }],
  ])('refuses a listed wallet while the source %s is silent', (source, found) => {
    expect(decideWallet(facts({ ...found, unavailable: [source] }))).toMatchObject({
      isClear: false,
      isSanctioned: true,
    });
  });

  it.each<[string, Partial<WalletFacts>]>([
    ['a risk', { vendor: vendor('SEVERE') }],
    ['the issuer', { issuer: { ...issuer, isBlocked: true } }],
  ])(
    'does not decide by %s alone while a source is silent, because a sanction may be unknown',
    (_, found) => {
      const silent = facts({ oracle: undefined, ...found, unavailable: ['SANCTIONS_ORACLE'] });

      expect(decideWallet(silent)).toBeUndefined();
    },
  );

  it('does not clear a wallet while the issuer is silent', () => {
    expect(decideWallet(facts({ unavailable: ['TOKEN_ISSUER'] }))).toBeUndefined();
  });
});

test('no wallet is clear until every source has answered', () => {
  const risk = fc.constantFrom(undefined, ...VENDOR_RISKS);
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), risk, fc.boolean(), (...drawn) => {
      const [hasListed, isListed, hasOracle, isSanctioned, judged, isVendorSilent] = drawn;
      const silent = [!hasListed && 'OFAC_LIST', !hasOracle && 'SANCTIONS_ORACLE'];
      const decision = decideWallet({
        listed: hasListed ? { index, ...(isListed && { entryId: '1' }) } : undefined,
        oracle: hasOracle ? { ...oracle, isSanctioned } : undefined,
        vendor: judged && !isVendorSilent ? vendor(judged) : undefined,
        unavailable: [...silent, isVendorSilent && 'WALLET_VENDOR'].filter(
          (each) => each !== false,
        ) as WalletSource[],
      });
      const isHit = (hasListed && isListed) || (hasOracle && isSanctioned);
      const isAnswered = hasListed && hasOracle && !isVendorSilent;
      const isRefusedByVendor = judged === 'HIGH' || judged === 'SEVERE';
      expect(decision?.isClear).toBe(isHit ? false : isAnswered ? !isRefusedByVendor : undefined);
    }),
  );
});
