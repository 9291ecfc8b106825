import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { EndedSessionRow } from '../../functions/adapters/dynamodb/rows.ts';
import { find } from '../../functions/adapters/dynamodb/table.ts';
import { ttlOf } from '../../functions/domain/retention.ts';

/** The sessions of the console that ended by a sign-out. Every copy of their cookie is refused. */
export type EndedSessions = {
  end(id: string, at: number): Promise<void>;
  hasEnded(id: string): Promise<boolean>;
};

export function endedSessions(client: DynamoDBDocumentClient, table: string): EndedSessions {
  return {
    async end(id, at) {
      const Item: EndedSessionRow = { id, ttl: ttlOf('endedSessions', at) };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    hasEnded: async (id) => (await find<EndedSessionRow>({ client, table }, id)) !== undefined,
  };
}
