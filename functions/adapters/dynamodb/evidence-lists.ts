import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RowLists } from '../../domain/books/archive-ports.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { EVIDENCE_DAY } from '../../tables/sharded.ts';
import { findAll } from './find-all.ts';
import type { EvidenceRow } from './rows.ts';
import { listAll, rowIds } from './shards.ts';

/** Lists evidence by its time. The period lies within one day in Brasília. */
export function evidenceLists(client: DynamoDBDocumentClient, table: string): RowLists {
  const store = { client, table };
  return {
    async listBetween({ from, to }) {
      const range = {
        condition: '#sort BETWEEN :from AND :last',
        values: { ':from': from, ':last': to - 1 },
      };
      const ids = rowIds(await listAll(store, { index: EVIDENCE_DAY, value: dayInBrasilia(from), range }));
      return [...(await findAll<EvidenceRow>(store, ids)).values()];
    },
  };
}
