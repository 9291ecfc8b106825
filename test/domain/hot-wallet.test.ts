import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import {
  chooseWallet,
  NOTHING,
  type Payer,
  promisedOf,
  type Quarantine,
  troubleOf,
  withPayment,
} from '../../functions/domain/treasury/hot-wallet.ts';

const wallet = (address: string, next: number, latest = 0): Payer => ({
  address,
  next,
  latest,
  balance: 10n,
  promised: 0n,
});
const rich = (payer: Payer, balance: bigint, promised = 0n): Payer => ({ ...payer, balance, promised });
const THEFT: Quarantine = { reason: 'NONCE_USED_ELSEWHERE', at: 1, nonce: 0 };
const OPERATOR: Quarantine = { reason: 'OPERATOR', at: 1, by: 'ana', why: 'moved' };
const put = (address: string, next: number, quarantine: Quarantine = THEFT): Payer => ({
  ...wallet(address, next),
  quarantine,
});
const rule = { transactionId: '0A', units: 1n, maxInFlight: 4 };

describe('the choice of a treasury wallet', () => {
  test.each<[string, Payer[], object]>([
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

  test('takes equal wallets in turn by the purchase’s id, and the same wallet for the same purchase', () => {
    const equals = [wallet('a', 2), wallet('b', 2), wallet('c', 2)];
    const chosen = ['0A', '0B', '0C', '0A'].map((transactionId) =>
      chooseWallet(equals, { ...rule, transactionId }),
    );

    expect(new Set(chosen.slice(0, 3).map((each) => JSON.stringify(each))).size).toBe(3);
    expect(chosen[3]).toEqual(chosen[0]);
  });

  test('never exceeds the room of a wallet, and prefers the wallet with the most room', () => {
    const wallets = fc.array(fc.record({ next: fc.nat(30), latest: fc.nat(30) }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(wallets, fc.integer({ min: 1, max: 20 }), fc.string({ minLength: 1 }), (each, max, id) => {
        const all = each.map(({ next, latest }, index) => wallet(`w${index}`, next, latest));
        const choice = chooseWallet(all, { transactionId: id, units: 1n, maxInFlight: max });
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

describe('the amount promised of a wallet', () => {
  const [a, b] = [wallet('a', 1), wallet('b', 3)];
  const PROMISED = { wait: 'treasury balance is promised' };

  test.each<[string, Payer[], object]>([
    ['the one that can pay it besides', [rich(a, 9n, 5n), rich(b, 9n, 4n)], { wallet: 'b', nonce: 3 }],
    ['one that then has nothing left', [rich(a, 9n, 4n), rich(b, 9n, 4n)], { wallet: 'a', nonce: 1 }],
    ['none while none of them can', [rich(a, 9n, 5n), rich(b, 5n, 1n)], PROMISED],
    ['none while more is promised than is there', [rich(a, 9n, 30n)], PROMISED],
    [
      'none while the one that can is full',
      [rich(a, 9n, 5n), rich(wallet('c', 4), 9n)],
      { wait: 'wallet is busy' },
    ],
    ['none where only one in quarantine could', [rich(a, 9n, 5n), rich(put('b', 3), 9n)], PROMISED],
  ])('leaves a payment of five to %s', (_, wallets, choice) => {
    expect(chooseWallet(wallets, { ...rule, units: 5n })).toEqual(choice);
  });

  test('is the sum of the payments from the mark on, for each asset', () => {
    const payment = fc.record({
      asset: fc.constantFrom(...ASSET_NAMES),
      units: fc.bigInt(0n, 2n ** 70n),
    });
    const history = fc.array(payment, { maxLength: 20 });
    fc.assert(
      fc.property(history, fc.nat(20), (payments, at) => {
        const marked = Math.min(at, payments.length);
        const start = { next: 0, committed: NOTHING };
        const mark = {
          nonce: marked,
          committed: payments.slice(0, marked).reduce(withPayment, start).committed,
        };
        const account = { ...payments.reduce(withPayment, start), mark };

        expect(account.next).toBe(payments.length);
        for (const asset of ASSET_NAMES) {
          const onTheWay = payments.slice(marked).filter((each) => each.asset === asset);
          expect(promisedOf(account, asset)).toBe(onTheWay.reduce((sum, { units }) => sum + units, 0n));
        }
      }),
    );
  });
});

describe('an operator', () => {
  test.each([
    ['is called for a wallet in quarantine', put('a', 3), 'wallet is in quarantine'],
    ['is called for a wallet that is used elsewhere', wallet('a', 3, 4), 'wallet is used elsewhere'],
    ['is not called for what operators hold', put('a', 3, OPERATOR), undefined],
    ['is not called for a wallet that pays', wallet('a', 3, 3), undefined],
  ])('%s', (_, each, trouble) => {
    expect(troubleOf(each)).toBe(trouble);
  });
});
