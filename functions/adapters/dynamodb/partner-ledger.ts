import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { PartnerLedger } from '../../domain/books/ledger-ports.ts';
import type { Posting } from '../../domain/ledger.ts';
import { postingOfRow } from './ledger.ts';
import type { PostingRow } from './rows.ts';

export function partnerLedger(client: DynamoDBDocumentClient, table: string): PartnerLedger {
  return {
    async listPostings(partnerId, { from, to }, most) {
      const query = {
        TableName: table,
        IndexName: 'ofPartner',
        KeyConditionExpression: 'partnerId = :partner AND #at BETWEEN :from AND :until',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':partner': partnerId, ':from': from, ':until': to - 1 },
      };
      const postings: Posting[] = [];
      for await (const { Items = [] } of paginateQuery({ client }, query)) {
        for (const row of Items as PostingRow[]) postings.push(postingOfRow(row));
        if (postings.length > most) break;
      }
      return postings;
    },
  };
}
