/** One visit to a settlement: its ports, the results of its steps, and the ways in which a step ends the visit. */
import { ALTERED, type Doing, isForPerson } from '../../domain/treasury/doing.ts';
import { HOLD_WORDS, type Hold } from '../../domain/treasury/hold.ts';
import {
  asFailure,
  type Open,
  type Settlement,
  type SettlementOutcome,
  type Signed,
  type TryFailure,
} from '../../domain/treasury/settlement.ts';
import type { Condition } from '../../domain/watching/conditions.ts';
import type { TryEnding } from '../dynamodb/settlement-book.ts';
import type { ClaimPorts, NonceClaim } from './claim.ts';
import type { Fees } from './payment.ts';
import type { PayoutSeals } from './payout-seals.ts';

export type DirectTreasury = ClaimPorts & {
  seals: PayoutSeals;
  /** The waits between the looks at the chain within one visit, if they differ from those of the chain's settings. */
  waitsMs?: readonly number[];
  /**
   * Why all money is held, if it is. No payment then gets or gives up a nonce, but a payment with a nonce goes on
   * (docs/operations.md, "After a restore").
   */
  findHold: () => Promise<Hold | undefined>;
};

export type SettlementVisit = DirectTreasury & { nonces: NonceClaim };

/**
 * The result of one step of a visit.
 *
 * - `AGAIN`: another visit has changed the row, so it is read again.
 * - `written`: the row after our own write. It is not read again, because each write is refused if the row
 *   has changed. `fees` were just read for this payment.
 * - `watched`: the visit waits before its next look at the chain. `blocksLeft` is present if only depth is
 *   missing. `note` records that the bytes were sent. It runs together with the next step, or before the
 *   visit ends.
 */
export type SettlementMove =
  | SettlementOutcome
  | 'AGAIN'
  | { written: Settlement; fees?: Fees }
  | { watched: Signed; blocksLeft?: number; note?: () => Promise<void> };

/**
 * A person is called if a settlement waits longer than this. Every chain makes a block final in less time.
 */
const OVERDUE_AFTER_MS = 30 * 60_000;

export function pending(doing: Doing): SettlementOutcome {
  return { state: 'PENDING', doing };
}

/** Makes the settlement wait, and calls a person. */
export function holdPayment(visit: SettlementVisit, settlement: Settlement, doing: Doing): SettlementOutcome {
  warn(visit, settlement, doing);
  return pending(doing);
}

export function warn({ log }: SettlementVisit, { transactionId, asset }: Settlement, doing: Doing): void {
  log.raise(conditionOf(doing), undefined, { transactionId, asset, doing });
}

function conditionOf(doing: Doing): Condition {
  if (doing === 'hourly ceiling') return 'PayoutsAtCeiling';
  if (doing === ALTERED) return 'PayoutAltered';
  return isForPerson(doing) ? 'SettlementNeedsPerson' : 'SettlementWaits';
}

/** If all money is held, logs the reason and makes the settlement wait. Undefined if no money is held. */
export async function findMoneyHold(
  visit: SettlementVisit,
  settlement: Settlement,
): Promise<SettlementOutcome | undefined> {
  const held = await visit.findHold();
  return held && holdPayment(visit, settlement, HOLD_WORDS[held]);
}

/**
 * Counts a failed try, except while all money is held. Restored tables may not know a transfer that has paid this
 * settlement. A replay of the chain leaves out settlements that have ended, so it would never find that transfer.
 */
export async function failTry(
  visit: SettlementVisit,
  settlement: Open,
  { reason, ...ending }: { reason: TryFailure } & TryEnding,
): Promise<SettlementMove> {
  const held = await findMoneyHold(visit, settlement);
  if (held) return held;
  const failed = await visit.book.fail(settlement, reason, ending);
  return failed ? asFailure(failed) : 'AGAIN';
}

/** Whether the settlement has waited too long. If `since` is unknown, it has not. */
export function isOverdue({ clock }: SettlementVisit, since: number): boolean {
  return clock.now() - since > OVERDUE_AFTER_MS;
}
