import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import type { Table, TableName } from '../../functions/tables/describe.ts';
import type { ShardedName } from '../../functions/tables/sharded.ts';
import { type IndexName, TABLES } from '../../functions/tables.ts';

/** A row as stored. Its secrets are ciphertext. */
export type Row = Record<string, unknown>;

/**
 * The tables with rows about a client or a purchase. `requests`, `witness`, `floats` and `partners` have none. A row of
 * `reservations` repeats an amount of its purchase, and ends after a day.
 */
export type DossierTable = Exclude<
  TableName,
  'requests' | 'witness' | 'floats' | 'reservations' | 'partners'
>;

/** Reads all rows about a client or a purchase. Only the operators' command has this part, and no function. */
export type Dossier = {
  /** The existing rows, in the order of `ids`. Consistent. */
  listRows(table: DossierTable, ids: readonly string[]): Promise<Row[]>;
  /** The rows that an index finds, the oldest first. The newest may not be in the index yet. */
  listBy<Name extends DossierTable>(
    table: Name,
    index: Exclude<IndexName<Name>, ShardedName>,
    value: string,
  ): Promise<Row[]>;
  /** Reads a whole table, for rows that no index finds. */
  listWhere(table: DossierTable, isWanted: (row: Row) => boolean): Promise<Row[]>;
};

export function dossier(client: DynamoDBDocumentClient, names: Record<DossierTable, string>): Dossier {
  async function listRows(table: DossierTable, ids: readonly string[]): Promise<Row[]> {
    const found = new Map<string, Row>();
    const name = names[table];
    for (let keys = [...new Set(ids)].map((id) => ({ id })); keys.length > 0; ) {
      const Keys = keys.slice(0, BATCH);
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetCommand({ RequestItems: { [name]: { Keys, ConsistentRead: true } } }),
      );
      for (const row of Responses?.[name] ?? []) found.set(String(row.id), row);
      const left = (UnprocessedKeys?.[name]?.Keys ?? []) as { id: string }[];
      keys = [...left, ...keys.slice(BATCH)];
    }
    return [...new Set(ids)].map((id) => found.get(id)).filter((row) => row !== undefined);
  }

  return {
    listRows,
    async listBy(table, index, value) {
      const ids: string[] = [];
      const { key } = (TABLES[table] as Table<typeof index>).indexes[index];
      const query = {
        TableName: names[table],
        IndexName: index,
        KeyConditionExpression: '#key = :value',
        ExpressionAttributeNames: { '#key': key },
        ExpressionAttributeValues: { ':value': value },
      };
      for await (const { Items = [] } of paginateQuery({ client }, query))
        ids.push(...Items.map(({ id }) => String(id)));
      return listRows(table, ids);
    },
    async listWhere(table, isWanted) {
      const found: Row[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName: names[table] }))
        found.push(...Items.filter(isWanted));
      return found;
    },
  };
}

/** DynamoDB's limit for one call. */
const BATCH = 100;
