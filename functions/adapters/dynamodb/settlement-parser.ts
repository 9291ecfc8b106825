/** Converts a settlement to its row and back. No other file parses such a row. */
import { isWatched, type Settlement } from '../../domain/treasury/settlement.ts';
import { DUE } from '../../tables/sharded.ts';
import { payKey, type SettlementItem } from './settlement-rows.ts';
import { keyIn } from './shards.ts';

const CHECKS = {
  text: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  list: (value: unknown) => Array.isArray(value),
  some: (value: unknown) => Array.isArray(value) && value.length > 0,
};

type CheckOf<Value> = Value extends number
  ? 'number'
  : Value extends readonly [unknown, ...unknown[]]
    ? 'some'
    : Value extends readonly unknown[]
      ? 'list'
      : 'text';
/** One check for each property that the settlement must have. Optional properties have none. */
type ChecksOf<Any> = {
  [Name in keyof Any & string as undefined extends Any[Name] ? never : Name]: CheckOf<Any[Name]>;
};

const BEGUN = {
  state: 'text',
  transactionId: 'text',
  asset: 'text',
  units: 'text',
  to: 'text',
  tries: 'list',
  attempts: 'list',
  casts: 'number',
  openedAt: 'number',
} as const;
const OWNED = { ...BEGUN, wallet: 'text', nonce: 'number' } as const;
const SIGNED = { ...OWNED, attempts: 'some' } as const;

const HELD = {
  REQUESTED: BEGUN,
  ASSIGNED: OWNED,
  SIGNED,
  BROADCAST: { ...SIGNED, lastCastAt: 'number', hint: 'text' },
  CONFIRMED: {
    ...SIGNED,
    txHash: 'text',
    blockNumber: 'number',
    confirmedAt: 'number',
    nextCheckAt: 'number',
  },
  FINAL: { ...OWNED, txHash: 'text', blockNumber: 'number' },
  LOST: { ...OWNED, txHash: 'text' },
  FAILED: { ...BEGUN, tries: 'some' },
} as const satisfies { [State in Settlement['state']]: ChecksOf<Extract<Settlement, { state: State }>> };

export function toSettlementRow(settlement: Settlement): SettlementItem {
  const { transactionId, units } = settlement;
  const id = payKey(transactionId);
  const sweep = isWatched(settlement) ? keyIn(DUE, id) : undefined;
  const row = { ...settlement, id, units: String(units), sweep };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

/**
 * Converts a row to a settlement. Throws if the row lacks a property that its state requires. A default value
 * in its place could lead to a second payment.
 */
export function toSettlement({ id, sweep: _, ...row }: SettlementItem): Settlement {
  requireFieldsOfState(id, row);
  const parsed: SettlementItem = { ...row, units: BigInt((row as { units: string }).units) };
  return parsed as Settlement;
}

function requireFieldsOfState(id: unknown, row: SettlementItem): void {
  const checks = HELD[row.state as Settlement['state']] as Record<string, keyof typeof CHECKS> | undefined;
  if (!checks) throw new Error(`the settlement ${id} has the state ${row.state}`);
  const wrong = Object.entries(checks).filter(([name, check]) => !CHECKS[check](row[name]));
  const names = wrong.map(([name]) => name);
  // In a state that owns no nonce, the next try takes a new one. A forgotten nonce would lead to a second payment.
  if (row.nonce !== undefined && !('nonce' in checks)) names.push('nonce');
  if (names.length > 0)
    throw new Error(`the settlement ${id} is ${row.state}, which its ${names} contradicts`);
}
