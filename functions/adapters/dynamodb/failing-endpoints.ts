import { createHash } from 'node:crypto';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { FailingPeriod } from '../../domain/partners/failing.ts';
import type { EndpointAddress, FailingEndpoints } from '../../domain/partners/webhook-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { changeOf } from './partners.ts';
import { eventRow } from './records.ts';
import type { FailingRow } from './rows.ts';
import { find, isDone, putNew, updateOf, writeAll } from './table.ts';

type FailingTables = { partners: string; deliveries: string; events: string };

/** A digest, because an address may be longer than a key. */
export const failingRowId = ({ partnerId, endpointId, url }: EndpointAddress): string =>
  `FAILING#${partnerId}#${endpointId}#${createHash('sha256').update(url).digest('hex')}`;

export function failingEndpointStore(
  client: DynamoDBDocumentClient,
  tables: FailingTables,
  random: Random,
): FailingEndpoints {
  const { deliveries: table, partners, events } = tables;
  return {
    async findPeriod(of) {
      const { since, lastAt = since } = (await find<FailingRow>({ client, table }, failingRowId(of))) ?? {};
      return since === undefined || lastAt === undefined ? undefined : { since, lastAt };
    },
    async savePeriod(of, { was, next }) {
      const set = updateOf({ ...next, ttl: ttlOf('failingEndpoints', next.lastAt) });
      const [ConditionExpression, values] = was
        ? ['#since = :was', { ':was': was.since }]
        : ['attribute_not_exists(#since)', {}];
      const ExpressionAttributeValues = { ...set.ExpressionAttributeValues, ...values };
      const Key = { id: failingRowId(of) };
      const saved = { TableName: table, Key, ...set, ConditionExpression, ExpressionAttributeValues };
      return isDone(client.send(new UpdateCommand(saved)));
    },
    async endPeriod(of) {
      const ConditionExpression = 'attribute_exists(#since)';
      await isDone(client.send(new UpdateCommand({ ...endOf(table, of), ConditionExpression })));
    },
    async pause(partner, { of, period, webhookEndpoints, event }) {
      const items = [
        { Update: { ...endOf(table, of), ...isStill(period) } },
        { Update: changeOf(partners, partner, { webhookEndpoints }) },
        { Put: putNew(events, eventRow(event)) },
      ];
      const written = await writeAll(client, items, random);
      if (written === 'UNKNOWN') throw new Unavailable('the partner’s row');
      return written === 'WRITTEN';
    },
  };
}

/** The row stays until its end, because no function deletes rows. */
const endOf = (table: string, of: EndpointAddress) => ({
  TableName: table,
  Key: { id: failingRowId(of) },
  UpdateExpression: 'REMOVE #since',
  ExpressionAttributeNames: { '#since': 'since' },
});

const isStill = ({ since }: FailingPeriod) => ({
  ConditionExpression: '#since = :was',
  ExpressionAttributeValues: { ':was': since },
});
