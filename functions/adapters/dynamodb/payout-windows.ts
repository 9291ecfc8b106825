/**
 * The rows with the payouts of the last hour, which limit further payouts. Each asset of the chain has one
 * row, and its size is constant.
 */
import { ASSET_NAMES, type Asset, type PerAsset, perAsset } from '../../domain/assets.ts';
import { NO_PAYOUTS, type PayoutWindow } from '../../domain/treasury/payout-window.ts';
import type { WindowRow } from './rows.ts';
import type { SettlementBooks } from './settlement-items.ts';
import { findRows, type SettlementReads } from './settlement-reads.ts';
import type { WriteItem } from './table.ts';

const windowKey = (chainId: number, asset: Asset) => `PAID#${chainId}#${asset}`;

export async function findWindows(tables: SettlementReads): Promise<PerAsset<PayoutWindow>> {
  const ids = perAsset((asset) => windowKey(tables.chainId, asset));
  const rows = await findRows(
    tables,
    ASSET_NAMES.map((asset) => ids[asset]),
  );
  return perAsset((asset) => toWindow(rows.get(ids[asset]) as WindowRow | undefined));
}

function toWindow(row: WindowRow | undefined): PayoutWindow {
  if (!row) return NO_PAYOUTS;
  const { slice, units, allowance, revision } = row;
  const allowed = allowance && { allowance: { ...allowance, units: BigInt(allowance.units) } };
  return { slice, units: units.map(BigInt), ...allowed, revision };
}

/** Saves the payouts of the last hour, unless their row has changed since it was read. */
export function saveWindow(
  books: SettlementBooks,
  asset: Asset,
  { units, allowance, slice, revision }: PayoutWindow,
) {
  const row: WindowRow = {
    id: windowKey(books.chainId, asset),
    slice,
    units: units.map(String),
    ...(allowance && { allowance: { ...allowance, units: String(allowance.units) } }),
    revision: revision + 1,
  };
  const isSame =
    revision === 0
      ? { ConditionExpression: 'attribute_not_exists(id)' }
      : { ConditionExpression: 'revision = :was', ExpressionAttributeValues: { ':was': revision } };
  return { Put: { TableName: books.settlementsTable, Item: row, ...isSame } } satisfies WriteItem;
}
