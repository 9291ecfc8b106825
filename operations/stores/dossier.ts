import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { findAll, listIdsBy } from '../../functions/adapters/dynamodb/find-all.ts';
import type { TableDescription, TableName } from '../../functions/tables/describe.ts';
import type { ShardedName } from '../../functions/tables/sharded.ts';
import { type IndexName, TABLES } from '../../functions/tables.ts';

/** A row as it is stored. Its secrets are encrypted. */
export type DossierRow = Record<string, unknown>;

/**
 * The tables with rows about a client or a purchase. `requests`, `witness`, `floats`, `partners` and `endedSessions`
 * have none. A row of `reservations` only repeats an amount of its purchase, and is deleted after a day.
 */
export type DossierTable = Exclude<
  TableName,
  'requests' | 'witness' | 'floats' | 'reservations' | 'partners' | 'endedSessions'
>;

/**
 * Reads all rows about a client or a purchase. Only the operators' command and the console have this part.
 */
type Dossier = {
  /** Reads the rows that exist, in the order of `ids`, consistently. */
  listRows(table: DossierTable, ids: readonly string[]): Promise<DossierRow[]>;
  /** Reads the rows that an index lists, the oldest first. The newest may be missing for some seconds. */
  listBy<Name extends DossierTable>(
    table: Name,
    index: Exclude<IndexName<Name>, ShardedName>,
    value: string,
  ): Promise<DossierRow[]>;
  /** Reads a whole table, to find rows that have no index. */
  listWhere(table: DossierTable, isWanted: (row: DossierRow) => boolean): Promise<DossierRow[]>;
};

export function dossier(client: DynamoDBDocumentClient, names: Record<DossierTable, string>): Dossier {
  async function listRows(table: DossierTable, ids: readonly string[]): Promise<DossierRow[]> {
    const wanted = [...new Set(ids)];
    const found = await findAll<DossierRow>({ client, table: names[table] }, wanted);
    return wanted.map((id) => found.get(id)).filter((row) => row !== undefined);
  }

  return {
    listRows,
    async listBy(table, index, value) {
      const { key } = (TABLES[table] as TableDescription<typeof index>).indexes[index];
      const ids = await listIdsBy({ client, table: names[table] }, { index, key }, value);
      return listRows(table, ids);
    },
    async listWhere(table, isWanted) {
      const found: DossierRow[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName: names[table] }))
        found.push(...Items.filter(isWanted));
      return found;
    },
  };
}
