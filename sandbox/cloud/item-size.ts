import { type Fields, fields, list, text } from './wire.ts';

/**
 * Functions that return the size in bytes of a value, by the value's type. Source: DynamoDB, "Item sizes and
 * formats".
 */
const SIZES: Record<string, (value: unknown) => number> = {
  S: (value) => Buffer.byteLength(text(value)),
  N: (value) => Math.ceil(text(value).length / 2) + 1,
  B: (value) => Buffer.byteLength(text(value), 'base64'),
  BOOL: () => 1,
  NULL: () => 1,
  SS: (value) => sum(list(value).map((each) => Buffer.byteLength(text(each)))),
  NS: (value) => sum(list(value).map((each) => text(each).length)),
  BS: (value) => sum(list(value).map((each) => Buffer.byteLength(text(each), 'base64'))),
  L: (value) => 3 + sum(list(value).map((each) => 1 + valueBytes(each))),
  M: (value) => 3 + Object.keys(fields(value)).length + itemBytes(fields(value)),
};

/** The size of an item in DynamoDB's JSON: the bytes of its attributes' names and values. */
export function itemBytes(item: Fields): number {
  return sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueBytes(value)));
}

function valueBytes(value: unknown): number {
  const [[kind = '', content] = []] = Object.entries(fields(value));
  return SIZES[kind]?.(content) ?? 0;
}

const sum = (sizes: number[]) => sizes.reduce((total, each) => total + each, 0);
