import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../../functions/domain/purchase/transaction.ts';
import { VENUES } from '../../../functions/domain/treasury/quorum.ts';
import { aLockedQuote, aTransaction } from '../../support/builders.ts';
import { HOUR_MS, MINUTE_MS, START_AT } from '../times.ts';
import type { Violation } from '../violation.ts';
import { openLossGuard } from './loss-guard.ts';
import type { Market } from './market.ts';

const LIMITS = { clientBrl: 100, walletBrl: 200, partnerBrl: 300, assetBrl: 400 };
const JUMP_AT = START_AT + 5 * MINUTE_MS;
/** A hundred BRL at 5 BRL a token. */
const PRICED = {
  asset: 'USDC',
  amountCentavos: 100_00,
  quote: { rate: '5.00000000', feeCentavos: 0, assetUnits: 20_000_000n },
} as const;
/** A small amount gets the first offer of each book. */
const FIRST_OFFER = 0.99;

/** Each exchange asks 5 BRL, and from the jump on `jump` times as much. Some of them lie. */
function openGuard({ jump = 1.12, jumpAt = JUMP_AT, liars = 0 } = {}) {
  const seen: Violation[] = [];
  const clock = { now: START_AT };
  const market = {
    levelOf: (_venue: unknown, _asset: unknown, at: number) => (at < jumpAt ? 5 : 5 * jump) / FIRST_OFFER,
    lieOf: (venue: (typeof VENUES)[number], _asset: unknown, at: number) =>
      VENUES.indexOf(venue) < liars && at > START_AT - HOUR_MS / 2
        ? { kind: 'FALSE', factor: 0.96 }
        : undefined,
    jumpTimes: [jumpAt],
  } as unknown as Market;
  const report = (violation: Violation) => void seen.push(violation);
  const guard = openLossGuard({ now: () => clock.now, market, limits: LIMITS, report });
  const quote = (id: string, minutes = 10) =>
    guard.onQuote(aLockedQuote({ ...PRICED, id, expiresAt: clock.now + minutes * MINUTE_MS }), 'p1');
  const charge = (id: string, changes: Partial<Transaction> = {}) => {
    const before = aTransaction({
      ...PRICED,
      id,
      clientId: id,
      walletAddress: id,
      partnerId: id,
      status: 'AWAITING_MFA',
      pix: { payload: '', expiresAt: clock.now + 30 * MINUTE_MS },
      ...changes,
    });
    const charged = aTransaction({ ...before, status: 'AWAITING_PIX' });
    guard.onPurchase(before, charged, 'p1');
    return charged;
  };
  const pass = (minutes: number) => {
    clock.now += minutes * MINUTE_MS;
    guard.onTime('p1');
  };
  const said = () => seen.map(({ invariant, says }) => `${invariant} ${says}`).join();
  return { seen, guard, quote, charge, pass, said };
}

const LOCKED = { rateLock: { quoteId: 'quote_1', until: START_AT + HOUR_MS } };

describe('a charge', () => {
  it('may cost what the market rises within its thirty minutes', () => {
    const { seen, guard, charge, pass } = openGuard();
    charge('one');

    pass(6);

    expect(seen).toEqual([]);
    expect(guard.counts['jumps with open promises']).toBe(1);
    // 12 of the 48 BRL that the limit of 400 BRL may cost.
    expect(guard.counts['largest loss, basis points of its bound']).toBeCloseTo(2_500, -2);
  });

  it('breaks the invariant where it can be paid for longer, and the market rises then', () => {
    const { charge, pass, said } = openGuard({ jumpAt: START_AT + 40 * MINUTE_MS });
    charge('one', { pix: { payload: '', expiresAt: START_AT + HOUR_MS } });

    pass(41);

    expect(said()).toMatch(/17 one alone costs 1200 centavos/);
  });

  it.each([
    ['with a locked price just within the move', 1.052, LOCKED, false],
    ['with a locked price beyond the move', 1.055, LOCKED, true],
    ['at a price below the market', 1.01, {}, true],
  ] as const)('%s breaks the invariant, or keeps it', (_, jump, changes, isBroken) => {
    const { charge, pass, said } = openGuard({ jump });
    // The price before the jump confirms no other by now.
    pass(15);

    charge('one', changes);

    expect(said()).toEqual(isBroken ? expect.stringContaining('one alone costs') : '');
  });

  it.each([
    [1, 1.04, true],
    [2, 1.04, false],
    [2, 1.06, true],
  ])('while %i exchanges lie may be at a price within the move: %f', (liars, off, isBroken) => {
    const { charge, said } = openGuard({ jump: 1, liars });

    charge('one', { quote: { ...PRICED.quote, assetUnits: BigInt(Math.round(20_000_000 * off)) } });

    expect(said() !== '').toBe(isBroken);
  });

  it('costs nothing more once it is paid', () => {
    const { guard, charge, pass } = openGuard();
    const charged = charge('one');
    guard.onPurchase(charged, aTransaction({ ...charged, status: 'PROCESSING' }), 'p1');

    pass(6);

    expect(guard.counts['jumps with open promises']).toBe(0);
  });
});

describe('the open promises', () => {
  it.each([
    ['client', 1, { clientId: 'c' }],
    ['wallet', 2, { walletAddress: 'w' }],
    ['partner', 3, { partnerId: 'p' }],
    ['asset', 4, {}],
  ] as const)('of one %s may cost what its limit costs in a jump, for %i promises', (scope, most, same) => {
    const { seen, charge, pass, said } = openGuard();
    for (let at = 1; at <= most; at++) charge(`purchase-${at}`, same);
    pass(1);
    charge('another', same);
    expect(seen).toEqual([]);

    pass(5);

    expect(said()).toContain(`the open promises of ${scope}`);
    expect(said()).not.toContain('alone');
  });

  it('are unused quotes, too, until they end, at the move that the charge allows', () => {
    const within = openGuard();
    for (const id of ['one', 'two', 'three']) within.quote(id);
    within.quote('four', 5);
    within.pass(6);
    expect(within.seen).toEqual([]);
    expect(within.guard.counts['largest loss, basis points of its bound']).toBeCloseTo(7_500, -3);

    const beyond = openGuard();
    for (const id of ['one', 'two', 'three', 'four']) beyond.quote(id);
    beyond.pass(6);
    expect(beyond.said()).toContain('the open promises of partner demo cost 2104 centavos');
  });
});
