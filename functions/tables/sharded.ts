/**
 * The indexes in which very many rows would have the same key. DynamoDB writes at most 1,000 units a second under one
 * key of an index. Beyond that it refuses writes of the table itself. Therefore each key ends with the number of a
 * shard, which is computed from the row's id. The stores in `functions/adapters/dynamodb/` and the descriptions of the
 * tables both use these objects.
 */

declare const sharded: unique symbol;
/** A key that includes its shard. Only `keyIn` (`functions/adapters/dynamodb/shards.ts`) makes one. */
export type ShardedKey = string & { readonly [sharded]: true };

export type ShardedIndex = {
  name: string;
  key: string;
  sort: string;
  shards: number;
};

/**
 * One purchase writes about ten units to an index at most, so four shards are enough for 400 purchases a second. The
 * floats and one chain bear fewer: docs/capacity.md. Each schedule reads all shards each minute, so more shards would
 * make an idle month dearer. The number may grow, because the shards of old rows are still read. It must
 * never become smaller.
 */
const SHARDS = 4;

/** The index of rows that a schedule must visit, in the order of the instant of their next visit. */
export const DUE = { name: 'due', key: 'sweep', sort: 'nextCheckAt', shards: SHARDS } as const;
/**
 * The index of deliveries that wait, in the order of partner and due instant. A schedule can therefore read
 * an equal share for each partner.
 */
export const DELIVERIES_DUE = {
  name: 'due',
  key: 'due',
  sort: 'lookAt',
  sortType: 'S',
  shards: SHARDS,
} as const;
/**
 * The index of KYC records that must be searched again after a change of the lists. They are in the order of
 * the version of their last search.
 */
export const SCREENED = {
  name: 'screened',
  key: 'live',
  sort: 'screenedWith',
  sortType: 'S',
  shards: SHARDS,
} as const;
/** The index of cases by their status. */
export const BY_STATUS = { name: 'byStatus', key: 'statusKey', sort: 'openedAt', shards: SHARDS } as const;
/** The index of review cases by the instant of their decision. */
export const DECIDED = { name: 'decided', key: 'decidedKey', sort: 'decidedAt', shards: SHARDS } as const;
/** The index of unmatched payments that are not returned yet. */
export const OPEN = { name: 'open', key: 'open', sort: 'foundAt', shards: SHARDS } as const;
/** The index of reservations that are deducted from a float, and of open promises. */
export const HELD = { name: 'held', key: 'heldKey', sort: 'reservedAt', shards: SHARDS } as const;
/**
 * The index of the postings or the archived objects of a day, as whole rows. They need no second read,
 * because they never change.
 */
export const DAY = { name: 'day', key: 'dayKey', sort: 'at', projection: 'ALL', shards: SHARDS } as const;

/** The index of evidence by the day of the decision. */
export const EVIDENCE_DAY = { name: 'day', key: 'dayKey', sort: 'at', shards: SHARDS } as const;
/** The index of purchases that have ended, and whose history is not archived yet. */
export const UNARCHIVED = {
  name: 'unarchived',
  key: 'archiveKey',
  sort: 'archiveAt',
  shards: SHARDS,
} as const;

/** The names of these indexes. */
export type ShardedName = (
  | typeof DUE
  | typeof DELIVERIES_DUE
  | typeof SCREENED
  | typeof BY_STATUS
  | typeof DECIDED
  | typeof OPEN
  | typeof HELD
  | typeof DAY
  | typeof EVIDENCE_DAY
  | typeof UNARCHIVED
)['name'];
