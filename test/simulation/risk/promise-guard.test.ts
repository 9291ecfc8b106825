import { describe, expect, it } from 'vitest';
import { aLockedQuote, aTransaction } from '../../support/builders.ts';
import type { Violation } from '../violation.ts';
import { judgePromises, openPromiseGuard } from './promise-guard.ts';

const LIMITS = { clientBrl: 100, walletBrl: 200, partnerBrl: 300, assetBrl: 400 };

function openGuard() {
  const seen: Violation[] = [];
  const clock = { now: 0 };
  const report = (violation: Violation) => void seen.push(violation);
  const guard = openPromiseGuard({ now: () => clock.now, limits: LIMITS, report });
  const quote = (id: string, changes: Parameters<typeof aLockedQuote>[0] = {}) =>
    guard.onQuote(aLockedQuote({ id, amountCentavos: 100_00, expiresAt: 10, ...changes }), 'p1');
  const waiting = (id: string, changes: Parameters<typeof aTransaction>[0] = {}) =>
    aTransaction({
      id,
      clientId: id,
      walletAddress: id,
      amountCentavos: 100_00,
      status: 'AWAITING_MFA',
      ...changes,
    });
  const charge = (id: string, changes: Parameters<typeof aTransaction>[0] = {}) => {
    const before = waiting(id, changes);
    guard.onPurchase(before, aTransaction({ ...before, status: 'AWAITING_PIX' }), 'p1');
  };
  return { seen, clock, guard, quote, waiting, charge };
}

describe('the open promises', () => {
  it.each([
    ['client', 1, { clientId: 'c' }],
    ['wallet', 2, { walletAddress: 'w' }],
    ['partner', 3, { partnerId: 'p' }],
    ['asset', 4, {}],
  ] as const)('of one %s break the invariant with one more than its limit bears: %i', (scope, most, same) => {
    const { seen, charge } = openGuard();
    const own = (at: number) => ({ ...(scope === 'asset' && { partnerId: `p${at}` }), ...same });
    for (let at = 1; at <= most; at++) charge(`purchase-${at}`, own(at));
    expect(seen).toEqual([]);

    charge('purchase-0', own(0));

    expect(seen).toMatchObject([{ invariant: 13, says: expect.stringContaining(`of ${scope}`) }]);
  });

  it('are unused quotes, too, until they end', () => {
    const { seen, clock, quote } = openGuard();
    for (const id of ['one', 'two', 'three']) quote(id);
    clock.now = 10;
    quote('four', { expiresAt: 20 });
    expect(seen).toEqual([]);

    clock.now = 9;
    quote('five');

    expect(seen[0]).toMatchObject({ invariant: 13, says: expect.stringContaining('of partner demo') });
  });

  it('count a quote and its charge once, and a charge until it is paid', () => {
    const { seen, guard, quote, waiting, charge } = openGuard();
    for (const id of ['one', 'two']) quote(id);
    charge('purchase', { rateLock: { quoteId: 'one', until: 10 } });
    guard.onPurchase(
      waiting('purchase', { status: 'AWAITING_PIX' }),
      waiting('purchase', { status: 'EXPIRED' }),
      'p1',
    );

    charge('next');
    charge('last');

    expect(seen).toEqual([]);
  });
});

describe('the sums of promises at the end', () => {
  it('break the invariant unless they are zero', () => {
    const rows = [0, 1, -1].map((centavos, at) => ({ id: `SUM#client#${at}`, centavos }));

    expect(judgePromises([...rows, { id: 'quote_1' }])).toEqual([
      { invariant: 13, says: 'SUM#client#1 is 1 though no promise is open' },
      { invariant: 13, says: 'SUM#client#2 is -1 though no promise is open' },
    ]);
  });
});
