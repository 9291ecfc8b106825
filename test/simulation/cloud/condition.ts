import { findAt, resolve, type Words } from './document-path.ts';
import { invalid } from './dynamodb-errors.ts';
import { type Condition, type Operand, parseCondition } from './expression-parser.ts';
import { compare, isEqual, isMember, type Row, TYPE_NAMES, typeOf } from './values.ts';

const ORDERED = ['S', 'N', 'B'];

/**
 * Checks a condition or filter as far as possible without an item. The returned function says whether an item
 * satisfies it.
 */
export function conditionOf(text: string | undefined, words: Words): (row: Row) => boolean {
  if (text === undefined) return () => true;
  const condition = parseCondition(text);
  check(condition, words);
  return (row) => holds(condition, row, words);
}

/** Looks up all names and values, as DynamoDB does, even those that the evaluation does not reach. */
function check(condition: Condition, words: Words): void {
  if (condition.kind === 'and' || condition.kind === 'or') {
    check(condition.left, words);
    check(condition.right, words);
  } else if (condition.kind === 'not') check(condition.of, words);
  else checkPredicate(condition, words);
}

type Predicate = Exclude<Condition, { kind: 'and' | 'or' | 'not' }>;

function checkPredicate(predicate: Predicate, words: Words): void {
  const operands = operandsOf(predicate);
  for (const operand of operands) checkOperand(operand, words);
  if (needsOrder(predicate)) for (const operand of operands) requireType(operand, ORDERED, words);
  if (predicate.kind === 'between') checkBounds(predicate, words);
  if (predicate.kind !== 'test') return;
  const [, second] = predicate.of;
  if (predicate.name === 'begins_with') requireType(second!, ['S', 'B'], words);
  if (predicate.name === 'attribute_type') checkTypeName(second!, words);
}

function needsOrder(predicate: Predicate): boolean {
  if (predicate.kind === 'compare') return !['=', '<>'].includes(predicate.operator);
  return predicate.kind === 'between';
}

function operandsOf(predicate: Predicate): readonly Operand[] {
  if (predicate.kind === 'compare') return [predicate.left, predicate.right];
  if (predicate.kind === 'between') return [predicate.of, predicate.low, predicate.high];
  return predicate.kind === 'in' ? [predicate.of, ...predicate.among] : predicate.of;
}

function checkOperand(operand: Operand, words: Words): void {
  if (operand.kind === 'path') resolve(operand.path, words);
  else if (operand.kind === 'value') words.value(operand.name);
  else for (const each of operand.of) checkOperand(each, words);
}

function requireType(operand: Operand, types: readonly string[], words: Words): void {
  if (operand.kind !== 'value') return;
  const type = typeOf(words.value(operand.name));
  if (!types.includes(type)) throw invalid(`Incorrect operand type for operator or function: ${type}`);
}

function checkBounds({ low, high }: Predicate & { kind: 'between' }, words: Words): void {
  if (low.kind !== 'value' || high.kind !== 'value') return;
  const order = compare(words.value(low.name), words.value(high.name));
  if (order === undefined || order > 0)
    throw invalid('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
}

function checkTypeName(operand: Operand, words: Words): void {
  const name = operand.kind === 'value' ? words.value(operand.name) : undefined;
  if (!TYPE_NAMES.includes(String(name))) throw invalid(`Invalid attribute type name found: ${String(name)}`);
}

function holds(condition: Condition, row: Row, words: Words): boolean {
  const of = (operand: Operand) => valueIn(operand, row, words);
  switch (condition.kind) {
    case 'and':
      return holds(condition.left, row, words) && holds(condition.right, row, words);
    case 'or':
      return holds(condition.left, row, words) || holds(condition.right, row, words);
    case 'not':
      return !holds(condition.of, row, words);
    case 'compare':
      return compares(condition.operator, of(condition.left), of(condition.right));
    case 'between':
      return (
        compares('>=', of(condition.of), of(condition.low)) &&
        compares('<=', of(condition.of), of(condition.high))
      );
    case 'in':
      return condition.among.some((each) => compares('=', of(condition.of), of(each)));
    case 'test':
      return passes(condition.name, condition.of.map(of));
  }
}

/** A missing attribute equals nothing, so `<>` is true for it. */
export function compares(operator: string, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return operator === '<>';
  if (operator === '=') return isEqual(left, right);
  if (operator === '<>') return !isEqual(left, right);
  const order = compare(left, right);
  if (order === undefined) return false;
  if (order === 0) return operator !== '<' && operator !== '>';
  return operator.startsWith(order < 0 ? '<' : '>');
}

function passes(name: string, [first, second]: unknown[]): boolean {
  if (name === 'attribute_exists') return first !== undefined;
  if (name === 'attribute_not_exists') return first === undefined;
  if (first === undefined || second === undefined) return false;
  if (name === 'attribute_type') return typeOf(first) === second;
  return name === 'begins_with' ? beginsWith(first, second) : contains(first, second);
}

export function beginsWith(value: unknown, start: unknown): boolean {
  if (typeof value === 'string' && typeof start === 'string') return value.startsWith(start);
  if (!(value instanceof Uint8Array && start instanceof Uint8Array)) return false;
  return isEqual(value.slice(0, start.length), start);
}

function contains(value: unknown, part: unknown): boolean {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
  if (Array.isArray(value)) return value.some((each) => isEqual(each, part));
  return value instanceof Set && isMember(value, part);
}

function valueIn(operand: Operand, row: Row, words: Words): unknown {
  if (operand.kind === 'value') return words.value(operand.name);
  if (operand.kind === 'path') return findAt(row, resolve(operand.path, words));
  return sizeOf(valueIn(operand.of[0]!, row, words));
}

/** Undefined for a value to which DynamoDB gives no size. No comparison is true for it. */
function sizeOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Set) return value.size;
  return typeOf(value) === 'M' ? Object.keys(value as Row).length : undefined;
}
