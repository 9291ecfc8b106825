import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireWalletAddress } from '../../functions/domain/purchase/wallet-address.ts';

/** The test cases of EIP-55 in its order: all upper case, all lower case, normal. */
const EIP_55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];
const MIXED = EIP_55.slice(4);
const TOKEN = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

const refusal = expect.objectContaining({ code: 'INVALID_WALLET_ADDRESS' });
const accept = (text: string, never: readonly string[] = []) => requireWalletAddress(text, never);

describe('requireWalletAddress', () => {
  // Spec, Initiate a transaction: "EVM-compatible address with EIP-55 checksum"
  it.each(EIP_55)('accepts %s as it is written', (address) => {
    expect(accept(address)).toBe(address);
  });

  it.each(MIXED)('refuses %s in lower case, in upper case and with its case inverted', (address) => {
    const hex = address.slice(2);
    const turned = [...hex].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');

    for (const form of [hex.toLowerCase(), hex.toUpperCase(), turned]) {
      expect(() => accept(`0x${form}`)).toThrow(refusal);
    }
  });

  // Spec, Initiate a transaction: "EVM-compatible address with EIP-55 checksum"
  it('refuses every address with the case of one letter changed', () => {
    const letter = fc.tuple(fc.constantFrom(...EIP_55), fc.integer({ min: 2, max: 41 }));
    fc.assert(
      fc.property(letter, ([address, at]) => {
        const char = address[at]!;
        const changed = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase();
        fc.pre(changed !== char);
        const text = `${address.slice(0, at)}${changed}${address.slice(at + 1)}`;
        expect(() => accept(text)).toThrow(refusal);
      }),
    );
  });

  const valid = MIXED[0]!;
  it.each([
    '',
    '0x',
    valid.slice(2),
    `0X${valid.slice(2)}`,
    ` ${valid}`,
    `${valid} `,
    `${valid}\n`,
    `${valid}\u0000`,
    valid.slice(0, -1),
    `${valid}0`,
    `${valid.slice(0, -1)}g`,
    `0x${'0'.repeat(40)}`,
    'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS',
    'vitalik.eth',
    valid.replace('0x', '0\u0445'),
    `0x${'\uff11'.repeat(40)}`,
  ])('refuses the text %j', (text) => {
    expect(() => accept(text)).toThrow(refusal);
  });

  it.each([
    ['as written', TOKEN],
    ['in lower case', TOKEN.toLowerCase()],
    ['in upper case', TOKEN.toUpperCase()],
  ])('refuses an address where tokens would be lost, listed %s', (_how, listed) => {
    expect(() => accept(TOKEN, [valid, listed])).toThrow(refusal);
    expect(accept(TOKEN, [valid])).toBe(TOKEN);
  });

  it.each([
    ['FORM', valid.slice(2)],
    ['CHECKSUM', valid.toLowerCase()],
    ['ZERO', `0x${'0'.repeat(40)}`],
    ['RESERVED', TOKEN],
  ])('gives the reason %s for %s', (reason, text) => {
    expect(() => accept(text, [TOKEN])).toThrow(expect.objectContaining({ details: { reason } }));
  });

  it('answers a refusal and never another error, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(() => accept(`0x${text}`)).toThrow(refusal);
      }),
    );
  });
});
