import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { LookUps, RegistryQuotas } from '../../domain/partners/registry-quota.ts';
import { ttlOf } from '../../domain/retention.ts';
import { endOfDayInBrasilia } from '../../domain/time.ts';
import { counting } from './counters.ts';
import type { UsageRow } from './rows.ts';
import { find, isConditionFailed } from './table.ts';

const rowIdOf = (partnerId: string, day: string) => `LOOKUPS#${partnerId}#${day}`;

/** Counts the paid registry look-ups of a partner, in one row for each partner and day. */
export function registryQuotaStore(client: DynamoDBDocumentClient, table: string): RegistryQuotas {
  return {
    ...registryUse(client, table),
    async count(wanted, maximum) {
      // The condition of the write would accept the first count of a day, however high it is. A count above the maximum
      // is therefore refused before the write.
      if (wanted.count > maximum) return { used: 0 };
      try {
        await client.send(lookUpCommand(table, wanted, maximum));
        return 'COUNTED';
      } catch (error) {
        if (!isConditionFailed(error)) throw error;
        // `error.Item` is the existing row, in DynamoDB's wire form.
        return { used: Number(error.Item?.calls?.N ?? 0) };
      }
    },
    async giveBack({ partnerId, day, count }) {
      const { Update } = counting(table, rowIdOf(partnerId, day), { counter: 'calls', more: -count });
      await client.send(new UpdateCommand(Update));
    },
  };
}

/** Reads the number of a partner's paid look-ups on a day. */
export function registryUse(client: DynamoDBDocumentClient, table: string) {
  return {
    async findUsed(partnerId: string, day: string): Promise<number> {
      const row = await find<UsageRow>({ client, table }, rowIdOf(partnerId, day));
      return row?.calls ?? 0;
    },
  };
}

function lookUpCommand(table: string, { partnerId, day, count }: LookUps, maximum: number): UpdateCommand {
  const set = { ttl: ttlOf('registryLookUps', endOfDayInBrasilia(day)) };
  const { Update } = counting(table, rowIdOf(partnerId, day), {
    counter: 'calls',
    more: count,
    most: maximum - count,
    set,
  });
  return new UpdateCommand({ ...Update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
}
