import type { Chain } from '../../functions/adapters/chain/chain.ts';
import type { Signer } from '../../functions/adapters/chain/kms-signer.ts';
import type { Node } from '../../functions/adapters/chain/rpc.ts';
import { holdStore } from '../../functions/adapters/dynamodb/holds.ts';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { perAsset } from '../../functions/domain/assets.ts';
import { dossier } from '../../operations/stores/dossier.ts';
import { ledgerReader } from '../../operations/stores/ledger-reader.ts';
import { payoutAllowances } from '../../operations/stores/payout-allowances.ts';
import { walletRegister } from '../../operations/stores/wallet-register.ts';
import { dice as random } from './dice.ts';
import type { Tables } from './tables.ts';

/** The only hot wallet, and the number of its transactions. */
export const WALLET = { address: `0x${'aa'.repeat(20)}`, next: 3 };

const chain = { chainId: 31_337, tokens: perAsset(() => ({ address: WALLET.address })) } as unknown as Chain;
const ANSWERS: Readonly<Record<string, string>> = {
  eth_getTransactionCount: `0x${WALLET.next}`,
  eth_getBalance: '0x1',
  eth_call: `0x${'0'.repeat(64)}`,
};
const node: Node = { call: async (method) => ANSWERS[method] };
const rpc = { ...node, nodes: async () => [node], broadcast: async () => 'no answer' };
const signers = [{ address: async () => WALLET.address } as Signer];

/** The parts of the desk that change the treasury, on tables, and on a chain that always answers the same. */
export function treasuryDesk({ client, names }: Tables) {
  const { settlements: settlementsTable, transactions: transactionsTable, ledger: ledgerTable } = names;
  const book = settlementBook({
    client,
    settlementsTable,
    transactionsTable,
    ledgerTable,
    chainId: chain.chainId,
    random,
  });
  return {
    book,
    dossier: dossier(client, names),
    ledgerReader: ledgerReader(client, names.ledger),
    holds: holdStore(client, names, random),
    payouts: payoutAllowances({ client, settlementsTable, chainId: chain.chainId, random }),
    wallets: walletRegister({ rpc, chain, signers, book, client, table: settlementsTable, random }),
  };
}
