import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chooseWallet,
  type HotWallet,
  type Quarantine,
  troubleOf,
} from '../../functions/domain/hot-wallet.ts';

const wallet = (address: string, next: number, latest = 0): HotWallet => ({ address, next, latest });
const put = (address: string, next: number, reason: Quarantine['reason'] = 'NONCE_USED_ELSEWHERE') => ({
  ...wallet(address, next),
  quarantine: { reason, at: 1 },
});
const rule = { transactionId: '0A', maxInFlight: 4 };

describe('of the treasury’s wallets', () => {
  test.each<[string, HotWallet[], object]>([
    ['the one with the fewest on their way', [wallet('a', 3), wallet('b', 9, 7)], { wallet: 'b', nonce: 9 }],
    ['one that is not full', [wallet('a', 4), wallet('b', 3)], { wallet: 'b', nonce: 3 }],
    ['one that is not used elsewhere', [wallet('a', 4, 5), wallet('b', 3)], { wallet: 'b', nonce: 3 }],
    ['one that is not in quarantine', [put('a', 3), wallet('b', 3)], { wallet: 'b', nonce: 3 }],
    ['none where all are in quarantine', [put('a', 3), put('b', 3)], { hold: 'wallet is in quarantine' }],
    ['none while all are full', [wallet('a', 4), wallet('b', 9, 5)], { wait: 'wallet is busy' }],
    ['none while the only good one is full', [wallet('a', 4, 5), wallet('b', 4)], { wait: 'wallet is busy' }],
    ['none where all are used elsewhere', [wallet('a', 4, 5)], { hold: 'wallet is used elsewhere' }],
  ])('takes %s', (_, wallets, choice) => {
    expect(chooseWallet(wallets, rule)).toEqual(choice);
  });

  test('gives equals by turns of the purchases’ ids, always the same to the same purchase', () => {
    const equals = [wallet('a', 2), wallet('b', 2), wallet('c', 2)];
    const chosen = ['0A', '0B', '0C', '0A'].map((transactionId) =>
      chooseWallet(equals, { ...rule, transactionId }),
    );

    expect(new Set(chosen.slice(0, 3).map((each) => JSON.stringify(each))).size).toBe(3);
    expect(chosen[3]).toEqual(chosen[0]);
  });

  test('takes none beyond its room, and none that has less room than another', () => {
    const wallets = fc.array(fc.record({ next: fc.nat(30), latest: fc.nat(30) }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(wallets, fc.integer({ min: 1, max: 20 }), fc.string({ minLength: 1 }), (each, max, id) => {
        const all = each.map(({ next, latest }, index) => wallet(`w${index}`, next, latest));
        const choice = chooseWallet(all, { transactionId: id, maxInFlight: max });
        const flying = all
          .filter(({ next, latest }) => next >= latest)
          .map(({ next, latest }) => next - latest);
        if (!('wallet' in choice)) {
          expect(Math.min(...flying, Infinity)).toBeGreaterThanOrEqual(max);
          return;
        }
        const { next, latest } = all.find(({ address }) => address === choice.wallet)!;
        expect(choice.nonce).toBe(next);
        expect(next - latest).toBe(Math.min(...flying));
        expect(next - latest).toBeLessThan(max);
      }),
    );
  });
});

describe('an operator', () => {
  test.each([
    ['is called for a wallet in quarantine', put('a', 3), 'wallet is in quarantine'],
    ['is called for a wallet that is used elsewhere', wallet('a', 3, 4), 'wallet is used elsewhere'],
    ['is not called for what operators hold', put('a', 3, 'OPERATOR'), undefined],
    ['is not called for a wallet that pays', wallet('a', 3, 3), undefined],
  ])('%s', (_, each, trouble) => {
    expect(troubleOf(each)).toBe(trouble);
  });
});
