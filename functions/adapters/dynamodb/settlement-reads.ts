/** Reads settlements, wallets and slots, always consistently. */
import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { HotWallet, NonceBooks } from '../../domain/treasury/hot-wallet.ts';
import type { Settlement } from '../../domain/treasury/settlement.ts';
import type { SettlementBooks } from './settlement-items.ts';
import { toSettlement } from './settlement-parser.ts';
import {
  payKey,
  type SettlementItem,
  slotKeyOf,
  toAccount,
  toWallet,
  walletKeyOf,
} from './settlement-rows.ts';

export type SettlementReads = SettlementBooks & { client: DynamoDBDocumentClient };

/** A wallet as its row has it. */
export type WalletRow = Pick<HotWallet, 'next' | 'quarantine'>;
/** A wallet as the chain shows it. */
export type SeenNonce = Pick<HotWallet, 'address' | 'latest'>;

export async function findSettlementRow(
  { client, settlementsTable }: SettlementReads,
  id: string,
): Promise<SettlementItem | undefined> {
  const command = new GetCommand({ TableName: settlementsTable, Key: { id }, ConsistentRead: true });
  return (await client.send(command)).Item;
}

export async function findPayment(
  tables: SettlementReads,
  transactionId: string,
): Promise<Settlement | undefined> {
  const row = await findSettlementRow(tables, payKey(transactionId));
  return row && toSettlement(row);
}

export async function findRows(
  tables: SettlementReads,
  ids: string[],
): Promise<Map<unknown, SettlementItem>> {
  const { client, settlementsTable: table } = tables;
  const Keys = ids.map((id) => ({ id }));
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
  );
  // When DynamoDB is busy, a batch may leave out some keys. Each of these is read with a request of its own.
  const left = UnprocessedKeys?.[table]?.Keys ?? [];
  const late = await Promise.all(left.map(({ id }) => findSettlementRow(tables, id as string)));
  const rows = [...(Responses?.[table] ?? []), ...late].filter((row) => row !== undefined);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findWallets(
  tables: SettlementReads,
  wallets: readonly string[],
): Promise<Map<string, WalletRow>> {
  const keyOf = (wallet: string) => walletKeyOf(tables.chainId, wallet);
  const rows = await findRows(tables, wallets.map(keyOf));
  const found = wallets.map((wallet) => [wallet, rows.get(keyOf(wallet))] as const);
  return new Map(found.flatMap(([wallet, row]) => (row ? [[wallet, toWallet(row)]] : [])));
}

/**
 * Reads, in one call, the row of each wallet and the slot of its nonce `latest`, which is the wallet's next
 * nonce on the chain. A slot has the sum of the payouts that got earlier nonces.
 */
export async function findAccounts(
  tables: SettlementReads,
  wallets: readonly SeenNonce[],
): Promise<Map<string, NonceBooks>> {
  const { chainId } = tables;
  const slotOf = ({ address, latest }: SeenNonce) => slotKeyOf(chainId, address, latest);
  const keysOf = (seen: SeenNonce) => [walletKeyOf(chainId, seen.address), slotOf(seen)];
  const rows = await findRows(tables, wallets.flatMap(keysOf));
  const found = wallets.flatMap((seen): [string, NonceBooks][] => {
    const row = rows.get(walletKeyOf(chainId, seen.address));
    return row ? [[seen.address, toAccount(row, seen.latest, rows.get(slotOf(seen)))]] : [];
  });
  return new Map(found);
}
