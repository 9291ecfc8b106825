import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { conditionOf } from './condition.ts';
import { type WordInput, wordsOf } from './document-path.ts';
import {
  CONDITION_FAILED,
  cancelled,
  conditionFailed,
  invalid,
  invalidForItem,
  isOfItem,
} from './dynamodb-errors.ts';
import type { MemoryTable } from './tables.ts';
import { updateOf } from './update.ts';
import { asAttributes, bytesOf, copyOut, type Row } from './values.ts';

/** The input fields that single-row commands and the items of a transaction share. */
export type RowInput = WordInput & {
  TableName?: string;
  Key?: Row;
  Item?: Row;
  ConditionExpression?: string;
  UpdateExpression?: string;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
};

export type Kind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
export type Write = (table: MemoryTable, id: string, row: Row | undefined) => void;

/** One write that was checked but not yet done. */
type Plan = {
  table: MemoryTable;
  id: string;
  before: Row | undefined;
  /** Throws when the content of the item makes the write impossible. */
  after(): Row | undefined;
  isRefused: boolean;
  input: RowInput;
  attributes: readonly string[];
};

const MOST_ITEMS = 100;
const MOST_BYTES = 400 * 1024;
const LONGEST_KEY_BYTES = 2048;

/** Answers what the command's `ReturnValues` asks for. */
export function writeOne(kind: Kind, input: RowInput, table: MemoryTable, write: Write): object {
  const plan = planOf(kind, input, table);
  if (plan.isRefused) throw conditionFailed(itemOfRefusal(plan));
  const after = plan.after();
  write(table, plan.id, after);
  return returned(plan, after);
}

export type TransactItem = Partial<Record<Kind, RowInput>>;

/** Writes all of the items or none. */
export function writeAll(
  items: TransactItem[],
  tableOf: (input: RowInput) => MemoryTable,
  write: Write,
): object {
  if (items.length === 0 || items.length > MOST_ITEMS) throw invalid('A transaction has 1 to 100 items');
  const plans = items.map((item) => {
    const [kind, input] = Object.entries(item)[0] as [Kind, RowInput];
    return planOf(kind, input, tableOf(input));
  });
  const keys = new Set(plans.map(({ table, id }) => JSON.stringify([table.name, id])));
  if (keys.size < plans.length)
    throw invalid('Transaction request cannot include multiple operations on one item');
  const outcomes = plans.map(outcomeOf);
  const reasons = outcomes.map(({ reason }) => reason);
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons);
  for (const [at, { table, id, before }] of plans.entries()) {
    const { after } = outcomes[at]!;
    if (after !== before) write(table, id, after);
  }
  return {};
}

function outcomeOf(plan: Plan): { reason: CancellationReason; after?: Row } {
  const Item = itemOfRefusal(plan);
  if (plan.isRefused) return { reason: { ...CONDITION_FAILED, ...(Item && { Item }) } };
  try {
    return { reason: { Code: 'None' }, after: plan.after() };
  } catch (error) {
    if (!isOfItem(error)) throw error;
    return { reason: { Code: 'ValidationError', Message: error.message } };
  }
}

function planOf(kind: Kind, input: RowInput, table: MemoryTable): Plan {
  const words = wordsOf(input);
  const isAllowed = conditionOf(input.ConditionExpression, words);
  const updater = updateOf(input.UpdateExpression, words);
  words.requireAllUsed();
  const id = keyIn(kind === 'Put' ? input.Item : requireKey(input));
  const before = table.find(id);
  const nextOf = { Put: () => copyOut(input.Item), Update: () => updater.apply(before ?? { id }) };
  const nextRow = kind === 'Put' || kind === 'Update' ? nextOf[kind] : undefined;
  return {
    table,
    id,
    before,
    after() {
      if (!nextRow) return kind === 'Delete' ? undefined : before;
      const after = nextRow();
      table.requireIndexable(after!);
      if (bytesOf(after) > MOST_BYTES)
        throw invalidForItem('Item size has exceeded the maximum allowed size');
      return after;
    },
    isRefused: !isAllowed(before ?? {}),
    input,
    attributes: updater.attributes,
  };
}

function requireKey({ Key }: RowInput): Row | undefined {
  if (Object.keys(Key ?? {}).length !== 1)
    throw invalid('The provided key element does not match the schema');
  return Key;
}

export function keyIn(row: Row | undefined): string {
  const id = row?.id;
  if (typeof id !== 'string') throw invalid('The provided key element does not match the schema');
  const bytes = Buffer.byteLength(id);
  if (bytes === 0 || bytes > LONGEST_KEY_BYTES) throw invalid('A key has 1 to 2048 bytes');
  return id;
}

function itemOfRefusal({ before, input }: Plan) {
  const isAsked = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return isAsked && before ? asAttributes(before) : undefined;
}

function returned({ before, input, attributes }: Plan, after: Row | undefined): object {
  const asked = input.ReturnValues ?? 'NONE';
  const row = asked.endsWith('_OLD') ? before : after;
  if (asked === 'NONE' || !row) return {};
  if (asked.startsWith('ALL_')) return { Attributes: copyOut(row) };
  const named = Object.entries(row).filter(([name]) => attributes.includes(name));
  return named.length > 0 ? { Attributes: copyOut(Object.fromEntries(named)) } : {};
}
