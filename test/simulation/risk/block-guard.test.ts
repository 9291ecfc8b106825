import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../functions/domain/errors.ts';
import { aTransaction } from '../../support/builders.ts';
import { MINUTE_MS } from '../times.ts';
import type { Violation } from '../violation.ts';
import { openBlockGuard } from './block-guard.ts';

const purchase = aTransaction({ id: 'one', personId: 'person', clientId: 'client', status: 'AWAITING_MFA' });

function openGuard() {
  const seen: Violation[] = [];
  const clock = { now: 0 };
  const report = (violation: Violation) => void seen.push(violation);
  const guard = openBlockGuard({ now: () => clock.now, purchaseOf: () => purchase, report });
  const actions = {
    opened: () => guard.onPurchase(undefined, purchase, 'p1'),
    charged: () => guard.onPurchase(purchase, aTransaction({ ...purchase, status: 'AWAITING_PIX' }), 'p1'),
    paid: () => guard.onNonce('one', 'p1'),
  };
  return { seen, clock, guard, actions };
}

describe('a blocked person', () => {
  it.each(['opened', 'charged', 'paid'] as const)('breaks the invariant where a purchase is %s', (action) => {
    const { seen, clock, guard, actions } = openGuard();
    guard.onBlock('person', 'persons blocked');
    actions[action]();
    expect(seen).toEqual([]);

    clock.now = 3 * MINUTE_MS;
    actions[action]();

    expect(seen).toMatchObject([{ invariant: 15, scope: 'p1' }]);
  });
});

describe('a client whose payment was taken back', () => {
  it('gets no charge, but the tokens of what was paid', () => {
    const { seen, clock, guard, actions } = openGuard();
    guard.onBlock('client', 'clients blocked');
    clock.now = 3 * MINUTE_MS;

    actions.paid();
    expect(seen).toEqual([]);
    actions.charged();

    expect(seen).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it('breaks the invariant where it tells what others did', () => {
    const { seen, guard } = openGuard();
    guard.onRefusal(new Refusal('PROMISES_EXHAUSTED', { scope: 'ASSET', retryAfterSeconds: 60 }), 'p1');
    guard.onRefusal(new Refusal('LIMIT_EXCEEDED', { remaining: 5 }), 'p1');
    expect(seen).toEqual([]);

    guard.onRefusal(new Refusal('CLIENT_BLOCKED', { reason: 'FRAUD' }), 'p1');

    expect(seen).toMatchObject([{ invariant: 15, says: 'CLIENT_BLOCKED tells reason' }]);
  });
});
