import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Overrulings, RefusedClient } from '../../domain/kyc/kyc-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { DUE } from '../../tables/sharded.ts';
import { listDueIds } from './shards.ts';
import { isDone, updateOf, updateRow } from './table.ts';

type OverrulingTables = { clients: string; kycRecords: string };
type Changes = Pick<ReturnType<typeof updateOf>, 'UpdateExpression'> & Partial<ReturnType<typeof updateOf>>;

/** Lists the rejected clients whose older tokens must still be refused, and plans the next visits to them. */
export function overrulingStore(
  client: DynamoDBDocumentClient,
  { clients, kycRecords }: OverrulingTables,
  random: Random,
): Overrulings {
  /** Changes the client's row, unless the client was rejected again meanwhile. Then the client stays due. */
  async function update({ id, rejectedAt }: RefusedClient, changes: Changes) {
    const updated = updateRow({ client, table: clients, random }, id, {
      ...changes,
      ConditionExpression: 'rejectedAt = :rejectedAt',
      ExpressionAttributeValues: { ...changes.ExpressionAttributeValues, ':rejectedAt': rejectedAt },
    });
    await isDone(updated);
  }

  return {
    listDue: (now, limit) => listDueIds({ client, table: clients }, DUE, { now, limit }),
    async listIssued(clientId, { from, until }) {
      const query = {
        TableName: kycRecords,
        IndexName: 'ofClient',
        KeyConditionExpression: 'clientId = :client AND issuedAt BETWEEN :from AND :until',
        ExpressionAttributeValues: { ':client': clientId, ':from': from, ':until': until },
        ScanIndexForward: false,
      };
      const tokens: string[] = [];
      for await (const { Items = [] } of paginateQuery({ client }, query))
        tokens.push(...Items.map(({ id }) => String(id)));
      return tokens;
    },
    postpone: (refused, nextCheckAt, checks) => update(refused, updateOf({ nextCheckAt, checks })),
    finish: (refused) => update(refused, { UpdateExpression: 'REMOVE sweep, nextCheckAt, checks' }),
  };
}
