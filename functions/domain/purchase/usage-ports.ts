import type { Claim } from './charge-limits.ts';
import type { Transaction } from './transaction.ts';
import type { Room, Usage } from './usage.ts';

/**
 * The claim of one charge. The client may have at most `openCharges` at once, and both sums must have room for the
 * amount. `until` is the latest instant at which the charge ends.
 */
export type ChargeClaim = {
  purchase: Pick<Transaction, 'id' | 'clientId' | 'amountCentavos'>;
  claim: Claim;
  openCharges: number;
  until: number;
  room: { client: Room; person: Room };
};

export type Usages = {
  /** Reads the amounts that a client or a person has used in the day, the month and the year of `day`. */
  findUsage(owner: string, day: string): Promise<Usage>;
  /**
   * Claims the charge of a purchase that waits for its authentication, at most once. `FULL`: a limit has no room.
   * `MOVED`: the purchase no longer waits, or already has its claim.
   */
  claim(wanted: ChargeClaim): Promise<'CLAIMED' | 'FULL' | 'MOVED'>;
};
