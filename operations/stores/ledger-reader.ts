import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { postingOfRow } from '../../functions/adapters/dynamodb/ledger.ts';
import type { PostingRow } from '../../functions/adapters/dynamodb/rows.ts';
import type { Posting } from '../../functions/domain/ledger.ts';

/** Reads many postings of the ledger. Only the operators' command and the console have this part. */
type LedgerReader = {
  /** Passes every posting from before `end` to `see`, in parts and in no order. Each read is consistent. */
  readBefore(end: number, see: (postings: readonly Posting[]) => void): Promise<void>;
  /**
   * Passes the late postings from before `end` to `see`. A late posting was recorded long after its own instant, so no
   * stored sum has it.
   */
  readLate(end: number, see: (postings: readonly Posting[]) => void): Promise<void>;
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
        see((Items as PostingRow[]).map(postingOfRow));
    },
    async readLate(end, see) {
      const query = {
        TableName: table,
        IndexName: 'late',
        KeyConditionExpression: '#late = :late AND #at < :end',
        ExpressionAttributeNames: { '#late': 'late', '#at': 'at' },
        ExpressionAttributeValues: { ':late': 'LATE', ':end': end },
      };
      for await (const { Items = [] } of paginateQuery({ client }, query))
        see((Items as PostingRow[]).map(postingOfRow));
    },
  };
}
