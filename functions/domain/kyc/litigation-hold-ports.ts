import type { EndingTable } from '../retention.ts';
import type { LitigationHold } from './litigation-hold.ts';
import type { Ruling } from './person-block.ts';

/** The attributes of a row that matter to a hold. `ttl` and `heldTtl` are epoch seconds. */
export type EndingRow = { id: string; ttl?: number; heldTtl?: number };

/** The facts from which the ids of a person's short-lived rows follow. */
export type HoldBegun = {
  purchases: { id: string; sequence: number; claim?: { day: string } }[];
  records: { token: string; sequence?: number }[];
};

type Owners = Pick<LitigationHold, 'personId' | 'clientIds'>;

/** The holds, as the service has them. No Lambda function can set or lift one. */
export type LitigationHolds = {
  listHeld(): Promise<LitigationHold[]>;
  listBegun(owners: Owners): Promise<HoldBegun>;
  /** The counters of the person's limits on these days. */
  listCounters(owners: Owners, days: readonly string[]): Promise<EndingRow[]>;
  listEvents(ids: readonly string[]): Promise<(EndingRow & { endpointIds?: string[] })[]>;
  listDeliveries(ids: readonly string[]): Promise<EndingRow[]>;
  /** Takes the end of a row away, if the person is still held. */
  park(personId: string, table: EndingTable, row: EndingRow): Promise<void>;
  noteLook(personId: string, now: number): Promise<void>;
};

/** The methods for operators. */
export type LitigationHoldsDesk = {
  findHold(personId: string): Promise<LitigationHold | undefined>;
  /** Holds the person. Names more clients if the person is held already. Answers the hold that exists now. */
  hold(wanted: LitigationHold): Promise<LitigationHold>;
  /** Frees the person, at most once. Answers the hold as it is after the call. */
  free(personId: string, freed: Ruling): Promise<LitigationHold | undefined>;
  /** Gives a row its own end back, if the person is free. */
  restore(personId: string, table: EndingTable, row: EndingRow): Promise<void>;
};
