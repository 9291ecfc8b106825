import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { notHeld } from '../../functions/adapters/dynamodb/litigation-holds.ts';
import { isRefused, updateOf, type WriteItem, writeAll } from '../../functions/adapters/dynamodb/table.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { Random } from '../../functions/domain/ports.ts';
import type { EndingTable } from '../../functions/domain/retention.ts';

export type ErasedRow = { personId: string; table: EndingTable; id: string };
type Stripping = { remove: readonly string[]; set: Record<string, unknown> };

/**
 * Erases what no law keeps. Only the operators' command has this part. Both functions return false if the
 * person has a litigation hold by then.
 */
type Erasures = {
  deleteRow(row: ErasedRow): Promise<boolean>;
  strip(row: ErasedRow, changes: Stripping): Promise<boolean>;
};

export function erasures(
  client: DynamoDBDocumentClient,
  tables: Record<EndingTable, string>,
  random: Random,
): Erasures {
  async function write(item: WriteItem, personId: string): Promise<boolean> {
    const check = { ConditionCheck: notHeld(tables.personBlocks, personId) };
    const written = await writeAll(client, [check, item], random);
    if (written === 'UNKNOWN') throw new Unavailable('the erasure of a row');
    return !isRefused(written[0]);
  }
  return {
    deleteRow: ({ personId, table, id }) =>
      write({ Delete: { TableName: tables[table], Key: { id } } }, personId),
    strip({ personId, table, id }, { remove, set }) {
      const change = { TableName: tables[table], Key: { id }, ...updateOf(set, remove) };
      return write({ Update: { ...change, ConditionExpression: 'attribute_exists(id)' } }, personId);
    },
  };
}
