/** Writes the gas of a nonce: into the nonce's slot, and as a posting into the ledger. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Posting } from '../../domain/ledger.ts';
import type { Random } from '../../domain/ports.ts';
import { type GasSpent, gasPosting } from '../../domain/treasury/gas.ts';
import type { Owned } from '../../domain/treasury/settlement.ts';
import { postingPuts } from './ledger.ts';
import { type SettlementItem, slotKeyOf } from './settlement-rows.ts';
import { isRefused, updateOf, type WriteItem, type Written, writeAll } from './table.ts';

type GasTables = { settlementsTable: string; readonly ledgerTable: string; chainId: number };

/** The gas of a transaction, in the form in which the row of its nonce (the slot) has it. */
const toGasRow = ({ txHash, wei, at }: GasSpent): SettlementItem => ({ txHash, wei: String(wei), at });

/** The gas as an attribute of the slot, for a write that changes the slot anyway. */
export const gasInSlot = (gas?: GasSpent): SettlementItem => (gas ? { gas: toGasRow(gas) } : {});

/** The write of the gas into the ledger alone, for a transaction that already writes the gas into the slot. */
export function postGas({ ledgerTable, chainId }: GasTables, owned: Owned, gas?: GasSpent): WriteItem[] {
  return gas ? postingPuts([gasPosting({ ...owned, chainId }, gas)], ledgerTable) : [];
}

/** The writes of the gas into the slot and into the ledger. The slot exists, because the nonce was assigned. */
export function spendGas(tables: GasTables, owned: Owned, gas?: GasSpent): WriteItem[] {
  if (!gas) return [];
  const { settlementsTable: TableName, chainId } = tables;
  const Key = { id: slotKeyOf(chainId, owned.wallet, owned.nonce) };
  const ConditionExpression = 'attribute_exists(id)';
  const Update = { TableName, Key, ...updateOf(gasInSlot(gas)), ConditionExpression };
  return [{ Update }, ...postGas(tables, owned, gas)];
}

type GasMove = { items: WriteItem[]; gas: WriteItem[] };

/**
 * Writes a move of a settlement together with its gas. If the gas alone is refused, the move is written without it. The
 * gas is then posted already, and the books must never stop a payment.
 */
export async function writeWithGas(
  client: DynamoDBDocumentClient,
  { items, gas }: GasMove,
  random: Random,
): Promise<Written> {
  const written = await writeAll(client, [...items, ...gas], random);
  const isByGasAlone = Array.isArray(written) && !written.slice(0, items.length).some(isRefused);
  return isByGasAlone ? writeAll(client, items, random) : written;
}

/** The posting that the slot of a nonce asks for. Undefined if the slot has no gas. */
export function gasPostingOf(
  chainId: number,
  slot: SettlementItem,
  owner: { wallet: string; nonce: number },
): Posting | undefined {
  const { gas, transactionId } = slot as { gas?: ReturnType<typeof toGasRow>; transactionId: string };
  if (!gas) return undefined;
  const spent = { txHash: String(gas.txHash), wei: BigInt(String(gas.wei)), at: Number(gas.at) };
  return gasPosting({ ...owner, chainId, transactionId }, spent);
}
