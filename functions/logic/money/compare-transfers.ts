import { surplusFinding, surplusOf, transferFindings } from '../../domain/books/outflow.ts';
import { type Comparison, each, tell } from './compare-payments.ts';

/**
 * Every transfer out of our wallets in final blocks of this time, against the settlement that its nonce was given to.
 * The answer is until when blocks are final: later ones were not looked at.
 */
export async function compareTransfers(run: Comparison): Promise<number> {
  const { from, to, ports } = run;
  const { outflows, transactions } = ports;
  const { transfers, upTo } = await outflows.listTransfers(from, to);
  const owned: Parameters<typeof surplusOf>[0] = [];
  await each(run, transfers, async (transfer) => {
    const { wallet, nonce } = transfer;
    const owner = nonce === undefined ? undefined : await outflows.findOwner(wallet, nonce);
    const transaction = owner && (await transactions.findTransaction(owner.transactionId));
    if (transaction) run.transactionIds.add(transaction.id);
    owned.push({ transfer, owner });
    for (const finding of transferFindings(transfer, { owner, transaction })) await tell(run, finding);
  });
  const inOrder = owned.sort(({ transfer: a }, { transfer: b }) => placeOf(a) - placeOf(b));
  for (const surplus of surplusOf(inOrder)) await tell(run, surplusFinding(surplus));
  return upTo;
}

const LOGS_IN_A_BLOCK = 100_000;
const placeOf = ({ blockNumber, logIndex }: { blockNumber: number; logIndex: number }) =>
  blockNumber * LOGS_IN_A_BLOCK + logIndex;
