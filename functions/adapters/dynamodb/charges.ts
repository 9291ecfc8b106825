import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import type { Charges } from '../../domain/treasury/charge-ports.ts';
import { promiseWrites } from './promises.ts';
import { type FloatTables, reservationWrites } from './reservations.ts';
import { writeKnowingly } from './table.ts';
import { claimsOf } from './usages.ts';

type Tables = FloatTables & { usages: string; transactions: string; promises: string };

/** Takes the limits, the promise and the units that a charge needs in one transaction: all of them or none. */
export function chargeStore(client: DynamoDBDocumentClient, tables: Tables, random: Random): Charges {
  return {
    async take({ claim, promise, reserved }, terms) {
      const opened = promiseWrites(promise, tables.promises, terms);
      if (!opened) return false;
      const taken = reservationWrites(reserved, tables, terms.now);
      const items = [...claimsOf(claim, tables), ...opened, ...taken];
      return (await writeKnowingly(client, items, random)) === 'WRITTEN';
    },
  };
}
