import { beginsWith, compares, conditionOf } from './condition.ts';
import { findAt, resolve, type WordInput, type Words, wordsOf } from './document-path.ts';
import { invalid } from './dynamodb-errors.ts';
import { type Condition, type Operand, parseCondition } from './expression-parser.ts';
import { type Change, type IndexSchema, inOrder, type MemoryTable } from './tables.ts';
import { copyOut, type Row } from './values.ts';

export type ReadInput = WordInput & {
  TableName?: string;
  IndexName?: string;
  KeyConditionExpression?: string;
  FilterExpression?: string;
  Limit?: number;
  ScanIndexForward?: boolean;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: Row;
};

type Page = { Items: Row[]; Count: number; ScannedCount: number; LastEvaluatedKey?: Row };

/** The table itself as an index with one row per partition. */
const PRIMARY: IndexSchema = { name: '', hash: 'id' };

/** A page of a query. An index answers as before the writes in `undone`. */
export function query(input: ReadInput, table: MemoryTable, undone: readonly Change[]): Page {
  const index = input.IndexName === undefined ? PRIMARY : table.requireIndex(input.IndexName);
  if (input.IndexName !== undefined && input.ConsistentRead)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  const words = wordsOf(input);
  const { hash, isInRange } = keyConditionOf(input.KeyConditionExpression, index, words);
  const isWanted = conditionOf(input.FilterExpression, words);
  words.requireAllUsed();
  const rows = index === PRIMARY ? [table.find(String(hash))] : table.partition(index, hash, undone);
  const found = rows.filter((row) => row !== undefined).filter(isInRange);
  return pageOf(input.ScanIndexForward === false ? found.reverse() : found, input, { index, isWanted });
}

/** A page of the whole table, in the order of the ids. */
export function scan(input: ReadInput, table: MemoryTable): Page {
  const words = wordsOf(input);
  const isWanted = conditionOf(input.FilterExpression, words);
  words.requireAllUsed();
  const rows = table.all().sort((left, right) => inOrder(PRIMARY, left, right));
  return pageOf(rows, input, { index: PRIMARY, isWanted });
}

type Search = { index: IndexSchema; isWanted: (row: Row) => boolean };

/** The limit applies before the filter. A page can therefore be empty and yet not be the last. */
function pageOf(rows: Row[], input: ReadInput, { index, isWanted }: Search): Page {
  const { Limit, ExclusiveStartKey: start, ScanIndexForward } = input;
  if (Limit !== undefined && Limit < 1) throw invalid('Limit is at least 1');
  const isAfter = (row: Row) =>
    (ScanIndexForward === false ? inOrder(index, start!, row) : inOrder(index, row, start!)) > 0;
  const rest = start ? rows.filter(isAfter) : rows;
  const looked = rest.slice(0, Limit);
  const found = looked.filter(isWanted).map((row) => (index.keysOnly ? keysOf(index, row) : row));
  const isCut = Limit !== undefined && looked.length === Limit;
  return {
    Items: copyOut(found),
    Count: found.length,
    ScannedCount: looked.length,
    ...(isCut && { LastEvaluatedKey: keysOf(index, looked.at(-1)!) }),
  };
}

function keysOf({ hash, range }: IndexSchema, row: Row): Row {
  return { id: row.id, [hash]: row[hash], ...(range !== undefined && { [range]: row[range] }) };
}

type KeyCondition = { hash: unknown; isInRange: (row: Row) => boolean };

/** A key condition is `hash = :v` and at most one condition on the range key. */
function keyConditionOf(text: string | undefined, index: IndexSchema, words: Words): KeyCondition {
  if (text === undefined)
    throw invalid('Either the KeyConditions or KeyConditionExpression must be specified');
  const parts = conjunctsOf(parseCondition(text));
  const comparesKey = (part: Condition, key: string | undefined) => {
    const operand = keyOperandOf(part);
    return operand?.kind === 'path' && resolve(operand.path, words).join('.') === key;
  };
  const hashPart = parts.find(
    (part) => part.kind === 'compare' && part.operator === '=' && comparesKey(part, index.hash),
  );
  const others = parts.filter((part) => part !== hashPart);
  if (
    hashPart?.kind !== 'compare' ||
    others.length > 1 ||
    others.some((part) => !comparesKey(part, index.range))
  )
    throw invalid('Query condition missed key schema element');
  const hash = literal(hashPart.right, words);
  if (typeof hash !== 'string')
    throw invalid('One or more parameter values were invalid: Condition parameter type');
  return { hash, isInRange: rangeOf(others[0], index, words) };
}

function conjunctsOf(condition: Condition): Condition[] {
  if (condition.kind !== 'and') return [condition];
  return [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)];
}

function keyOperandOf(part: Condition): Operand | undefined {
  if (part.kind === 'compare') return part.left;
  if (part.kind === 'between') return part.of;
  return part.kind === 'test' ? part.of[0] : undefined;
}

function rangeOf(part: Condition | undefined, index: IndexSchema, words: Words): KeyCondition['isInRange'] {
  if (!part) return () => true;
  const at = (row: Row) => findAt(row, [index.range!]);
  if (part.kind === 'compare' && part.operator !== '<>') {
    const { operator, right } = part;
    const bound = literal(right, words);
    return (row) => compares(operator, at(row), bound);
  }
  if (part.kind === 'between') {
    const [low, high] = [literal(part.low, words), literal(part.high, words)];
    if (compares('>', low, high)) throw invalid('The BETWEEN operator requires upper bound >= lower bound');
    return (row) => compares('>=', at(row), low) && compares('<=', at(row), high);
  }
  if (part.kind !== 'test' || part.name !== 'begins_with') throw invalid('Query key condition not supported');
  const start = literal(part.of[1]!, words);
  return (row) => beginsWith(at(row), start);
}

function literal(operand: Operand, words: Words): unknown {
  if (operand.kind !== 'value') throw invalid('A key is compared with a value');
  return words.value(operand.name);
}
