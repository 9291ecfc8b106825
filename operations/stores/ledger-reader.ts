import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { ofRow } from '../../functions/adapters/dynamodb/ledger.ts';
import type { PostingRow } from '../../functions/adapters/dynamodb/rows.ts';
import type { Posting } from '../../functions/domain/ledger.ts';

/** Reads the whole ledger. Only the operators' command and the console have this part. */
export type LedgerReader = {
  /** Passes every posting from before `end` to `see`, in parts and in no order. Each read is consistent. */
  readBefore(end: number, see: (postings: readonly Posting[]) => void): Promise<void>;
};

export function ledgerReader(client: DynamoDBDocumentClient, table: string): LedgerReader {
  return {
    async readBefore(end, see) {
      const scan = {
        TableName: table,
        ConsistentRead: true,
        FilterExpression: '#at < :end',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':end': end },
      };
      for await (const { Items = [] } of paginateScan({ client }, scan))
        see((Items as PostingRow[]).map(ofRow));
    },
  };
}
