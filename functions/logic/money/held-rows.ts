/** Keeps the rows of persons under a litigation hold: docs/operations.md, "A client's rights". */
import { isLookDue, type LitigationHold } from '../../domain/kyc/litigation-hold.ts';
import type { EndingRow, HoldBegun } from '../../domain/kyc/litigation-hold-ports.ts';
import { deliveryId } from '../../domain/partners/deliveries.ts';
import type { Lookup, Needs } from '../../domain/ports.ts';
import { tryEach } from '../../domain/try-each.ts';
import { outcomeEventIdOf } from '../kyc/client-id.ts';

export const KEEP_NEEDS = ['litigationHolds', 'lookup', 'clock'] as const;
type Ports = Needs<typeof KEEP_NEEDS>;

/**
 * New events, deliveries and counters of a held person have a time to live. This function removes it whenever
 * `isLookDue` is true for the person. The operators' command removes it from all other rows. If the look for one
 * person fails, the other persons still have theirs, and the error is thrown at the end.
 */
export async function keepHeldRows(ports: Ports): Promise<void> {
  const now = ports.clock.now();
  const due = (await ports.litigationHolds.listHeld()).filter((hold) => isLookDue(hold, now));
  await tryEach(due, (hold) => lookFor(hold, now, ports));
}

async function lookFor(hold: LitigationHold, now: number, ports: Ports): Promise<void> {
  await keepRowsOf(hold, ports);
  await ports.litigationHolds.noteLook(hold.personId, now);
}

async function keepRowsOf(hold: LitigationHold, { litigationHolds, lookup }: Ports): Promise<void> {
  const { personId } = hold;
  const begun = await litigationHolds.listBegun(hold);
  const days = new Set(begun.purchases.flatMap(({ claim }) => claim?.day ?? []));
  const events = await litigationHolds.listEvents(await eventIdsOf(begun, lookup));
  const deliveryIds = events.flatMap(({ id, endpointIds = [] }) =>
    endpointIds.map((to) => deliveryId(id, to)),
  );
  const found = {
    events: events as EndingRow[],
    deliveries: await litigationHolds.listDeliveries(deliveryIds),
    usages: await litigationHolds.listCounters(hold, [...days]),
  };
  for (const table of ['events', 'deliveries', 'usages'] as const)
    for (const row of found[table]) await litigationHolds.park(personId, table, row);
}

/**
 * Makes the ids of all events about the given purchases and KYC records. Events are numbered from 1, and each
 * row has the number of its latest event.
 */
export async function eventIdsOf({ purchases, records }: HoldBegun, lookup: Lookup): Promise<string[]> {
  const ofPurchases = purchases.flatMap(({ id, sequence }) =>
    numbersTo(Number(sequence)).map((number) => `${id}.${number}`),
  );
  const outcomes = records.flatMap(({ token, sequence = 1 }) =>
    numbersTo(Number(sequence)).map((number) => outcomeEventIdOf({ token, sequence: number }, lookup)),
  );
  return [...ofPurchases, ...(await Promise.all(outcomes))];
}

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
