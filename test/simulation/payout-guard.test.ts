import { describe, expect, it } from 'vitest';
import { openPayoutGuard } from './payout-guard.ts';
import { MINUTE_MS } from './times.ts';
import type { Violation } from './violation.ts';

function openGuard() {
  const seen: Violation[] = [];
  const clock = { now: 0 };
  const guard = openPayoutGuard({
    now: () => clock.now,
    ceilingOf: () => 10n,
    report: (violation) => void seen.push(violation),
  });
  const pay = (transactionId: string, units: string, asset = 'USDC') =>
    guard.onNonce({ transactionId, asset, units }, 'p1');
  return { seen, clock, pay };
}

describe('a nonce', () => {
  it('breaks the invariant where payments of one asset got more than the ceiling within an hour', () => {
    const { seen, pay } = openGuard();
    pay('one', '10');
    pay('two', '10', 'USDT');
    expect(seen).toEqual([]);

    pay('three', '1');

    expect(seen).toMatchObject([{ invariant: 10, scope: 'p1' }]);
    expect(seen[0]!.says).toContain('11 units of USDC got nonces within an hour, and 10 may');
  });

  it('keeps the invariant for a purchase that is tried again, and an hour later', () => {
    const { seen, clock, pay } = openGuard();
    pay('one', '6');
    pay('one', '6');
    pay('two', '4');
    clock.now += 60 * MINUTE_MS;
    pay('three', '10');

    expect(seen).toEqual([]);
  });
});
