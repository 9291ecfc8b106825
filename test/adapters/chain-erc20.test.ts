import { hexlify, Interface } from 'ethers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTransfer, encodeTransfer, isTransfer } from '../../functions/adapters/chain/erc20.ts';

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const FROM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TOKEN = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
const EVENT = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const word = (hex: string) => `0x${hex.replace('0x', '').toLowerCase().padStart(64, '0')}`;
const log = (units: bigint) => ({
  address: TOKEN.toLowerCase(),
  topics: [EVENT, word(FROM), word(TO)],
  data: word(units.toString(16)),
});
const wanted = { token: TOKEN, from: FROM, to: TO, units: 1_500_000n };

describe('a transfer', () => {
  it('is encoded as every token expects it', () => {
    expect(encodeTransfer(TO, 1_500_000n)).toBe(
      `0xa9059cbb${word(TO).slice(2)}${word((1_500_000).toString(16)).slice(2)}`,
    );
  });

  it('is encoded like by a general encoder', () => {
    const general = new Interface(['function transfer(address to, uint256 value)']);
    const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hexlify);
    fc.assert(
      fc.property(addresses, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (to, units) => {
        expect(encodeTransfer(to, units)).toBe(general.encodeFunctionData('transfer', [to, units]));
      }),
    );
    expect(() => encodeTransfer(TO.slice(0, -1), 1n)).toThrow('not an address');
    expect(() => encodeTransfer(TO, 2n ** 256n)).toThrow();
  });

  it('is read back from its log with any amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (units) => {
        expect(decodeTransfer(log(units))).toEqual({ token: TOKEN.toLowerCase(), from: FROM, to: TO, units });
      }),
    );
  });

  it('is right only with the right token, payer, receiver and amount', () => {
    expect(isTransfer(log(1_500_000n), wanted)).toBe(true);
    expect(isTransfer(log(1_499_999n), wanted)).toBe(false);
    expect(isTransfer(log(1_500_000n), { ...wanted, token: FROM })).toBe(false);
    expect(isTransfer(log(1_500_000n), { ...wanted, from: TO })).toBe(false);
    expect(isTransfer(log(1_500_000n), { ...wanted, to: FROM })).toBe(false);
  });

  it('is not another event, nor a log that is cut off', () => {
    const good = log(1n);

    expect(decodeTransfer({ ...good, topics: [word('1'), word(FROM), word(TO)] })).toBeUndefined();
    expect(decodeTransfer({ ...good, topics: [EVENT] })).toBeUndefined();
    expect(decodeTransfer({ ...good, topics: [] })).toBeUndefined();
    expect(decodeTransfer({ ...good, data: '0x' })).toBeUndefined();
  });
});
