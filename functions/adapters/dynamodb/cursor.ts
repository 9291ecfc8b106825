import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Stop } from '../../domain/stray-ports.ts';
import { find, isDone, type Store, updateOf } from './table.ts';

/** Nothing else in these tables is named like it. */
const CURSOR = 'CURSOR';

/** How far a reconciliation has come, kept as a row among those that it is about. */
export function cursorOf(store: Store) {
  const findRow = () => find<{ upTo: number; stop?: Stop }>(store, CURSOR);
  return {
    findCursor: async (): Promise<number | undefined> => (await findRow())?.upTo,
    findStop: async (): Promise<Stop | undefined> => (await findRow())?.stop,
    /** Never back. */
    async moveCursor(upTo: number, stop?: Stop): Promise<void> {
      const moved = {
        ...{ TableName: store.table, Key: { id: CURSOR } },
        ...updateOf({ upTo, stop }, stop ? [] : ['stop']),
        ConditionExpression: 'attribute_not_exists(#upTo) OR #upTo <= :upTo',
      };
      await isDone(store.client.send(new UpdateCommand(moved)));
    },
  };
}
