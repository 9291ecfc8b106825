import { type PerAsset, perAsset } from '../../domain/assets.ts';
import type { Account, HotWallet, Quarantine, Units } from '../../domain/treasury/hot-wallet.ts';
import { OVER, type Settlement } from '../../domain/treasury/settlement.ts';
import type { WriteItem } from './table.ts';

export type Row = Record<string, unknown>;

/** Key of the sparse index of transfers that are watched. */
export const SWEEP = 'SETTLEMENT';

/** Settlement may still write the row. */
export const NOT_OVER = {
  ConditionExpression: `NOT #state IN (${OVER.map((state) => `:${state}`).join(', ')})`,
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: Object.fromEntries(OVER.map((state) => [`:${state}`, state])),
};

/** The row is still as the change was computed from. Casts are left out: they are hints. */
export function stillAs(was: Settlement) {
  const owns = was.nonce === undefined ? 'attribute_not_exists(nonce)' : 'nonce = :nonce';
  // Who does not know that it is to be cancelled must neither sign another payment nor write the wish away.
  const cancels = was.cancel ? 'attribute_exists(cancel)' : 'attribute_not_exists(cancel)';
  return {
    ConditionExpression: [
      owns,
      cancels,
      NOT_OVER.ConditionExpression,
      'size(tries) = :tries',
      'size(attempts) = :attempts',
    ].join(' AND '),
    ExpressionAttributeNames: NOT_OVER.ExpressionAttributeNames,
    ExpressionAttributeValues: {
      ...NOT_OVER.ExpressionAttributeValues,
      ...(was.nonce !== undefined && { ':nonce': was.nonce }),
      ':tries': was.tries.length,
      ':attempts': was.attempts.length,
    },
  };
}

/** The purchase is to be settled, which excludes its refund: docs/decisions.md, "Disposition". */
export function claimPurchase(TableName: string, id: string): WriteItem {
  return {
    Update: {
      TableName,
      Key: { id },
      UpdateExpression: 'SET disposition = :settle',
      ConditionExpression:
        '#status = :processing AND (attribute_not_exists(disposition) OR disposition = :settle)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':settle': 'SETTLE', ':processing': 'PROCESSING' },
    },
  };
}

export function payKey(transactionId: string): string {
  return `PAY#${transactionId}`;
}

export function walletKeyOf(chainId: number, wallet: string): string {
  return `WALLET#${chainId}#${wallet.toLowerCase()}`;
}

export function slotKeyOf(chainId: number, wallet: string, nonce: number): string {
  return `SLOT#${chainId}#${wallet.toLowerCase()}#${nonce}`;
}

/** As the units of a settlement are kept. */
export function fromUnits(units: Units): Row {
  return perAsset((asset) => String(units[asset]));
}

/** A row that is older than an asset, or than this count, has no units of it. */
function toUnits(row: unknown): Units {
  const units = (row ?? {}) as Partial<PerAsset<string>>;
  return perAsset((asset) => BigInt(units[asset] ?? 0));
}

export function toWallet({ next, quarantine }: Row): Pick<HotWallet, 'next' | 'quarantine'> {
  return { next: next as number, ...(quarantine !== undefined && { quarantine: quarantine as Quarantine }) };
}

/** A wallet's row and the slot of the nonce that comes next in the chain: `latest`. */
export function toAccount(wallet: Row, latest: number, slot: Row | undefined): Account {
  const row = toWallet(wallet);
  const given = toUnits(wallet.given);
  const isAllMined = latest >= row.next;
  return { ...row, given, mark: { nonce: latest, given: isAllMined ? given : toUnits(slot?.before) } };
}

export function toRow(settlement: Settlement): Row {
  const { transactionId, units, nextCheckAt } = settlement;
  // Only what is watched is in the sparse index.
  const sweep = nextCheckAt === undefined ? undefined : SWEEP;
  const row = { ...settlement, id: payKey(transactionId), units: String(units), sweep };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

export function toSettlement({ id: _, sweep: __, units, ...rest }: Row): Settlement {
  return { ...rest, units: BigInt(units as string) } as Settlement;
}
