/**
 * How much one client may have charged at a partner: docs/decisions.md, "Charge limits of a client". The list stays
 * short, because it is part of the client's row: each claim removes the charges that have ended.
 */
import { refuse } from '../errors.ts';
import type { Charges, OpenCharge } from '../kyc/client.ts';
import { brlOf } from '../money.ts';
import { dayInBrasilia, endOfDayInBrasilia } from '../time.ts';
import { hasEndedUnpaid, STATUSES, type Status } from './status.ts';
import type { Transaction } from './transaction.ts';

/** The limits of a deployment: a number of charges, and whole BRL. */
export type ChargeLimits = { openCharges: number; dailyBrl: number };

const NONE: Charges = { day: '', centavos: 0, open: [], revision: 0 };

type Wanted = Pick<Transaction, 'id' | 'amountCentavos'>;
/**
 * A client's charges, with the purchases of the open ones as they are now. If the row of a purchase is gone, the
 * purchase ended long ago.
 */
export type Standing = { charges: Charges; purchases: readonly Transaction[] };

export const chargesOf = ({ charges = NONE }: { charges?: Charges }): Charges => charges;

export function hasClaimed({ open }: Charges, { id }: Pick<Wanted, 'id'>): boolean {
  return open.some(({ transactionId }) => transactionId === id);
}

/**
 * The client's charges with this one added, and without those that have ended. Refuses with `LIMIT_EXCEEDED` if this
 * charge exceeds a limit.
 */
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
 * The charges without those that can no longer be paid. The day's sum keeps what was paid, and loses what ended unpaid.
 * A clock that is behind the day of the row does not bring back the day before.
 */
function chargesOn(today: string, { charges, purchases }: Standing): Charges {
  const day = charges.day > today ? charges.day : today;
  const purchasesWhere = (judge: (status: Status) => boolean) =>
    new Set(purchases.filter(({ status }) => judge(status)).map(({ id }) => id));
  const endedUnpaid = purchasesWhere(hasEndedUnpaid);
  const chargeable = purchasesWhere((status) => STATUSES[status].chargeMayBeOpen);
  const unpaid = charges.open.filter((charge) => charge.day === day && endedUnpaid.has(charge.transactionId));
  const before = charges.day === day ? charges.centavos : 0;
  return {
    day,
    centavos: unpaid.reduce((sum, { amountCentavos }) => sum - amountCentavos, before),
    open: charges.open.filter(({ transactionId }) => chargeable.has(transactionId)),
    revision: charges.revision,
  };
}

/** The earliest deadline of these charges. An open charge may get a later deadline, so this is only an estimate. */
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
