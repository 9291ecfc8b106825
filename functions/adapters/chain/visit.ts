/** One visit of a settlement: its ports, the answers of its steps, and the ways in which a step ends it. */
import { type Doing, isForPerson } from '../../domain/treasury/doing.ts';
import { HOLD_WORDS, type Hold } from '../../domain/treasury/hold.ts';
import {
  asFailure,
  type Cancellation,
  type Open,
  type Settlement,
  type SettlementOutcome,
  type Signed,
  type TryFailure,
} from '../../domain/treasury/settlement.ts';
import type { Condition } from '../../domain/watching/conditions.ts';
import type { ClaimPorts, NonceClaim } from './claim.ts';
import type { Fees } from './payment.ts';

export type DirectTreasury = ClaimPorts & {
  /** The waits between the looks at the chain within one visit. A fast chain confirms within one visit. */
  waitsMs?: readonly number[];
  /**
   * While money is held, no payment takes a nonce, and none gives it up (docs/decisions.md, "Tables that were
   * restored").
   */
  findHold: () => Promise<Hold | undefined>;
};

export type Visit = DirectTreasury & { nonces: NonceClaim };

/**
 * `AGAIN`: the row has changed, so it is read again. `written`: the row after our own write. It is not read again,
 * because the next write is dropped if the row changed since. `watched`: the same, and the visit waits before its
 * next look at the chain. `blocksLeft` is there if only depth is missing. `note` writes down the send, at the latest
 * beside that look. `fees` were read for the payment just now.
 */
export type Move =
  | SettlementOutcome
  | 'AGAIN'
  | { written: Settlement; fees?: Fees }
  | { watched: Signed; blocksLeft?: number; note?: () => Promise<void> };

/** After this time a person must look at a settlement that waits. No chain takes so long to make a block final. */
const OVERDUE_AFTER_MS = 30 * 60_000;

export function pending(doing: Doing): SettlementOutcome {
  return { state: 'PENDING', doing };
}

/** The settlement waits, and a person is called. */
export function hold(visit: Visit, settlement: Settlement, doing: Doing): SettlementOutcome {
  warn(visit, settlement, doing);
  return pending(doing);
}

export function warn({ log }: Visit, { transactionId, asset }: Settlement, doing: Doing): void {
  log.raise(conditionOf(doing), undefined, { transactionId, asset, doing });
}

function conditionOf(doing: Doing): Condition {
  if (doing === 'hourly ceiling') return 'PayoutsAtCeiling';
  return isForPerson(doing) ? 'SettlementNeedsPerson' : 'SettlementWaits';
}

/** Logs a hold of money, and answers that the settlement waits. Undefined: money may leave. */
export async function findMoneyHold(
  visit: Visit,
  settlement: Settlement,
): Promise<SettlementOutcome | undefined> {
  const held = await visit.findHold();
  return held && hold(visit, settlement, HOLD_WORDS[held]);
}

/**
 * Counts a failed try, but not while money is held. Restored tables may not know a transfer that has paid it since,
 * and a replay leaves out a settlement that is over.
 */
export async function failTry(
  visit: Visit,
  settlement: Open,
  { reason, cancel }: { reason: TryFailure; cancel?: Cancellation },
): Promise<Move> {
  const held = await findMoneyHold(visit, settlement);
  if (held) return held;
  const failed = await visit.book.fail(settlement, reason, cancel);
  return failed ? asFailure(failed) : 'AGAIN';
}

/** Undefined `since`: it is unknown, so the settlement is not overdue. */
export function isOverdue({ clock }: Visit, since: number | undefined): boolean {
  return since !== undefined && clock.now() - since > OVERDUE_AFTER_MS;
}
