/** The form in which a table is described, typed by the rows that the table holds. */
import type { Rows, ShardedAttributeOf } from '../adapters/dynamodb/rows.ts';
import type { Need } from '../domain/ports.ts';
import type { EndingTable } from '../domain/retention.ts';

export type TableName = keyof Rows;

/** The actions of DynamoDB that a function may have. No function deletes a row or scans a table. */
type Action = 'GetItem' | 'BatchGetItem' | 'PutItem' | 'UpdateItem' | 'ConditionCheckItem';

/**
 * A secondary index: rows with the same `key`, in the order of `sort`. A row without one of the two is not in the
 * index. The index holds keys alone, unless `projection` says that it holds whole rows. `sort` is a number, unless
 * `sortType` is `S`.
 */
export type Index<Key = { key: string; shards?: number }, Sort = { sort: string; sortType?: 'N' | 'S' }> = {
  projection?: 'ALL';
} & Key &
  Sort;

/** The rights of a need on the table. */
export type TableGrant<Attribute = string, IndexName = string> = {
  /** Actions on whole rows. */
  rows?: readonly Action[];
  /** Actions of requests that name no other attributes, not even in a condition. `id` is always allowed. */
  only?: { actions: readonly Action[]; attributes: readonly Attribute[] };
  queries?: readonly IndexName[];
};

type Grants<Attribute = string, IndexName = string> = {
  readonly [Name in Need]?: TableGrant<Attribute, IndexName>;
};

type Properties = {
  /** Each change of a row is read from a stream. */
  isStreamed?: true;
  /** The table has no point-in-time recovery, so that a restore cannot take it back. */
  isWithoutBackups?: true;
  /** The stack has no output with its name, because no operators' command reads it. */
  isWithoutOutput?: true;
};

export type Table<IndexName extends string = string> = Properties & {
  indexes: { readonly [Name in IndexName]: Index };
  ttl?: string;
  grants: Grants;
};

/** The names of the attributes that hold a `Value` in at least one kind of row. */
type Attribute<Row, Value = unknown> = Row extends unknown
  ? { [Name in keyof Row]-?: NonNullable<Row[Name]> extends Value ? Name : never }[keyof Row] & string
  : never;

/** The sort key of an index is a number or a string in the rows, and the description says which. */
type Sort<Row> =
  | { sort: Attribute<Row, number>; sortType?: 'N' }
  | { sort: Attribute<Row, string>; sortType: 'S' };

/** Attributes with few different values. Under such a key there are very many rows, unless the rows are rare. */
type FewValued<Row> = Row extends unknown
  ? {
      [Name in keyof Row]-?: string extends NonNullable<Row[Name]> ? never : Name;
    }[keyof Row] &
      Attribute<Row, string>
  : never;

/** An index is sharded exactly if its key is a `ShardedKey`. `rare` says why one with few keys need not be. */
type Key<Row, Name> =
  | { key: Exclude<Attribute<Row, string>, FewValued<Row>>; shards?: never }
  | { key: ShardedAttributeOf<Row>; shards: number; name: Name }
  | { key: Exclude<FewValued<Row>, ShardedAttributeOf<Row>>; shards?: never; rare: string };

type Description<Row, Indexes> = Properties & {
  indexes?: Indexes & { readonly [Name in keyof Indexes]: Index<Key<Row, Name>, Sort<Row>> };
  grants: Grants<Attribute<Row>, NoInfer<keyof Indexes & string>>;
};

/** A table has a time to live exactly where `functions/domain/retention.ts` says that rows of it end. */
type TimeToLive<Name extends TableName> = Name extends EndingTable
  ? { ttl: Attribute<Rows[Name], number> }
  : { ttl?: never };

/**
 * Tables by their names. A description that does not fit the rows does not compile. `Indexes` are the indexes of
 * each.
 */
export function describe<Indexes extends object>(
  descriptions: {
    [Name in keyof Indexes]: Description<Rows[Name & TableName], Indexes[Name]> &
      TimeToLive<Name & TableName>;
  },
) {
  const described = Object.entries<object>(descriptions).map(([name, each]) => [
    name,
    { indexes: {}, ...each },
  ]);
  return Object.fromEntries(described) as { [Name in keyof Indexes]: Table<keyof Indexes[Name] & string> };
}

/** The mark of `functions/domain/treasury/hold.ts`. No function can hold or release money. */
export const MARKING = { rows: ['GetItem'], only: { actions: ['UpdateItem'], attributes: ['at'] } } as const;
