import type { Transaction } from '../../functions/domain/transaction.ts';
import type { Bought } from './buyer.ts';
import type { MemoryDynamoDb } from './cloud/dynamodb.ts';

export type Facts = ReturnType<typeof openFacts>;

/** Who is who, as the rows and the world around them tell; kept as things happen, so that a look costs nothing. */
export function openFacts(buyers: readonly Bought[]) {
  const byClient = new Map(buyers.map((each) => [each.plan.clientId, each]));
  const byWallet = new Map(buyers.map((each) => [each.plan.wallet.toLowerCase(), each]));
  const byTransaction = new Map<string, Bought>();
  const cleared = new Set<string>();
  const announced: string[] = [];

  function hear(memory: MemoryDynamoDb, names: Record<string, string>, onEvent: (id: string) => void): void {
    memory.onWrite = ({ table, id, before, after }) => {
      if (!after) return;
      if (table === names.transactions && !before) {
        const bought = byClient.get((after as unknown as Transaction).clientId);
        if (bought) byTransaction.set(id, bought);
      }
      if (table === names.evidence && after.kind === 'wallet' && after.decidedBy === 'CheckWalletRisk') {
        if ((after.decision as { isClear: boolean }).isClear) cleared.add(String(after.subject));
      }
      if (table === names.events && !before) {
        announced.push(id);
        onEvent(id);
      }
    };
  }

  return {
    hear,
    byTransaction,
    cleared,
    announced,
    ofWallet: (wallet: string) => byWallet.get(wallet.toLowerCase()),
    ofPix: (endToEndId: string) => buyers.find(({ pixIds }) => pixIds.includes(endToEndId)),
    transactionOf: (bought: Bought) => [...byTransaction].find(([, each]) => each === bought)?.[0],
    /** Whose dice what concerns a purchase throws. */
    scopeOf: (transactionId: string) => byTransaction.get(transactionId)?.plan.scope ?? transactionId,
  };
}
