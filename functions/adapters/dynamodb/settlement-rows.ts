import { type PerAsset, perAsset } from '../../domain/assets.ts';
import type { AssetUnits, HotWallet, NonceBooks, Quarantine } from '../../domain/treasury/hot-wallet.ts';
import { type Open, OVER } from '../../domain/treasury/settlement.ts';
import type { WriteItem } from './table.ts';

export type SettlementItem = Record<string, unknown>;

/** The DynamoDB condition that the settlement has not reached a final state. */
export const NOT_OVER = {
  ConditionExpression: `NOT #state IN (${OVER.map((state) => `:${state}`).join(', ')})`,
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: Object.fromEntries(OVER.map((state) => [`:${state}`, state])),
};

/**
 * The condition that the settlement has not changed since it was read. It does not compare what was recorded
 * about sends (`casts`, `lastCastAt`, `hint`), because the nodes' answers to sends prove nothing.
 */
export function stillAs(was: Open) {
  const owns = was.nonce === undefined ? 'attribute_not_exists(nonce)' : 'nonce = :nonce';
  // A run that has not read a requested cancel must not sign another payment, and must not overwrite the
  // request.
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

/**
 * Reserves the purchase for its settlement, unless it is reserved for a refund. From then on a refund is refused:
 * docs/architecture.md, "Five ideas".
 */
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

/** Converts units to the form that rows have. */
export function fromUnits(units: AssetUnits): SettlementItem {
  return perAsset((asset) => String(units[asset]));
}

/**
 * Parses the units of each asset. A row may be older than this attribute, or than one of the assets. Missing
 * units are zero.
 */
function toUnits(row: unknown): AssetUnits {
  const units = (row ?? {}) as Partial<PerAsset<string>>;
  return perAsset((asset) => BigInt(units[asset] ?? 0));
}

export function toWallet({ next, quarantine }: SettlementItem): Pick<HotWallet, 'next' | 'quarantine'> {
  return { next: next as number, ...(quarantine !== undefined && { quarantine: quarantine as Quarantine }) };
}

/**
 * Makes the account from the wallet's row and the slot of `latest`, the wallet's next nonce on the chain. The
 * slot is needed only if some of the wallet's nonces are not mined yet.
 */
export function toAccount(
  wallet: SettlementItem,
  latest: number,
  slot: SettlementItem | undefined,
): NonceBooks {
  const row = toWallet(wallet);
  const committed = toUnits(wallet.given);
  const isAllMined = latest >= row.next;
  const before = isAllMined ? committed : toUnits(slot?.before);
  return { ...row, committed, mark: { nonce: latest, committed: before } };
}
