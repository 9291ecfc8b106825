import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { Random } from '../../domain/ports.ts';
import type { Claim } from '../../domain/purchase/charge-limits.ts';
import type { Released } from '../../domain/purchase/claim.ts';
import { type LimitPeriod, PERIOD_NAMES, PERIODS, type Room } from '../../domain/purchase/usage.ts';
import type { ChargeClaim, Usages } from '../../domain/purchase/usage-ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { counting } from './counters.ts';
import { findAll } from './find-all.ts';
import type { UsageRow } from './rows.ts';
import { isRefused, type WriteItem, writeAll } from './table.ts';

/**
 * The ids of the counters of a client or a person: one row for each period, and one for the open charges. A
 * row never grows, and two owners never share a row.
 */
const sumIdOf = (owner: string, period: LimitPeriod, day: string) => `${owner}#${PERIODS[period].of(day)}`;
const chargesIdOf = (owner: string) => `${owner}#OPEN`;

/** The ids of all counters that a charge of this day changes, for one client or person. */
export const usageIdsOf = (owner: string, day: string): string[] => [
  chargesIdOf(owner),
  ...PERIOD_NAMES.map((period) => sumIdOf(owner, period, day)),
];

type UsageTables = { usages: string; transactions: string };

export function usageStore(client: DynamoDBDocumentClient, tables: UsageTables, random: Random): Usages {
  return {
    async findUsage(owner, day) {
      const store = { client, table: tables.usages };
      const rows = await findAll<UsageRow>(store, usageIdsOf(owner, day));
      const sumOf = (period: LimitPeriod) => rows.get(sumIdOf(owner, period, day))?.centavos ?? 0;
      const { charges = 0, until = 0, newestId } = rows.get(chargesIdOf(owner)) ?? {};
      return { charges, until, newestId, day: sumOf('day'), month: sumOf('month'), year: sumOf('year') };
    },

    async claim(wanted) {
      const written = await writeAll(client, claimsOf(wanted, tables), random);
      if (written === 'WRITTEN') return 'CLAIMED';
      // The claim may have been written. The caller repeats its request, and then reads whether the purchase
      // has its claim.
      if (written === 'UNKNOWN') throw new Unavailable('the limits of a client');
      return isRefused(written[0]) ? 'MOVED' : 'FULL';
    },
  };
}

/**
 * The writes with which a charge claims its part of the limits. They mark the purchase, count one more open
 * charge, and add the amount to the sums of the client and of the person. Both have one sum for each period.
 * The mark prevents a second claim.
 */
export function claimsOf(
  { purchase, claim, openCharges, until, room }: ChargeClaim,
  tables: UsageTables,
): WriteItem[] {
  const { id, clientId, amountCentavos: centavos } = purchase;
  const { day, person } = claim;
  const set = { until, newestId: id, ttl: ttlOf('usages', until) };
  const charge = { counter: 'charges', more: 1, set } as const;
  return [
    { Update: claiming(id, claim, tables.transactions) },
    counting(tables.usages, chargesIdOf(clientId), { ...charge, most: openCharges - 1 }),
    ...sumChanges(tables.usages, { owner: clientId, day, centavos, room: room.client }),
    ...sumChanges(tables.usages, { owner: person, day, centavos, room: room.person }),
  ];
}

function claiming(id: string, claim: Claim, table: string) {
  return {
    TableName: table,
    Key: { id },
    UpdateExpression: 'SET claim = :claim',
    ConditionExpression: '#status = :awaiting AND attribute_not_exists(claim)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':claim': claim, ':awaiting': 'AWAITING_MFA' },
  };
}

/**
 * The writes that give back what a purchase has claimed of the limits. The transaction that changes the
 * purchase contains them, and its condition lets it succeed only once.
 */
export function releasesOf(released: Released | undefined, table: string): WriteItem[] {
  if (!released) return [];
  const { clientId, claim, centavos, charges } = released;
  const sums = [clientId, claim.person].flatMap((owner) =>
    sumChanges(table, { owner, day: claim.day, centavos: -centavos }),
  );
  const place = counting(table, chargesIdOf(clientId), { counter: 'charges', more: -charges });
  return [...(charges === 0 ? [] : [place]), ...(centavos === 0 ? [] : sums)];
}

type SumChange = { owner: string; day: string; centavos: number; room?: Room };

function sumChanges(table: string, { owner, day, centavos, room }: SumChange): WriteItem[] {
  return PERIOD_NAMES.map((period) => {
    const set = { ttl: ttlOf('usages', PERIODS[period].endOf(day)) };
    const count = { counter: 'centavos', more: centavos, most: room?.[period], set } as const;
    return counting(table, sumIdOf(owner, period, day), count);
  });
}
