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

/** Reads the holds, and keeps the rows of held persons. No Lambda function can set or lift a hold. */
export type LitigationHolds = {
  listHeld(): Promise<LitigationHold[]>;
  listBegun(owners: Owners): Promise<HoldBegun>;
  /** Lists the rows with the counters of the person's limits on these days. */
  listCounters(owners: Owners, days: readonly string[]): Promise<EndingRow[]>;
  listEvents(ids: readonly string[]): Promise<(EndingRow & { endpointIds?: string[] })[]>;
  listDeliveries(ids: readonly string[]): Promise<EndingRow[]>;
  /**
   * Takes the `ttl` of a row away, and keeps it as `heldTtl`. Does nothing if the person is not held any
   * more.
   */
  park(personId: string, table: EndingTable, row: EndingRow): Promise<void>;
  noteLook(personId: string, now: number): Promise<void>;
};

/** The methods for operators. Only their commands use them. */
export type LitigationHoldsDesk = {
  findHold(personId: string): Promise<LitigationHold | undefined>;
  /** Holds the person. Names more clients if the person is held already. Answers the hold that exists now. */
  hold(wanted: LitigationHold): Promise<LitigationHold>;
  /** Frees the person, at most once. Answers the hold as it is after the call. */
  free(personId: string, freed: Ruling): Promise<LitigationHold | undefined>;
  /** Gives a row its former `ttl` back, if the person is free. */
  restore(personId: string, table: EndingTable, row: EndingRow): Promise<void>;
};
