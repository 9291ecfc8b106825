import { describe, expect, it } from 'vitest';
import type { MemoryDynamoDb } from '../cloud/dynamodb.ts';
import type { Row } from '../cloud/values.ts';
import type { Violation } from '../violation.ts';
import { openCoverGuard } from './cover-guard.ts';

const NAMES = { floats: 'floats', transactions: 'transactions', unmatchedPayments: 'unmatchedPayments' };

/** An open refund of R$ 60 and an open return of R$ 40. */
function openGuard(balance: number, isPaused: boolean) {
  const seen: Violation[] = [];
  const shortfall = isPaused ? {} : undefined;
  const tables: Record<string, Row[]> = {
    floats: ['USDC', 'USDT'].map((id) => ({ id, shortfall })),
    transactions: [
      { refund: { status: 'PENDING', amountCentavos: 60_00 } },
      { refund: { status: 'REFUNDED' } },
    ],
    unmatchedPayments: [{ refund: { status: 'PENDING' }, amountCentavos: 40_00 }, { id: 'CURSOR' }],
  };
  const guard = openCoverGuard({
    memory: { rows: (name: string) => tables[name] ?? [] } as unknown as MemoryDynamoDb,
    names: NAMES,
    balanceCentavos: () => balance,
    report: (violation) => void seen.push(violation),
  });
  return { seen, guard };
}

describe('a run that reads the balance', () => {
  it.each([
    [99_99, true, 0],
    [99_99, false, 1],
    [100_00, true, 1],
    [100_00, false, 0],
  ])('with %i centavos, and a pause: %s, breaks the invariant %i times', (balance, isPaused, times) => {
    const { seen, guard } = openGuard(balance, isPaused);

    guard.onRun('run', guard.isShort());

    expect(seen).toHaveLength(times);
  });

  it('is not judged if it failed, or if the debts changed meanwhile', () => {
    const { seen, guard } = openGuard(0, false);
    guard.onRaise('PixBalanceNotRead', 'run');

    guard.onRun('run', true);
    guard.onRun('next', false);

    expect(seen).toEqual([]);
  });
});

describe('a reservation', () => {
  it.each([true, false])('breaks the invariant during a pause alone: %s', (isPaused) => {
    const { seen, guard } = openGuard(0, isPaused);

    guard.onReserved({ id: 'one', asset: 'USDC' }, 'p1');

    expect(seen).toHaveLength(isPaused ? 1 : 0);
  });
});
