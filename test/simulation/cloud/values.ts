import { convertToAttr, marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { invalid, invalidForItem } from './dynamodb-errors.ts';

/** A row as the document client reads it. Unsafe integers are bigints, sets are `Set`, and no value is undefined. */
export type Row = Record<string, unknown>;

/** DynamoDB's names of the types. */
export type TypeName = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'M' | 'L' | 'SS' | 'NS' | 'BS';
export const TYPE_NAMES: readonly string[] = ['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS'];

/** The options of `functions/adapters/aws/clients/dynamodb.ts`. A test compares them. */
export const MARSHALL_OPTIONS = { removeUndefinedValues: true };
const MOST_DIGITS = 38;

/**
 * Copies a value as the document client sends and reads it. Undefined is left out, and a bigint that is a safe
 * integer becomes a number. Throws on the values on which the client throws.
 */
export function copyIn(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  // Adding 0 turns -0 into 0, as DynamoDB does.
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value + 0;
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(copyIn);
  if (isPlain(value)) return copyEntries(value);
  return viaClient(value);
}

function copyEntries(value: object): Row {
  const copy: Row = {};
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined && typeof each !== 'function') copy[name] = copyIn(each);
  }
  return copy;
}

function viaClient(value: unknown): unknown {
  const attribute = convertToAttr(value as bigint, MARSHALL_OPTIONS);
  const numbers = attribute.NS ?? (attribute.N === undefined ? [] : [attribute.N]);
  if (numbers.some((digits) => digits.replace(/^-|0+$/g, '').length > MOST_DIGITS))
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  return unmarshall({ value: attribute }).value;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A deep copy of a stored value. */
export function copyOut<Given>(value: Given): Given;
export function copyOut(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => copyOut(each));
  if (value instanceof Set) return new Set(value);
  if (value instanceof Uint8Array) return value.slice();
  const copy: Row = {};
  for (const name of Object.keys(value)) copy[name] = copyOut((value as Row)[name]);
  return copy;
}

/** The form of an item in an exception, because the client does not unmarshal exceptions. */
export function asAttributes(row: Row) {
  return marshall(row, MARSHALL_OPTIONS);
}

export function typeOf(value: unknown): TypeName {
  if (typeof value === 'string') return 'S';
  if (typeof value === 'number' || typeof value === 'bigint') return 'N';
  if (typeof value === 'boolean') return 'BOOL';
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Uint8Array) return 'B';
  if (!(value instanceof Set)) return 'M';
  const type = typeOf([...value][0]);
  return type === 'S' ? 'SS' : type === 'N' ? 'NS' : 'BS';
}

export function isEqual(left: unknown, right: unknown): boolean {
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  if (type === 'B') return Buffer.compare(left as Uint8Array, right as Uint8Array) === 0;
  if (type === 'L') return areEqualLists(left as unknown[], right as unknown[]);
  if (type === 'M') return areEqualMaps(left as Row, right as Row);
  if (left instanceof Set && right instanceof Set)
    return left.size === right.size && [...left].every((each) => isMember(right, each));
  return left === right;
}

function areEqualLists(left: unknown[], right: unknown[]): boolean {
  return left.length === right.length && left.every((each, at) => isEqual(each, right[at]));
}

function areEqualMaps(left: Row, right: Row): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]));
}

/** Compares bytes by their content. `Set` compares them by identity. */
export function isMember(set: ReadonlySet<unknown>, value: unknown): boolean {
  return set.has(value) || (value instanceof Uint8Array && [...set].some((each) => isEqual(each, value)));
}

/**
 * Negative, zero or positive; undefined when DynamoDB does not order the two values. Strings are ordered by their
 * UTF-8 bytes.
 */
export function compare(left: unknown, right: unknown): number | undefined {
  const type = typeOf(left);
  if (type !== typeOf(right)) return undefined;
  if (type === 'N') return left === right ? 0 : (left as number) < (right as number) ? -1 : 1;
  if (type === 'S') return compareTexts(left as string, right as string);
  if (type === 'B') return Buffer.compare(left as Uint8Array, right as Uint8Array);
  return undefined;
}

/** JavaScript orders texts by their UTF-16 units. That differs from the order of UTF-8 only at surrogates. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (SURROGATE.test(left) || SURROGATE.test(right))
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : 1;
}
const SURROGATE = /[\ud800-\udfff]/;

/** `left + sign × right` in decimal arithmetic, as DynamoDB computes it. */
export function add(left: unknown, right: unknown, sign: 1 | -1): number | bigint {
  if (typeOf(left) !== 'N' || typeOf(right) !== 'N')
    throw invalidForItem('An operand in the update expression has an incorrect data type');
  const [a, b] = [decimalOf(left), decimalOf(right)];
  const scale = Math.max(a.scale, b.scale);
  const units = (each: typeof a) => each.units * 10n ** BigInt(scale - each.scale);
  const sum = units(a) + BigInt(sign) * units(b);
  return scale === 0 ? (copyIn(sum) as number | bigint) : Number(`${sum}e-${scale}`);
}

function decimalOf(value: unknown): { units: bigint; scale: number } {
  if (typeof value === 'bigint') return { units: value, scale: 0 };
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** Approximately the number of bytes that DynamoDB counts (docs, "DynamoDB item sizes and formats"). */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value).length / 2 + 2;
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  const parts = Array.isArray(value) || value instanceof Set ? [...value] : Object.entries(value).flat();
  return parts.reduce((bytes: number, part) => bytes + bytesOf(part) + 1, 3);
}
