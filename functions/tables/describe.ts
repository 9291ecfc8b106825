/** The form in which tables are described. The rows' types check each description. */
import type { Rows, ShardedAttributeOf } from '../adapters/dynamodb/rows.ts';
import type { Need } from '../domain/ports.ts';
import type { EndingTable } from '../domain/retention.ts';

export type TableName = keyof Rows;

/**
 * The actions of DynamoDB that a grant may have. No grant allows to delete rows or to scan a table. The
 * console has grants of its own: `infra/console-grants.ts`.
 */
type Action = 'GetItem' | 'BatchGetItem' | 'PutItem' | 'UpdateItem' | 'ConditionCheckItem';

/**
 * A secondary index. It lists rows with the same `key` in the order of `sort`. A row that lacks one of the
 * two attributes is not listed. The index has only keys, unless `projection` asks for whole rows. `sort` is a
 * number, unless `sortType` is `S`.
 */
export type Index<Key = { key: string; shards?: number }, Sort = { sort: string; sortType?: 'N' | 'S' }> = {
  projection?: 'ALL';
} & Key &
  Sort;

/** The rights on the table that a function gets if it declares this need. */
export type TableGrant<Attribute = string, IndexName = string> = {
  /** Actions that may read or write all attributes. */
  rows?: readonly Action[];
  /**
   * Actions whose requests may name only these attributes, in conditions too. `id` is always allowed. With `ids`, they
   * may name only rows whose ids fit one of these patterns.
   */
  only?: { actions: readonly Action[]; attributes: readonly Attribute[]; ids?: readonly string[] };
  /** Puts of rows whose ids fit one of these patterns. `*` is any text, and `?` is any character. */
  puts?: readonly string[];
  queries?: readonly IndexName[];
};

type Grants<Attribute = string, IndexName = string> = {
  readonly [Name in Need]?: TableGrant<Attribute, IndexName>;
};

type Properties = {
  /** Each change of a row goes to a stream, which an EventBridge pipe reads. */
  isStreamed?: true;
  /** The table has no point-in-time recovery, so that no restore can bring back an older state. */
  isWithoutBackups?: true;
  /** The stack has no output with the table's name, because no operators' command reads the table. */
  isWithoutOutput?: true;
};

export type TableDescription<IndexName extends string = string> = Properties & {
  indexes: { readonly [Name in IndexName]: Index };
  ttl?: string;
  grants: Grants;
};

/** The names of the attributes that have a `Value` in at least one kind of row. */
type Attribute<Row, Value = unknown> = Row extends unknown
  ? { [Name in keyof Row]-?: NonNullable<Row[Name]> extends Value ? Name : never }[keyof Row] & string
  : never;

/** The sort key of an index. The description must say `S` if the rows have text there. */
type Sort<Row> =
  | { sort: Attribute<Row, number>; sortType?: 'N' }
  | { sort: Attribute<Row, string>; sortType: 'S' };

/**
 * Attributes with few different values. If such an attribute is a key, very many rows have the same key, unless rows
 * are rare.
 */
type FewValued<Row> = Row extends unknown
  ? {
      [Name in keyof Row]-?: string extends NonNullable<Row[Name]> ? never : Name;
    }[keyof Row] &
      Attribute<Row, string>
  : never;

/**
 * The key of an index. It must be sharded exactly if it is a `ShardedKey`. `rare` explains why a key with few values
 * has no shards.
 */
type Key<Row, Name> =
  | { key: Exclude<Attribute<Row, string>, FewValued<Row>>; shards?: never }
  | { key: ShardedAttributeOf<Row>; shards: number; name: Name }
  | { key: Exclude<FewValued<Row>, ShardedAttributeOf<Row>>; shards?: never; rare: string };

type TableRowDescription<Row, Indexes> = Properties & {
  indexes?: Indexes & { readonly [Name in keyof Indexes]: Index<Key<Row, Name>, Sort<Row>> };
  grants: Grants<Attribute<Row>, NoInfer<keyof Indexes & string>>;
};

/** A table has a time to live exactly if `functions/domain/retention.ts` says that some of its rows expire. */
type TimeToLive<Name extends TableName> = Name extends EndingTable
  ? { ttl: Attribute<Rows[Name], number> }
  : { ttl?: never };

/**
 * Describes the tables by their names. TypeScript does not compile a description that does not fit the types
 * of the rows. `Indexes` has the indexes of each table.
 */
export function describe<Indexes extends object>(
  descriptions: {
    [Name in keyof Indexes]: TableRowDescription<Rows[Name & TableName], Indexes[Name]> &
      TimeToLive<Name & TableName>;
  },
) {
  const described = Object.entries<object>(descriptions).map(([name, each]) => [
    name,
    { indexes: {}, ...each },
  ]);
  return Object.fromEntries(described) as {
    [Name in keyof Indexes]: TableDescription<keyof Indexes[Name] & string>;
  };
}

/**
 * The grant to write the mark (`at`) of `functions/domain/treasury/hold.ts`. It allows no function to stop or
 * release the movements of money.
 */
export const MARKING = { rows: ['GetItem'], only: { actions: ['UpdateItem'], attributes: ['at'] } } as const;

/**
 * The grant to remove the time to live of a row, for a person under a litigation hold. It allows no function
 * to change other attributes or to delete the row.
 */
export const HOLDING = {
  rows: ['BatchGetItem'],
  only: { actions: ['UpdateItem'], attributes: ['ttl', 'heldTtl'] },
} as const;
