import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { findWindows, saveWindow } from '../../functions/adapters/dynamodb/payout-windows.ts';
import type { SettlementBooks } from '../../functions/adapters/dynamodb/settlement-items.ts';
import { isDone, writeRow } from '../../functions/adapters/dynamodb/table.ts';
import type { Asset, PerAsset } from '../../functions/domain/assets.ts';
import type { Random } from '../../functions/domain/ports.ts';
import type { PayoutWindow } from '../../functions/domain/treasury/payout-window.ts';

/**
 * The payouts of the last hour, for operators. Only the operators' command and the console have this part.
 */
type PayoutAllowances = {
  findWindows(): Promise<PerAsset<PayoutWindow>>;
  /** Saves a window. False if a payout or another operator has changed the row since it was read. */
  save(asset: Asset, window: PayoutWindow): Promise<boolean>;
};

type Tables = SettlementBooks & { client: DynamoDBDocumentClient; random: Random };

export function payoutAllowances(tables: Tables): PayoutAllowances {
  return {
    findWindows: () => findWindows(tables),
    save(asset, window) {
      const { Put } = saveWindow(tables, asset, window);
      return isDone(writeRow(() => tables.client.send(new PutCommand(Put)), tables.random));
    },
  };
}
