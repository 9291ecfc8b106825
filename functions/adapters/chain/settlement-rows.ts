import type { Settlement } from '../../domain/settlement.ts';

export type Row = Record<string, unknown>;

/** The row is still as the change was computed from. Casts are left out: they are hints. */
export function stillAs(was: Settlement) {
  const owns = was.nonce === undefined ? 'attribute_not_exists(nonce)' : 'nonce = :nonce';
  return {
    ConditionExpression: [
      owns,
      'NOT #state IN (:confirmed, :failed)',
      'size(tries) = :tries',
      'size(attempts) = :attempts',
    ].join(' AND '),
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ...(was.nonce !== undefined && { ':nonce': was.nonce }),
      ':confirmed': 'CONFIRMED',
      ':failed': 'FAILED',
      ':tries': was.tries.length,
      ':attempts': was.attempts.length,
    },
  };
}

export function payKey(transactionId: string): string {
  return `PAY#${transactionId}`;
}

export function toRow(settlement: Settlement): Row {
  const row = { ...settlement, id: payKey(settlement.transactionId), units: String(settlement.units) };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

export function toSettlement({ id: _, units, ...rest }: Row): Settlement {
  return { ...rest, units: BigInt(units as string) } as Settlement;
}
