import type { Status, Transaction } from '../../functions/domain/purchase/transaction.ts';
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

/** Who has one of these was promised tokens: functions/domain/treasury/liquidity.ts. One that is completed has them already. */
const PROMISED: readonly Status[] = ['AWAITING_PIX', 'PROCESSING', 'COMPLETED'];

/** Looks at the treasury in the moment of each charge: what is promised then is there. */
export function openFloatGuard({ kernel, memory, names, node, report }: World) {
  const counts = { charges: 0 };

  /** What is promised, and what the wallets hold in the last block, each without what that block has paid out. */
  async function judge({ id, asset }: Transaction, scope: string): Promise<void> {
    counts.charges++;
    const rows = memory.rows(names.transactions!) as unknown as Transaction[];
    const [transfers, held] = await Promise.all([
      node().transfers(),
      kernel.outOfTime(node().balance(asset)),
    ]);
    const paid = new Set(transfers.map(({ topics }) => topics[2]));
    const open = rows.filter(
      (each) =>
        each.asset === asset && PROMISED.includes(each.status) && !paid.has(topicOf(each.walletAddress)),
    );
    const promised = open.reduce((sum, { quote }) => sum + BigInt(quote.assetUnits), 0n);
    if (promised > held)
      report({
        ...{ invariant: 9, scope },
        says: `${id}: charged while ${promised} units of ${asset} are promised and ${held} are there`,
      });
  }

  return {
    counts,
    onWrite(before: Transaction | undefined, after: Transaction, scope: string): void {
      if (after.status !== 'AWAITING_PIX' || before?.status === 'AWAITING_PIX') return;
      kernel.act('float', scope, () => judge(after, scope));
    },
    /** Of one purchase: whoever is refused for want of tokens has nothing to pay. */
    isCharged: (id: string): boolean =>
      memory.rows(names.transactions!).some((row) => row.id === id && row.status === 'AWAITING_PIX'),
  };
}
