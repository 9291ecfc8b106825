import { invalid } from './dynamodb-errors.ts';
import { compare, type Row, typeOf } from './values.ts';

/** Of a table whose key is `id`, as all of this service are. A row without an index's keys is not in it. */
export type IndexSchema = {
  name: string;
  hash: string;
  range?: string;
  rangeType?: 'S' | 'N';
  keysOnly?: boolean;
};
export type TableSchema = { name: string; indexes?: readonly IndexSchema[] };

/** One write: what lay under `id` before. */
export type Change = { table: MemoryTable; id: string; before: Row | undefined };

/** Rows are never changed in place: a write puts another. */
export type MemoryTable = {
  name: string;
  find(id: string): Row | undefined;
  /** Undefined removes. */
  put(id: string, row: Row | undefined): void;
  /** Refuses a row whose index keys are of another type, as DynamoDB refuses the write. */
  requireIndexable(row: Row): void;
  all(): Row[];
  requireIndex(name: string): IndexSchema;
  /** The rows of one index partition in the order of its range key, after `undone` writes were taken back. */
  partition(index: IndexSchema, hash: unknown, undone: readonly Change[]): Row[];
};

export function memoryTable({ name, indexes = [] }: TableSchema): MemoryTable {
  const rows = new Map<string, Row>();
  const partitions = new Map(indexes.map((index) => [index.name, new Map<unknown, Map<string, Row>>()]));

  function place(index: IndexSchema, row: Row | undefined): Map<string, Row> | undefined {
    if (!row || !isIn(index, row)) return undefined;
    const ofIndex = partitions.get(index.name)!;
    const hash = row[index.hash];
    if (!ofIndex.has(hash)) ofIndex.set(hash, new Map());
    return ofIndex.get(hash);
  }

  const table: MemoryTable = {
    name,
    find: (id) => rows.get(id),
    put(id, row) {
      for (const index of indexes) {
        place(index, rows.get(id))?.delete(id);
        if (row) place(index, row)?.set(id, row);
      }
      if (row) rows.set(id, row);
      else rows.delete(id);
    },
    requireIndexable(row) {
      for (const { name: index, hash, range, rangeType = 'N' } of indexes) {
        requireType(row[hash], 'S', index);
        if (range !== undefined) requireType(row[range], rangeType, index);
      }
    },
    all: () => [...rows.values()],
    requireIndex(index) {
      const found = indexes.find((each) => each.name === index);
      if (!found) throw invalid(`The table does not have the specified index: ${index}`);
      return found;
    },
    partition(index, hash, undone) {
      const found = new Map(partitions.get(index.name)!.get(hash));
      // From the newest back: the oldest of the writes that are taken back decides.
      for (const { table: of, id, before } of undone) {
        if (of !== table) continue;
        found.delete(id);
        if (before && before[index.hash] === hash && isIn(index, before)) found.set(id, before);
      }
      return [...found.values()].sort((left, right) => inOrder(index, left, right));
    },
  };
  return table;
}

function isIn({ hash, range }: IndexSchema, row: Row): boolean {
  return row[hash] !== undefined && (range === undefined || row[range] !== undefined);
}

/** DynamoDB leaves the order of equal range keys open; here it is that of the ids. */
export function inOrder({ range }: IndexSchema, left: Row, right: Row): number {
  const byRange = range === undefined ? 0 : compare(left[range], right[range])!;
  return byRange || compare(left.id, right.id)!;
}

function requireType(value: unknown, type: string, index: string): void {
  if (value === undefined) return;
  if (typeOf(value) !== type) throw invalid(`Type mismatch for Index Key: ${index}`);
  if (value === '') throw invalid(`A key of index ${index} is an empty string`);
}
