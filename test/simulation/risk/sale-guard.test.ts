import { describe, expect, it } from 'vitest';
import { perAsset } from '../../../functions/domain/assets.ts';
import { VENUES } from '../../../functions/domain/treasury/quorum.ts';
import { aLockedQuote, aTransaction, type TransactionChanges } from '../../support/builders.ts';
import { MINUTE_MS, START_AT } from '../times.ts';
import type { Violation } from '../violation.ts';
import type { Market } from './market.ts';
import { openSaleGuard } from './sale-guard.ts';

const END = START_AT + 10 * MINUTE_MS;
const QUOTE = { rate: '5.05000000', feeCentavos: 1, assetUnits: 49_504_951n };
const LOCKED = {
  id: 'quote_1',
  partnerId: 'demo',
  asset: 'USDC',
  amountCentavos: 250_00,
  expiresAt: END,
} as const;

/** Each exchange asks 5 for any amount, and the margin is 1 %. */
function openGuard() {
  const seen: Violation[] = [];
  const clock = { now: START_AT };
  const market = {
    levelOf: () => 5,
    lieOf: () => undefined,
    readings: [{ at: START_AT, scope: 'p1', sound: perAsset(() => VENUES) }],
  } as unknown as Market;
  const report = (violation: Violation) => void seen.push(violation);
  const guard = openSaleGuard({ now: () => clock.now, market, report });
  guard.onQuote(aLockedQuote({ ...LOCKED, quote: QUOTE }), 'p0');
  seen.length = 0;
  const rateLock = { quoteId: LOCKED.id, until: END };
  const purchase = (changes: TransactionChanges = {}) =>
    aTransaction({
      id: 'one',
      partnerId: 'demo',
      asset: 'USDC',
      amountCentavos: 250_00,
      quote: QUOTE,
      rateLock,
      ...changes,
    });
  const open = (changes: TransactionChanges = {}) =>
    guard.onPurchase(undefined, purchase({ status: 'AWAITING_MFA', ...changes }), 'p1');
  const charge = (changes: TransactionChanges = {}) => {
    const before = purchase({ status: 'AWAITING_MFA', ...changes });
    guard.onPurchase(before, aTransaction({ ...before, status: 'AWAITING_PIX' }), 'p1');
  };
  const said = () => seen.map(({ says }) => says).join();
  return { seen, clock, guard, purchase, open, charge, said };
}

describe('a quote', () => {
  it('is used by one purchase, for its terms and in time', () => {
    const { seen, open, charge, guard } = openGuard();
    guard.onTold({ ...LOCKED, quoteId: LOCKED.id, amountBrl: 250, assetAmount: '49.504951', expiresAt: '' });

    open();
    charge();

    expect(seen).toEqual([]);
  });

  it.each([
    ['of another partner', { partnerId: 'other' }],
    ['for other terms', { amountCentavos: 250_01 }],
    ['for other terms', { asset: 'USDT' }],
    ['at another price', { quote: { ...QUOTE, assetUnits: 1n } }],
    ['that is not there', { rateLock: { quoteId: 'quote_2', until: END } }],
  ] as const)('breaks the invariant where it is used %s', (says, changes) => {
    const { open, said } = openGuard();

    open(changes);

    expect(said()).toContain(says);
  });

  it('breaks the invariant where two purchases use it', () => {
    const { open, said } = openGuard();
    open();

    open({ id: 'two' });

    expect(said()).toContain('that one has used');
  });

  it('breaks the invariant where it is used or charged long after its end', () => {
    const { clock, open, charge, said } = openGuard();
    clock.now = END + 3 * MINUTE_MS;

    open();
    charge();

    expect(said()).toMatch(/after its end.*after the end of its quote/);
  });

  it('breaks the invariant where its charge is for other tokens than were shown', () => {
    const { charge, said, guard } = openGuard();
    guard.onTold({ ...LOCKED, quoteId: LOCKED.id, amountBrl: 250, assetAmount: '49.504952', expiresAt: '' });

    charge();

    expect(said()).toContain('49.504952 were shown');
  });
});

describe('a charge with a quote', () => {
  it.each([
    ['4.76000000', false],
    ['4.70000000', true],
  ])('breaks the invariant if it is over 5 percent below the market of 5: %s, %s', (rate, isBroken) => {
    const { charge, said } = openGuard();

    charge({ quote: { ...QUOTE, rate } });

    expect(said().includes('is due')).toBe(isBroken);
  });
});

describe('a charge without a quote', () => {
  it('breaks the invariant without a look at the market', () => {
    const { clock, charge, said } = openGuard();
    clock.now = START_AT + 3 * MINUTE_MS;

    charge({ rateLock: undefined });

    expect(said()).toContain('without a look at the market');
  });

  it('breaks the invariant at a price that nobody asked', () => {
    const { charge, said } = openGuard();

    charge({ rateLock: undefined, quote: { ...QUOTE, rate: '4.97000000' } });

    expect(said()).toContain('is due');
  });

  it('breaks the invariant with more tokens than its rate gives', () => {
    const { charge, said } = openGuard();

    charge({ rateLock: undefined, quote: { ...QUOTE, assetUnits: 50_000_000n } });

    expect(said()).toContain('centavos of tokens for 25000');
  });

  it('breaks the invariant where its tokens change later', () => {
    const { guard, purchase, said } = openGuard();
    const shown = purchase({ status: 'AWAITING_PIX' });

    guard.onPurchase(shown, { ...shown, quote: { ...QUOTE, assetUnits: 1n } }, 'p1');

    expect(said()).toContain('changed after its charge');
  });
});
