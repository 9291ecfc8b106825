import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { MemoryDynamoDb, Written } from './cloud/dynamodb.ts';
import type { Row } from './cloud/values.ts';
import type { Bought } from './shop.ts';
import type { Violation } from './violation.ts';

export type Facts = ReturnType<typeof openFacts>;

/**
 * Knows which buyer owns which purchase, Pix and wallet. It records the facts at each write, so that the guards need
 * not search the tables.
 */
export function openFacts(buyers: readonly Bought[], now: () => number) {
  const byWallet = new Map(buyers.map((each) => [each.plan.wallet.toLowerCase(), each]));
  const byTransaction = new Map<string, Bought>();
  const cleared = new Set<string>();
  const nonceAt = new Map<string, number>();
  const announced: string[] = [];
  // Searches at each call, because the client ids of some buyers are computed from their CPF only later.
  const ofPurchase = ({ clientId, walletAddress }: Pick<Transaction, 'clientId' | 'walletAddress'>) =>
    buyers.find(({ plan }) => plan.clientId === clientId && plan.wallet === walletAddress);

  type Ears = {
    onEvent: (id: string) => void;
    onPurchase: (before: Transaction | undefined, after: Transaction) => void;
    /** A settlement's row that has just got a nonce. */
    onNonce: (settlement: Row) => void;
    onWrite: (written: Written) => void;
    report: (violation: Violation) => void;
  };

  function hear(
    memory: MemoryDynamoDb,
    names: Record<string, string>,
    { onEvent, onPurchase, onNonce, onWrite, report }: Ears,
  ): void {
    /** Events and postings must never be written again. The fields about an event's delivery may change. */
    const requireFirst = (id: string, before: Row, after: Row, invariant: number) => {
      if (before.at === after.at) return;
      const owner = String(after.transactionId ?? (after.data as Row | undefined)?.transactionId);
      report({ invariant, says: `${id} was written again`, scope: byTransaction.get(owner)?.plan.scope });
    };
    memory.onWrite = (written) => {
      const { table, id, before, after } = written;
      onWrite(written);
      if (!after) return;
      if (table === names.transactions && !before) {
        const bought = ofPurchase(after as unknown as Transaction);
        if (bought) byTransaction.set(id, bought);
      }
      if (table === names.transactions)
        onPurchase(before as unknown as Transaction | undefined, after as unknown as Transaction);
      if (table === names.evidence && after.kind === 'wallet' && after.decidedBy === 'CheckWalletRisk') {
        if ((after.decision as { isClear: boolean }).isClear) cleared.add(String(after.subject));
      }
      if (table === names.settlements && id.startsWith('PAY#') && before?.nonce !== after.nonce) {
        nonceAt.set(id.slice('PAY#'.length), now());
        if (after.nonce !== undefined) onNonce(after);
      }
      if (before && table === names.events) requireFirst(id, before, after, 5);
      if (before && table === names.ledger) requireFirst(id, before, after, 6);
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
    /** When the purchase got its present nonce. */
    nonceAt,
    announced,
    ofWallet: (wallet: string) => byWallet.get(wallet.toLowerCase()),
    ofPix: (endToEndId: string) => buyers.find(({ pixIds }) => pixIds.includes(endToEndId)),
    transactionOf: (bought: Bought) => [...byTransaction].find(([, each]) => each === bought)?.[0],
    /** The scope of a purchase. It decides about the random numbers of everything around the purchase. */
    /** The scope of a purchase whose row is just being written. `scopeOf` may not know this purchase yet. */
    scopeOfRow: (purchase: Transaction) => ofPurchase(purchase)?.plan.scope ?? purchase.id,
    scopeOf: (transactionId: string) => byTransaction.get(transactionId)?.plan.scope ?? transactionId,
  };
}
