/** Keeps the rows of persons who are held: docs/decisions.md, "A hold per person". */
import { isLookDue, type LitigationHold } from '../../domain/kyc/litigation-hold.ts';
import type { Begun, EndingRow } from '../../domain/kyc/litigation-hold-ports.ts';
import { deliveryId } from '../../domain/partners/deliveries.ts';
import type { Lookup, Needs } from '../../domain/ports.ts';
import { outcomeEventIdOf } from '../kyc/client-id.ts';

export const KEEP_NEEDS = ['litigationHolds', 'lookup', 'clock'] as const;
type Ports = Needs<typeof KEEP_NEEDS>;

/**
 * Takes their end away from rows that were written since the last look, and that would end within the time of a hold.
 * The operators' command does so with all other rows.
 */
export async function keepHeldRows(ports: Ports): Promise<void> {
  const now = ports.clock.now();
  const due = (await ports.litigationHolds.listHeld()).filter((hold) => isLookDue(hold, now));
  for (const hold of due) {
    await keepRowsOf(hold, ports);
    await ports.litigationHolds.noteLook(hold.personId, now);
  }
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

/** The ids of all events about purchases and KYC records. They follow from the number of the latest event. */
export async function eventIdsOf({ purchases, records }: Begun, lookup: Lookup): Promise<string[]> {
  const ofPurchases = purchases.flatMap(({ id, sequence }) =>
    numbersTo(Number(sequence)).map((number) => `${id}.${number}`),
  );
  const outcomes = records.flatMap(({ token, sequence = 1 }) =>
    numbersTo(Number(sequence)).map((number) => outcomeEventIdOf({ token, sequence: number }, lookup)),
  );
  return [...ofPurchases, ...(await Promise.all(outcomes))];
}

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
