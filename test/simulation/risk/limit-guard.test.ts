import { describe, expect, it } from 'vitest';
import { aClient, aTransaction } from '../../support/builders.ts';
import { limitsWith } from '../../support/charge-limits.ts';
import type { Violation } from '../violation.ts';
import { openLimitGuard } from './limit-guard.ts';

const CAPS = { purchaseBrl: 100, dailyBrl: 200, monthlyBrl: 300, yearlyBrl: 400, openCharges: 2 };
const EVERYWHERE = { dailyBrl: 500, monthlyBrl: 600, yearlyBrl: 700 };

function openGuard(limits?: Partial<typeof CAPS>) {
  const seen: Violation[] = [];
  const guard = openLimitGuard({
    limits: { ...limitsWith(CAPS), everywhere: EVERYWHERE },
    clientOf: (id) => (id === 'client' ? aClient({ id, limits }) : undefined),
    report: (violation) => void seen.push(violation),
  });
  return { seen, guard };
}

describe('a sum', () => {
  it.each([
    ['client#2090-01-02', 200_00],
    ['client#2090-01', 300_00],
    ['client#2090', 400_00],
    ['person#2090-01-02', 500_00],
    ['person#2090-01', 600_00],
    ['person#2090', 700_00],
  ])('breaks the invariant beyond its cap: %s, %i centavos', (id, most) => {
    const { seen, guard } = openGuard();
    guard.onUsage({ id, centavos: most }, 'p1');
    expect(seen).toEqual([]);

    guard.onUsage({ id, centavos: most + 1 }, 'p1');

    expect(seen).toMatchObject([{ invariant: 14, scope: 'p1' }]);
  });

  it('is bound by the caps of the client itself', () => {
    const { seen, guard } = openGuard({ dailyBrl: 50, openCharges: 1 });

    guard.onUsage({ id: 'client#2090-01-02', centavos: 50_01 }, 'p1');
    guard.onUsage({ id: 'client#OPEN', charges: 2 }, 'p1');

    expect(seen).toHaveLength(2);
  });
});

describe('a charge', () => {
  it('breaks the invariant beyond the caps of one purchase and of open ones, and without its claim', () => {
    const { seen, guard } = openGuard();
    const claim = { day: '2090-01-02', person: 'person' };
    const purchase = aTransaction({ clientId: 'client', amountCentavos: 100_00, claim });
    guard.onCharge(purchase, 'p1');
    guard.onUsage({ id: 'client#OPEN', charges: 2 }, 'p1');
    expect(seen).toEqual([]);

    guard.onCharge({ ...purchase, amountCentavos: 100_01 }, 'p1');
    guard.onUsage({ id: 'client#OPEN', charges: 3 }, 'p1');
    guard.onCharge({ ...purchase, claim: undefined }, 'p1');

    expect(seen).toHaveLength(3);
  });
});
