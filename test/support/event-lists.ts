import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { eventRow } from '../../functions/adapters/dynamodb/records.ts';
import type { DomainEvent } from '../../functions/domain/partners/events.ts';
import { newId, openPorts, START_AT } from './ports.ts';
import { memoryTables } from './tables.ts';

/** Tables in memory to which a test adds events. */
export function eventWorld(tables = memoryTables()) {
  const ports = openPorts(tables);
  let written = 0;

  /** Writes an event of `acme`, one millisecond after the one before. */
  async function put(changes: Partial<DomainEvent> = {}): Promise<DomainEvent> {
    const id = changes.id ?? `${newId()}.1`;
    const event = {
      id,
      partnerId: 'acme',
      type: 'transaction.expired' as const,
      sequence: 1,
      at: START_AT + written++,
      data: { transactionId: id.replace(/\..*$/, ''), status: 'EXPIRED', sequence: 1 },
      ...changes,
    };
    const Item = eventRow(event);
    await tables.client.send(new PutCommand({ TableName: tables.names.events, Item }));
    return event;
  }

  /** Writes so many events, one after the other, and returns their ids in this order. */
  async function putSome(count: number, changes: Partial<DomainEvent> = {}): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push((await put(changes)).id);
    return ids;
  }

  return { ports, tables, put, putSome };
}
