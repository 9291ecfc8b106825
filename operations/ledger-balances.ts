/** The balances of a period, from stored sums or from all postings: docs/decisions.md, "The books". */
import { type Balance, balancesIn } from '../functions/domain/books/balances.ts';
import { dayAfter, dayBefore } from '../functions/domain/books/manifest.ts';
import { isBalanced, type Posting } from '../functions/domain/ledger.ts';
import { dayInBrasilia, type Period } from '../functions/domain/time.ts';
import { readInTime } from '../functions/logic/money/close-books.ts';
import type { Desk } from './desk.ts';
import { refuseOrder } from './words.ts';

type Sources = Pick<Desk, 'daySums' | 'ledgerReader' | 'clock'>;
type AskedBalances = { period: Period; byPartner: boolean };

/**
 * Reads two stored sums, the days that are not closed yet, and the late postings. The first hourly run of
 * `ReconcileBooks` stores the first sum. The whole ledger is short until then, and is read at once.
 */
export async function readBalances(asked: AskedBalances, desk: Sources): Promise<Balance[]> {
  const closed = await desk.daySums.findClosed();
  return closed === undefined ? recompute(asked, desk) : fromSums(asked, closed, desk);
}

/** Computes the balances from every posting of the ledger, without the stored sums. */
export async function recompute(
  { period, byPartner }: AskedBalances,
  { ledgerReader }: Sources,
): Promise<Balance[]> {
  const books = soundBooks(balancesIn(period, { byPartner }));
  await ledgerReader.readBefore(period.to, books.see);
  return books.list();
}

async function fromSums(
  { period, byPartner }: AskedBalances,
  closed: string,
  desk: Sources,
): Promise<Balance[]> {
  const { daySums, ledgerReader, clock } = desk;
  const balances = balancesIn(period, { byPartner });
  const books = soundBooks(balances);
  const before = dayBefore(dayInBrasilia(period.from));
  const last = earlier(dayInBrasilia(period.to - 1), dayAfter(dayInBrasilia(clock.now())));
  balances.addSums(
    await daySums.listSums(earlier(before, closed)),
    await daySums.listSums(earlier(last, closed)),
  );
  for (let day = dayAfter(closed); day <= last; day = dayAfter(day))
    await readInTime(day, books.see, daySums);
  await ledgerReader.readLate(period.to, books.see);
  return books.list();
}

const earlier = (one: string, other: string) => (one < other ? one : other);

/** Refuses a ledger with a posting whose debits and credits differ, because no balance is right then. */
function soundBooks(balances: ReturnType<typeof balancesIn>) {
  const wrong: string[] = [];
  return {
    see(postings: readonly Posting[]): void {
      balances.add(postings);
      wrong.push(...postings.filter((posting) => !isBalanced(posting)).map(({ id }) => id));
    },
    list(): Balance[] {
      if (wrong.length > 0)
        refuseOrder(`Debits and credits differ in ${wrong.join(', ')}: no balance is right.`);
      const all = balances.list();
      const open = unequalIn(all);
      if (open.length > 0)
        refuseOrder(`Debits and credits differ in ${open.join(', ')}: no balance is right.`);
      return all;
    },
  };
}

/** The currencies whose closing balances do not add up to zero. */
function unequalIn(balances: readonly Balance[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { currency, closing } of balances) sums.set(currency, (sums.get(currency) ?? 0n) + closing);
  return [...sums].filter(([, sum]) => sum !== 0n).map(([currency]) => currency);
}
