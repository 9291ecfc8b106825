import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { MemoryDynamoDb } from './cloud/dynamodb.ts';
import type { Kernel } from './kernel.ts';
import { type Node, topicOf } from './node.ts';
import type { Violation } from './violation.ts';

type World = {
  kernel: Kernel;
  memory: MemoryDynamoDb;
  names: Record<string, string>;
  node: () => Node;
  report: (violation: Violation) => void;
};

/**
 * Whether a purchase in each status was promised tokens. The guard has its own list, because it judges
 * functions/domain/treasury/liquidity.ts. A completed purchase is counted until its transfer is in the chain.
 */
const IS_PROMISED: Record<Status, boolean> = {
  CREATED: false,
  AWAITING_MFA: false,
  AWAITING_PIX: true,
  PROCESSING: true,
  COMPLETED: true,
  FAILED: false,
  EXPIRED: false,
  CANCELED: false,
};

/** Invariant 9: at each charge, the treasury holds all the tokens that are promised at that moment. */
export function openFloatGuard({ kernel, memory, names, node, report }: World) {
  const counts = { charges: 0 };

  /**
   * Compares the promised tokens with those in the wallets at the last block. Purchases whose transfer is in the
   * chain do not count.
   */
  async function judge({ id, asset }: Transaction, scope: string): Promise<void> {
    counts.charges++;
    const rows = memory.rows(names.transactions!) as unknown as Transaction[];
    const [transfers, held] = await Promise.all([
      node().transfers(),
      kernel.outOfTime(node().balance(asset)),
    ]);
    const paid = new Set(transfers.map(({ topics }) => topics[2]));
    const open = rows.filter(
      (each) => each.asset === asset && IS_PROMISED[each.status] && !paid.has(topicOf(each.walletAddress)),
    );
    const promised = open.reduce((sum, { quote }) => sum + BigInt(quote.assetUnits), 0n);
    if (promised > held)
      report({
        invariant: 9,
        scope,
        says: `${id}: charged while ${promised} units of ${asset} are promised and ${held} are there`,
      });
  }

  return {
    counts,
    onWrite(before: Transaction | undefined, after: Transaction, scope: string): void {
      if (after.status !== 'AWAITING_PIX' || before?.status === 'AWAITING_PIX') return;
      kernel.act('float', scope, () => judge(after, scope));
    },
    /** True when the purchase has a charge. The service must not refuse it for want of tokens then. */
    isCharged: (id: string): boolean =>
      memory.rows(names.transactions!).some((row) => row.id === id && row.status === 'AWAITING_PIX'),
  };
}
