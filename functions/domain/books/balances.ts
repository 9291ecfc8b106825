/** The balances of the ledger's accounts before, in and after a period. */
import type { Account, Currency, Posting } from '../ledger.ts';
import type { Period } from '../time.ts';
import type { DaySum } from './day-sums.ts';

/**
 * The sums of an account in one currency. `opening` is the sum of all postings before the period. `closing`
 * also includes the postings in the period. A balance is debits minus credits.
 */
export type Balance = {
  /**
   * The partner of the postings. Absent if they belong to none, or if the balances are not made
   * `byPartner`.
   */
  partnerId?: string;
  account: Account;
  currency: Currency;
  opening: bigint;
  debit: bigint;
  credit: bigint;
  closing: bigint;
};

/**
 * Adds up the postings of a ledger. The caller gives them in several portions and in any order, because a
 * whole ledger does not fit in memory.
 */
export function balancesIn({ from, to }: Period, { byPartner = false } = {}) {
  const balances = new Map<string, Balance>();

  function add({ at, partnerId, entries }: Posting): void {
    if (at >= to) return;
    for (const { account, currency, amount } of entries) {
      const of = { ...(byPartner && partnerId !== undefined && { partnerId }), account, currency };
      const name = balanceName(of);
      const was = balances.get(name) ?? { ...of, ...NOTHING };
      balances.set(name, at < from ? withOpening(was, amount) : withMovement(was, amount));
    }
  }

  function addSum({ partnerId, account, currency, debit, credit }: DaySum, isUntil: boolean): void {
    const of = { ...(byPartner && partnerId !== undefined && { partnerId }), account, currency };
    const was = balances.get(balanceName(of)) ?? { ...of, ...NOTHING };
    balances.set(
      balanceName(of),
      isUntil ? withUntil(was, { debit, credit }) : withBefore(was, { debit, credit }),
    );
  }

  return {
    /** Adds the sums before the period, and those until its end. Both are sums since the beginning. */
    addSums(before: readonly DaySum[], until: readonly DaySum[]): void {
      for (const sum of before) addSum(sum, false);
      for (const sum of until) addSum(sum, true);
    },
    add: (postings: readonly Posting[]) => postings.forEach(add),
    /**
     * Lists the balances by partner, account and currency. Leaves out an account without an opening balance
     * and without postings in the period.
     */
    list: () =>
      [...balances.values()]
        .filter(({ opening, debit, credit }) => opening !== 0n || debit !== 0n || credit !== 0n)
        .sort((a, b) => (balanceName(a) < balanceName(b) ? -1 : 1)),
  };
}

const NOTHING = { opening: 0n, debit: 0n, credit: 0n, closing: 0n };

const balanceName = ({
  partnerId = '',
  account,
  currency,
}: Pick<Balance, 'partnerId' | 'account' | 'currency'>) => `${partnerId} ${account} ${currency}`;

const withOpening = (was: Balance, amount: bigint): Balance => ({
  ...was,
  opening: was.opening + amount,
  closing: was.closing + amount,
});

const withMovement = (was: Balance, amount: bigint): Balance => ({
  ...was,
  ...(amount > 0n ? { debit: was.debit + amount } : { credit: was.credit - amount }),
  closing: was.closing + amount,
});

type BalanceSides = Pick<Balance, 'debit' | 'credit'>;

const withBefore = (was: Balance, { debit, credit }: BalanceSides): Balance => ({
  ...was,
  opening: was.opening + debit - credit,
  debit: was.debit - debit,
  credit: was.credit - credit,
});

const withUntil = (was: Balance, { debit, credit }: BalanceSides): Balance => ({
  ...was,
  debit: was.debit + debit,
  credit: was.credit + credit,
  closing: was.closing + debit - credit,
});

/** Our spread on the sales of the period, in centavos. */
export function marginIn(balances: readonly Balance[]): bigint {
  return balances
    .filter(({ account }) => account === 'margin')
    .reduce((sum, { debit, credit }) => sum + credit - debit, 0n);
}
