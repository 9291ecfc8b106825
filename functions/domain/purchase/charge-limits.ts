/**
 * How much one client may have charged at a partner: docs/decisions.md, "Charge limits of a client". Of constant size,
 * for it lies in the client's row.
 */
import { refuse } from '../errors.ts';
import type { Charges, OpenCharge } from '../kyc/client.ts';
import { brlOf } from '../money.ts';
import { dayInBrasilia, endOfDayInBrasilia } from '../time.ts';
import type { Status, Transaction } from './transaction.ts';

/** What a deployment allows; whole BRL. */
export type ChargeLimits = { openCharges: number; dailyBrl: number };

/** Their charges exist, or may be made. The time-out alone ends them: until it has closed the charge, that may be paid. */
const WAITING: readonly (Status | undefined)[] = ['AWAITING_MFA', 'AWAITING_PIX'];
const NONE: Charges = { day: '', centavos: 0, open: [], revision: 0 };

type Wanted = Pick<Transaction, 'id' | 'amountCentavos'>;
/** A client's charges, and their purchases as they are now; one that is not there any more is long over. */
export type Standing = { charges: Charges; purchases: readonly Transaction[] };

export const chargesOf = ({ charges = NONE }: { charges?: Charges }): Charges => charges;

export function hasClaimed({ open }: Charges, { id }: Pick<Wanted, 'id'>): boolean {
  return open.some(({ transactionId }) => transactionId === id);
}

/** The charges with one more; refused where that is over a limit. */
export function withCharge(
  standing: Standing,
  { id, amountCentavos }: Wanted,
  { limits, now }: { limits: ChargeLimits; now: number },
): Charges {
  const { day, centavos, open, revision } = chargesOn(dayInBrasilia(now), standing);
  if (open.length >= limits.openCharges) {
    const room = { maximum: limits.openCharges, remaining: 0 };
    refuseUntil(firstEndOf(open, standing), { limit: 'OPEN_CHARGES', ...room }, now);
  }
  const left = limits.dailyBrl * 100 - centavos;
  if (amountCentavos > left) {
    const room = { maximum: limits.dailyBrl, remaining: brlOf(Math.max(0, left)) };
    refuseUntil(endOfDayInBrasilia(day), { limit: 'DAILY_AMOUNT', ...room }, now);
  }
  const claimed = { transactionId: id, amountCentavos, day };
  return { day, centavos: centavos + amountCentavos, open: [...open, claimed], revision: revision + 1 };
}

/**
 * Without those that can be paid no more. What was paid stays in its day's sum; what expired unpaid is given back to it.
 * A clock that is behind the row's day does not bring back the day before.
 */
function chargesOn(today: string, { charges, purchases }: Standing): Charges {
  const day = charges.day > today ? charges.day : today;
  const statusOf = new Map(purchases.map(({ id, status }) => [id, status]));
  const unpaid = charges.open.filter(
    (each) => each.day === day && statusOf.get(each.transactionId) === 'EXPIRED',
  );
  const before = charges.day === day ? charges.centavos : 0;
  return {
    day,
    centavos: unpaid.reduce((sum, { amountCentavos }) => sum - amountCentavos, before),
    open: charges.open.filter(({ transactionId }) => WAITING.includes(statusOf.get(transactionId))),
    revision: charges.revision,
  };
}

/** When the first of them is over at the latest. */
function firstEndOf(open: readonly OpenCharge[], { purchases }: Standing): number {
  const ids = open.map(({ transactionId }) => transactionId);
  const ends = purchases.filter(({ id }) => ids.includes(id)).map(({ expiresAt = 0 }) => expiresAt);
  return Math.min(...ends);
}

function refuseUntil(
  resetsAt: number,
  cap: { limit: string; maximum: number; remaining: number },
  now: number,
): never {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt - now) / 1000));
  refuse('LIMIT_EXCEEDED', { ...cap, resetsAt: new Date(resetsAt).toISOString(), retryAfterSeconds });
}
