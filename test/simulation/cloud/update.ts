import { closeHoles, findAt, pathsOf, removeAt, resolve, setAt, type Words } from './document-path.ts';
import { invalid, invalidForItem } from './dynamodb-errors.ts';
import { type Operand, type Path, parseUpdate, type Sum, type Update } from './expression-parser.ts';
import { add, copyOut, isMember, type Row, type TypeName, typeOf } from './values.ts';

export type Updater = {
  /** Returns the item after the update. `row` stays unchanged. */
  apply(row: Row): Row;
  /** The attributes that the expression names. `UPDATED_OLD` and `UPDATED_NEW` answer them. */
  attributes: readonly string[];
};

/** Checks an update expression as far as possible without an item. */
export function updateOf(text: string | undefined, words: Words): Updater {
  if (text === undefined) return { apply: copyOut, attributes: [] };
  const update = parseUpdate(text);
  const paths = targetsOf(update).map((path) => resolve(path, words));
  requireApart(paths);
  if (paths.some(([first]) => first === 'id'))
    throw invalid('Cannot update attribute id. This attribute is part of the key');
  checkWords(update, words);
  return { apply: (row) => applied(update, row, words), attributes: paths.map(([first]) => String(first)) };
}

function targetsOf(update: Update): Path[] {
  const changes = [...update.set, ...update.add, ...update.delete];
  return [...changes.map(({ path }) => path), ...update.remove];
}

function requireApart(paths: readonly Path[]): void {
  const isStart = (path: Path, other: Path) => path.every((step, at) => other[at] === step);
  const overlap = paths.some((path, at) => paths.some((other, of) => at !== of && isStart(path, other)));
  if (overlap) throw invalid('Two document paths overlap with each other');
}

function checkWords(update: Update, words: Words): void {
  for (const { sum } of update.set) {
    for (const each of operandsOf(sum)) checkOperand(each, words);
    if (sum.more) for (const each of operandsOf(sum)) requireType(each, ['N'], words);
  }
  for (const { path, value } of [...update.add, ...update.delete]) {
    // DynamoDB's documentation allows only top-level attributes, and our stores send no others.
    if (path.length > 1) throw new Error('ADD and DELETE of a nested attribute are not simulated');
    checkOperand(value, words);
  }
  for (const { value } of update.add) requireType(value, ['N', 'SS', 'NS', 'BS'], words);
  for (const { value } of update.delete) requireType(value, ['SS', 'NS', 'BS'], words);
}

function operandsOf({ left, more }: Sum): Operand[] {
  return more ? [left, more.right] : [left];
}

function checkOperand(operand: Operand, words: Words): void {
  for (const path of pathsOf(operand)) resolve(path, words);
  if (operand.kind === 'value') words.value(operand.name);
  if (operand.kind !== 'call') return;
  for (const each of operand.of) {
    checkOperand(each, words);
    if (operand.name === 'list_append') requireType(each, ['L'], words);
  }
}

function requireType(operand: Operand, types: readonly TypeName[], words: Words): void {
  if (operand.kind !== 'value') return;
  const type = typeOf(words.value(operand.name));
  if (!types.includes(type)) throw invalid(`Incorrect operand type for operator or function: ${type}`);
}

/** Every right side is computed from the item before the update. */
function applied(update: Update, row: Row, words: Words): Row {
  const assignments = update.set.map(({ path, sum }) => [path, sumOf(sum, row, words)] as const);
  const next = copyOut(row);
  for (const [path, value] of assignments) setAt(next, resolve(path, words), value);
  for (const { path, value } of update.add) enlarge(next, resolve(path, words), valueIn(value, row, words));
  for (const { path, value } of update.delete) reduce(next, resolve(path, words), valueIn(value, row, words));
  for (const path of update.remove) removeAt(next, resolve(path, words));
  return closeHoles(next) as Row;
}

function sumOf({ left, more }: Sum, row: Row, words: Words): unknown {
  const first = valueIn(left, row, words);
  return more ? add(first, valueIn(more.right, row, words), more.sign) : first;
}

function valueIn(operand: Operand, row: Row, words: Words): unknown {
  if (operand.kind === 'value') return copyOut(words.value(operand.name));
  if (operand.kind === 'path') {
    const found = findAt(row, resolve(operand.path, words));
    if (found !== undefined) return copyOut(found);
    throw invalidForItem('The provided expression refers to an attribute that does not exist in the item');
  }
  const [first, second] = operand.of as [Operand, Operand];
  if (operand.name === 'list_append')
    return listAppend(valueIn(first, row, words), valueIn(second, row, words));
  const there = first.kind === 'path' ? findAt(row, resolve(first.path, words)) : undefined;
  return there === undefined ? valueIn(second, row, words) : copyOut(there);
}

function listAppend(left: unknown, right: unknown): unknown[] {
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  throw invalidForItem('An operand in the update expression has an incorrect data type');
}

function enlarge(row: Row, path: Path, value: unknown): void {
  const there = findAt(row, path);
  if (there === undefined) setAt(row, path, value);
  else setAt(row, path, larger(there, value));
}

function larger(there: unknown, value: unknown): unknown {
  requireSame(there, value);
  return value instanceof Set ? union(there as Set<unknown>, value) : add(there, value, 1);
}

/** A set that loses its last member is removed. */
function reduce(row: Row, path: Path, value: unknown): void {
  const there = findAt(row, path) as Set<unknown> | undefined;
  if (there === undefined) return;
  requireSame(there, value);
  const left = [...there].filter((each) => !isMember(value as Set<unknown>, each));
  if (left.length > 0) setAt(row, path, new Set(left));
  else removeAt(row, path);
}

function union(set: Set<unknown>, more: Set<unknown>): Set<unknown> {
  return new Set([...set, ...[...more].filter((each) => !isMember(set, each))]);
}

function requireSame(there: unknown, value: unknown): void {
  if (typeOf(there) !== typeOf(value))
    throw invalidForItem('An operand in the update expression has an incorrect data type');
}
