import type { Claim } from './charge-limits.ts';
import type { Transaction } from './transaction.ts';
import type { Room, Usage } from './usage.ts';

/** A charge to claim: at most `openCharges` at once, within both rooms. `until`: the latest end of the charge. */
export type ChargeClaim = {
  purchase: Pick<Transaction, 'id' | 'clientId' | 'amountCentavos'>;
  claim: Claim;
  openCharges: number;
  until: number;
  room: { client: Room; person: Room };
};

export type Usages = {
  /** The usage of a client or a person in the periods of the day. */
  findUsage(owner: string, day: string): Promise<Usage>;
  /**
   * Claims the charge of a purchase that waits for its authentication, once. `FULL`: a limit has no room. `MOVED`: the
   * purchase has moved on, or has its claim already.
   */
  claim(wanted: ChargeClaim): Promise<'CLAIMED' | 'FULL' | 'MOVED'>;
};
