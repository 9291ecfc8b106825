import { invalid } from './dynamodb-errors.ts';
import { compare, type Row, typeOf } from './values.ts';

/**
 * An index of a table whose key is `id`. All tables of this service have this key. A row without the index's keys is
 * not in the index.
 */
export type IndexSchema = {
  name: string;
  hash: string;
  range?: string;
  rangeType?: 'S' | 'N';
  keysOnly?: boolean;
};
export type TableSchema = { name: string; indexes?: readonly IndexSchema[] };

/** One write, with the row that was under `id` before. */
export type Change = { table: MemoryTable; id: string; before: Row | undefined };

/** The table never changes a row in place. Each write puts a new row. */
export type MemoryTable = {
  name: string;
  find(id: string): Row | undefined;
  /** Puts the row in place of the one with this id. If `row` is undefined, the row is removed. */
  put(id: string, row: Row | undefined): void;
  /** Refuses a row whose index keys have the wrong type, as DynamoDB refuses it. */
  requireIndexable(row: Row): void;
  all(): Row[];
  requireIndex(name: string): IndexSchema;
  /** The rows of one index partition in the order of the range key, as they were before the `undone` writes. */
  partition(index: IndexSchema, hash: unknown, undone: readonly Change[]): readonly Row[];
};

/** `sorted` are the rows in order, once a query has asked for them. Each write forgets them. */
type Partition = { rows: Map<string, Row>; sorted: Row[] | undefined };

export function memoryTable({ name, indexes = [] }: TableSchema): MemoryTable {
  const rows = new Map<string, Row>();
  const partitions = new Map(indexes.map((index) => [index.name, new Map<unknown, Partition>()]));

  /** The rows of a row's partition, for a write to it. The partition forgets its order. */
  function openPartition(index: IndexSchema, row: Row | undefined): Map<string, Row> | undefined {
    if (!row || !isIn(index, row)) return undefined;
    const ofIndex = partitions.get(index.name)!;
    const hash = row[index.hash];
    const partition = ofIndex.get(hash) ?? { rows: new Map(), sorted: undefined };
    ofIndex.set(hash, partition);
    partition.sorted = undefined;
    return partition.rows;
  }

  const table: MemoryTable = {
    name,
    find: (id) => rows.get(id),
    put(id, row) {
      for (const index of indexes) {
        openPartition(index, rows.get(id))?.delete(id);
        if (row) openPartition(index, row)?.set(id, row);
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
      const partition = partitions.get(index.name)!.get(hash);
      const sort = (found: Iterable<Row>) => [...found].sort((left, right) => inOrder(index, left, right));
      if (partition && undone.length === 0) {
        partition.sorted ??= sort(partition.rows.values());
        return partition.sorted;
      }
      const found = new Map(partition?.rows);
      // The newest write comes first, so the oldest undone write decides in the end.
      for (const { table: of, id, before } of undone) {
        if (of !== table) continue;
        found.delete(id);
        if (before && before[index.hash] === hash && isIn(index, before)) found.set(id, before);
      }
      return sort(found.values());
    },
  };
  return table;
}

function isIn({ hash, range }: IndexSchema, row: Row): boolean {
  return row[hash] !== undefined && (range === undefined || row[range] !== undefined);
}

/** DynamoDB does not define the order of equal range keys. Here the ids decide. */
export function inOrder({ range }: IndexSchema, left: Row, right: Row): number {
  const byRange = range === undefined ? 0 : compare(left[range], right[range])!;
  return byRange || compare(left.id, right.id)!;
}

function requireType(value: unknown, type: string, index: string): void {
  if (value === undefined) return;
  if (typeOf(value) !== type) throw invalid(`Type mismatch for Index Key: ${index}`);
  if (value === '') throw invalid(`A key of index ${index} is an empty string`);
}
