/**
 * The indexes in which very many rows would have the same key. DynamoDB writes at most 1,000 units a second under one
 * key of an index, and then also refuses writes of the table. Therefore the key ends with the number of a shard, which
 * follows from the row's id. Writers and readers of `functions/adapters/dynamodb/` and the descriptions of the tables
 * use these objects.
 */

declare const sharded: unique symbol;
/** A key with its shard. Only `keyIn` (`functions/adapters/dynamodb/shards.ts`) makes one. */
export type ShardedKey = string & { readonly [sharded]: true };

export type ShardedIndex = {
  name: string;
  key: string;
  sort: string;
  shards: number;
};

/**
 * A purchase writes at most some ten units to one of these indexes, so 16 shards bear 1,000 purchases a second:
 * docs/decisions.md,
 * "Sharded indexes". The number may grow, because old rows stay in shards that are read. It may never fall.
 */
const SHARDS = 16;

/** The rows that a schedule must visit, by the instant of the visit. */
export const DUE = { name: 'due', key: 'sweep', sort: 'nextCheckAt', shards: SHARDS } as const;
/** Deliveries that wait, by partner and instant, so that each partner gets its share. */
export const DELIVERIES_DUE = {
  name: 'due',
  key: 'due',
  sort: 'lookAt',
  sortType: 'S',
  shards: SHARDS,
} as const;
/** Records that are screened again after a change of the lists, by the version of their last search. */
export const SCREENED = {
  name: 'screened',
  key: 'live',
  sort: 'screenedWith',
  sortType: 'S',
  shards: SHARDS,
} as const;
/** Cases by their status. */
export const BY_STATUS = { name: 'byStatus', key: 'statusKey', sort: 'openedAt', shards: SHARDS } as const;
/** Unmatched payments that are not returned. */
export const OPEN = { name: 'open', key: 'open', sort: 'foundAt', shards: SHARDS } as const;
/** The reservations that are deducted from a float. */
export const HELD = { name: 'held', key: 'heldKey', sort: 'reservedAt', shards: SHARDS } as const;
/** The postings of a day, as whole rows, because a posting never changes. */
export const DAY = { name: 'day', key: 'dayKey', sort: 'at', projection: 'ALL', shards: SHARDS } as const;

/** The names of the indexes that are read by their shards. */
export type ShardedName = (
  | typeof DUE
  | typeof DELIVERIES_DUE
  | typeof SCREENED
  | typeof BY_STATUS
  | typeof OPEN
  | typeof HELD
  | typeof DAY
)['name'];
