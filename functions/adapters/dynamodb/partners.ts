import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ApiKey, Partner } from '../../domain/partner.ts';
import type { Partners } from '../../domain/ports.ts';
import { find } from './table.ts';

export const partnerRowId = (partnerId: string) => `PARTNER#${partnerId}`;
export const keyRowId = (partnerId: string, keyId: string) => `KEY#${partnerId}#${keyId}`;

type PartnerRow = Omit<Partner, 'id'> & { id: string };
type KeyRow = ApiKey & { id: string };

export function partnerStore(client: DynamoDBDocumentClient, table: string): Partners {
  return {
    /** Both rows in one call; consistent, so that a revocation holds from its write on. */
    async findCaller(partnerId, keyId) {
      const keys = [{ id: keyRowId(partnerId, keyId) }, { id: partnerRowId(partnerId) }];
      const { Responses } = await client.send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } }),
      );
      const rows = Responses?.[table] ?? [];
      const key = rows.find((row) => row.id === keys[0]!.id) as KeyRow | undefined;
      const partner = rows.find((row) => row.id === keys[1]!.id) as PartnerRow | undefined;
      return { key, partner: partner && { ...partner, id: partnerId } };
    },
    async findPartner(partnerId) {
      const row = await find<PartnerRow>({ client, table }, partnerRowId(partnerId));
      return row && { ...row, id: partnerId };
    },
  };
}
