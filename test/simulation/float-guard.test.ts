import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { aTransaction } from '../support/builders.ts';
import type { MemoryDynamoDb } from './cloud/dynamodb.ts';
import { openFloatGuard } from './float-guard.ts';
import type { Kernel } from './kernel.ts';
import { type Log, type Node, topicOf } from './node.ts';
import type { Violation } from './violation.ts';

const quote = { ...aTransaction({}).quote, assetUnits: 60n };
const wallets = ['0x52908400098527886E0F7030069857D2E4169EE7', '0x8617E340B3D01FA5F11F306F4090FD50E238070D'];
const purchase = (at: number, status: Transaction['status']): Transaction =>
  aTransaction({ id: `purchase-${at}`, status, asset: 'USDC', walletAddress: wallets[at]!, quote });

/**
 * Charges a second purchase, with `held` units in the treasury. `paid` are the wallets that already have their
 * tokens.
 */
async function chargeSecond(first: Transaction, held: bigint, paid: string[] = []): Promise<Violation[]> {
  const second = purchase(1, 'AWAITING_PIX');
  const seen: Violation[] = [];
  const judged: Promise<void>[] = [];
  const transfers = async () => paid.map((wallet) => ({ topics: ['', '', topicOf(wallet)] }) as Log);
  const guard = openFloatGuard({
    kernel: {
      act: (_name: string, _scope: string, work: () => Promise<void>) => void judged.push(work()),
      outOfTime: <Answer>(work: Promise<Answer>) => work,
    } as unknown as Kernel,
    memory: { rows: () => [first, second] } as unknown as MemoryDynamoDb,
    names: { transactions: 'transactions' },
    node: () => ({ transfers, balance: async () => held }) as unknown as Node,
    report: (violation) => void seen.push(violation),
  });
  guard.onWrite(aTransaction({ ...second, status: 'AWAITING_MFA' }), second, 'p1');
  guard.onWrite(second, second, 'p1');
  await Promise.all(judged);
  expect(guard.counts.charges).toBe(1);
  return seen;
}

describe('a charge', () => {
  it.each(['AWAITING_PIX', 'PROCESSING', 'COMPLETED'] as const)(
    'breaks the invariant where another purchase, %s without its transfer, was promised the same tokens',
    async (status) => {
      const violations = await chargeSecond(purchase(0, status), 119n);

      expect(violations).toMatchObject([{ invariant: 9, scope: 'p1' }]);
      expect(violations[0]!.says).toContain('120 units of USDC are promised and 119 are there');
    },
  );

  it('keeps the invariant when the tokens are just enough for all', async () => {
    expect(await chargeSecond(purchase(0, 'PROCESSING'), 120n)).toEqual([]);
  });

  it.each(['EXPIRED', 'FAILED', 'AWAITING_MFA'] as const)(
    'keeps the invariant where another purchase is promised nothing, %s',
    async (status) => {
      expect(await chargeSecond(purchase(0, status), 60n)).toEqual([]);
    },
  );

  it('keeps the invariant when another purchase already has its tokens, whatever its row says', async () => {
    expect(await chargeSecond(purchase(0, 'PROCESSING'), 60n, [wallets[0]!])).toEqual([]);
  });
});
