/** Sums of the ledger's accounts, stored for each closed day: docs/decisions.md, "The books". */
import type { Account, Currency, Posting } from '../ledger.ts';
import { DAY_MS, endOfDayInBrasilia } from '../time.ts';

/** All debits and all credits of an account since the beginning, in one currency. */
export type DaySum = {
  partnerId?: string;
  account: Account;
  currency: Currency;
  debit: bigint;
  credit: bigint;
};

/**
 * A posting that is recorded later than this after its own instant is late. Such a posting is marked, and is
 * in no stored sum.
 */
const LATE_MS = 3 * DAY_MS;
/** A day closes when no posting in time can still come, and the index shows all of them. */
const CLOSES_AFTER_MS = LATE_MS + DAY_MS;

export const isLatePosting = (at: number, recordedAt: number): boolean => recordedAt - at > LATE_MS;

export const isDayOver = (day: string, now: number): boolean =>
  now >= endOfDayInBrasilia(day) + CLOSES_AFTER_MS;

/** Adds postings to the sums. The caller gives them in portions, because a day may not fit in memory. */
export function summing(before: readonly DaySum[]) {
  const sums = new Map(before.map((sum) => [daySumName(sum), sum]));

  function add({ partnerId, entries }: Posting): void {
    for (const { account, currency, amount } of entries) {
      const of = { ...(partnerId !== undefined && { partnerId }), account, currency };
      const { debit, credit } = sums.get(daySumName(of)) ?? { debit: 0n, credit: 0n };
      const [more, less] = amount > 0n ? [amount, 0n] : [0n, -amount];
      sums.set(daySumName(of), { ...of, debit: debit + more, credit: credit + less });
    }
  }

  return {
    add: (postings: readonly Posting[]) => postings.forEach(add),
    /** Lists the sums in the order of partner, account and currency, so that equal sums are equal lists. */
    list: (): DaySum[] => [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum),
  };
}

const daySumName = ({ partnerId = '', account, currency }: Omit<DaySum, 'debit' | 'credit'>) =>
  `${partnerId} ${account} ${currency}`;
