import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { queueConsumer, reportFailure } from '../../functions/entry/queue.ts';
import { DeliveryMessage, deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { CallbackMessage } from '../../functions/queues/process-callback.ts';
import { DUE } from '../../functions/tables/sharded.ts';
import { announced } from '../support/announcements.ts';
import { POISON_EVENTS, POISON_OF_QUEUES } from '../support/poison.ts';
import { openPorts, START_AT } from '../support/ports.ts';
import { stubLog } from '../support/stub-log.ts';
import { memoryTables, rowIn } from '../support/tables.ts';
import { writtenLines } from '../support/written-lines.ts';

const Anything = z.unknown();
const tables = memoryTables();
// Keeps the log out of the report. The level stays, because another file of this worker shares the log.
writtenLines();

/** A batch as Lambda passes it. The message's id says which case it is. */
function batch(bodies: Record<string, string>): SQSEvent {
  const attributes = { ApproximateReceiveCount: '1' };
  const records = Object.entries(bodies).map(([messageId, body]) => ({ messageId, body, attributes }));
  return { Records: records } as unknown as SQSEvent;
}

describe('a batch of messages', () => {
  test('fails only for the messages that failed', async () => {
    const ports = openPorts(tables);
    const [first, second] = [await announced(tables, ports), await announced(tables, ports)];
    ports.webhookSender.answers.set(second.url(), () => Promise.reject(new Error('broken')));
    const third = await announced(tables, ports);
    const consume = queueConsumer({ needs: [], message: DeliveryMessage }, (message) =>
      deliverWebhook(message, ports),
    );

    const answer = await consume(
      batch({
        first: JSON.stringify({ eventId: first.eventId }),
        second: JSON.stringify({ eventId: second.eventId }),
        malformed: '{',
        third: JSON.stringify({ eventId: third.eventId }),
      }),
      {} as Context,
    );

    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort()).toEqual([
      'malformed',
      'second',
    ]);
    expect(await first.delivery()).toMatchObject({ status: 'DELIVERED' });
    expect(await second.delivery()).toBeUndefined();
    expect(await third.delivery()).toMatchObject({ status: 'DELIVERED' });
  });

  test('is repeated as a whole if it fails as a whole', async () => {
    const consume = queueConsumer({ needs: [], message: Anything }, () =>
      Promise.reject(new Error('broken')),
    );

    const answer = await consume(batch({ first: '{}', second: '{}' }), {} as Context);

    expect(answer.batchItemFailures).toHaveLength(2);
  });

  test('names no failure when all is done', async () => {
    const consume = queueConsumer({ needs: [], message: Anything }, async () => undefined);

    expect(await consume(batch({ first: '{}' }), {} as Context)).toEqual({ batchItemFailures: [] });
  });
});

describe('a row that is no event', () => {
  test.each(POISON_EVENTS)('$id fails, and stays in the sweep', async (row) => {
    const ports = openPorts(tables);
    const Item = { ...row, sweep: keyIn(DUE, row.id), nextCheckAt: START_AT };
    await tables.client.send(new PutCommand({ TableName: tables.names.events, Item }));

    await expect(deliverWebhook({ eventId: row.id }, ports)).rejects.toThrow('is no event');

    expect(ports.webhookSender.posted).toEqual([]);
    expect(await rowIn(tables, 'events', row.id)).toEqual(Item);
  });
});

describe('a body of another form', () => {
  const forms = [...POISON_OF_QUEUES.DeliverWebhook!, ...POISON_OF_QUEUES.ProcessCallback!];
  test.each(forms.filter(({ ends }) => ends === 'DEAD_LETTER'))('$name fails alone', async ({ body }) => {
    const message = z.union([DeliveryMessage, CallbackMessage]);
    const consume = queueConsumer({ needs: [], message }, async () => undefined);

    const answer = await consume(batch({ first: body, second: '{"eventId":"1"}' }), {} as Context);

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'first' }] });
  });
});

const tryOf = (tries: number) => ({ messageId: 'm1', tries });

describe('a message that failed', () => {
  test('is repeated and needs nobody if a provider does not answer yet', () => {
    const log = stubLog();

    reportFailure(new Unavailable('the payment of the charge'), tryOf(1), log);

    expect(log.lines).toEqual([expect.stringContaining('"messageId":"m1"')]);
    expect(log.lines[0]).toContain('the payment of the charge is unavailable');
    expect(log.errors).toEqual([]);
  });

  test('raises its condition by any other error', () => {
    const log = stubLog();

    reportFailure(new Error('broken'), tryOf(1), log);

    expect(log.raised).toEqual(['MessageFailed']);
  });

  test('only warns when it fails again, because one bad message must wake nobody', () => {
    const log = stubLog();

    for (const count of [2, 3, 4, 5, 6]) reportFailure(new Error('broken'), tryOf(count), log);

    expect(log.lines).toEqual(Array(5).fill(expect.stringContaining('message failed')));
    expect(log.raised).toEqual([]);
  });
});
