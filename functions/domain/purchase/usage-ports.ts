import type { Claim } from './charge-limits.ts';
import type { Transaction } from './transaction.ts';
import type { Room, Usage } from './usage.ts';

/**
 * The part of the limits that one charge takes. The client may have at most `openCharges` open charges.
 * `room` has the highest sums at which the amount still fits, for the client and for the person. `until` is
 * the latest instant at which the charge ends.
 */
export type ChargeClaim = {
  purchase: Pick<Transaction, 'id' | 'clientId' | 'amountCentavos'>;
  claim: Claim;
  openCharges: number;
  until: number;
  room: { client: Room; person: Room };
};

export type Usages = {
  /**
   * Reads the amounts that a client or a person has used. The amounts are those of `day`, a day in Brasília,
   * of its month and of its year. `owner` is the id of the client or of the person.
   */
  findUsage(owner: string, day: string): Promise<Usage>;
  /**
   * Claims the limits for the charge of a purchase that waits for its authentication, at most once per
   * purchase. `FULL`: a limit has no room. `MOVED`: the purchase no longer waits, or already has its claim.
   */
  claim(wanted: ChargeClaim): Promise<'CLAIMED' | 'FULL' | 'MOVED'>;
};
