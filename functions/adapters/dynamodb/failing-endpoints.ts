import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { FailingPeriod } from '../../domain/partners/failing.ts';
import type { EndpointAddress, FailingEndpoints } from '../../domain/partners/webhook-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { partnerChange } from './partners.ts';
import { eventRow } from './records.ts';
import type { FailingRow } from './rows.ts';
import { find, isDone, putNew, type RowUpdate, updateOf, updateRow, writeAll } from './table.ts';

type FailingTables = { partners: string; deliveries: string; events: string };

/**
 * The id of the row that records an endpoint's period of failures. It has a digest of the URL, because a URL
 * may be too long for a key.
 */
export const failingRowId = ({ partnerId, endpointId, url }: EndpointAddress): string =>
  `FAILING#${partnerId}#${endpointId}#${createHash('sha256').update(url).digest('hex')}`;

export function failingEndpointStore(
  client: DynamoDBDocumentClient,
  tables: FailingTables,
  random: Random,
): FailingEndpoints {
  const { deliveries: table, partners, events } = tables;
  /** Repeats the write if a transaction that pauses the endpoint is writing the same row. */
  const update = (of: EndpointAddress, changes: RowUpdate) =>
    isDone(updateRow({ client, table, random }, failingRowId(of), changes));
  return {
    async findPeriod(of) {
      const row = await find<FailingRow>({ client, table }, failingRowId(of));
      return row?.since === undefined ? undefined : { since: row.since, lastAt: row.lastAt ?? row.since };
    },
    async savePeriod(of, { was, next }) {
      const set = updateOf({ ...next, ttl: ttlOf('failingEndpoints', next.lastAt) });
      const [ConditionExpression, values] = was
        ? ['#since = :was', { ':was': was.since }]
        : ['attribute_not_exists(#since)', {}];
      const ExpressionAttributeValues = { ...set.ExpressionAttributeValues, ...values };
      return update(of, { ...set, ConditionExpression, ExpressionAttributeValues });
    },
    async endPeriod(of) {
      await update(of, { ...END_OF_FAILING, ConditionExpression: 'attribute_exists(#since)' });
    },
    async pause(partner, { of, period, webhookEndpoints, event }) {
      const items = [
        {
          Update: { TableName: table, Key: { id: failingRowId(of) }, ...END_OF_FAILING, ...isStill(period) },
        },
        { Update: partnerChange(partners, partner, { webhookEndpoints }) },
        { Put: putNew(events, eventRow(event)) },
      ];
      const written = await writeAll(client, items, random);
      if (written === 'UNKNOWN') throw new Unavailable('the partner’s row');
      return written === 'WRITTEN';
    },
  };
}

/** Ends the period of failures. The row itself stays until its time to live, because no function may delete rows. */
const END_OF_FAILING = {
  UpdateExpression: 'REMOVE #since',
  ExpressionAttributeNames: { '#since': 'since' },
};

const isStill = ({ since }: FailingPeriod) => ({
  ConditionExpression: '#since = :was',
  ExpressionAttributeValues: { ':was': since },
});
