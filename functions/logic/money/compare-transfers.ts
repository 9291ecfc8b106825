import { type OwnedTransfer, surplusFindings, transferFindings } from '../../domain/books/outflow.ts';
import { type Comparison, compareEach, compareLedger, openFindings } from './comparison.ts';

/**
 * Compares every transfer out of our wallets with the settlement to which its nonce was assigned. It reads
 * only final blocks between `from` and `to`. Returns the instant of the chain's latest final block.
 */
export async function compareTransfers(run: Comparison): Promise<number> {
  const { from, to, ports } = run;
  const { outflows, transactions } = ports;
  const { transfers, upTo } = await outflows.listTransfers(from, to);
  const owned: OwnedTransfer[] = [];
  await compareEach(run, transfers, async (transfer) => {
    const { wallet, nonce } = transfer;
    const owner = nonce === undefined ? undefined : await outflows.findOwner(wallet, nonce);
    const transaction = owner && (await transactions.findTransaction(owner.transactionId));
    if (transaction) run.transactionIds.add(transaction.id);
    owned.push({ transfer, owner });
    await openFindings(run, transferFindings(transfer, { owner, transaction }));
    const gas = nonce === undefined ? undefined : await outflows.findGasPosting(wallet, nonce);
    if (gas) await compareLedger(run, [gas], []);
  });
  await openFindings(run, surplusFindings(owned));
  return upTo;
}
