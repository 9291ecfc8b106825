import Papa from 'papaparse';
import { assetAmountOf } from '../functions/domain/assets.ts';
import { type Currency, isBalanced, type Posting, type PostingEntry } from '../functions/domain/ledger.ts';
import { decimalOf, GAS_DECIMALS } from '../functions/domain/money.ts';
import { endOfDayInBrasilia, isoInstant } from '../functions/domain/time.ts';
import { type Command, type Given, requireText, requireWords } from './command.ts';
import { requireDay } from './dates.ts';
import type { Desk } from './desk.ts';
import { writeNew } from './new-file.ts';
import type { Told } from './shown.ts';
import { columns, instant, refuseOrder } from './words.ts';

export const ledgerCommands: Command[] = [
  {
    name: 'ledger day',
    takes: '<day> [--out <file.csv>]',
    about: 'the books of a day in Brasília: the totals of each account; --out: every entry as a line of CSV',
    options: ['out'],
    run: closeDay,
  },
];

/**
 * Prints a day's totals, and writes its entries to `--out`. Refuses a day with a posting whose debits and
 * credits differ, because bookkeeping needs postings that balance.
 */
async function closeDay(given: Given, desk: Desk): Promise<Told> {
  const { ledger, clock } = desk;
  const [text] = requireWords(given, 'the day');
  const day = requireDay(text, clock.now());
  const end = endOfDayInBrasilia(day);
  const out = given.flags.out === undefined ? undefined : requireText(given, 'out');
  const postings = byTime(await ledger.listDay(day));
  const wrong = postings.filter((posting) => !isBalanced(posting)).map(({ id }) => id);
  if (wrong.length > 0) refuseOrder(`Debits and credits differ in ${wrong.join(', ')}: nothing was written.`);
  const seenUpTo = await findSeen(desk);
  const seen = { seenUpTo, now: clock.now() };
  const [head, ...totals] = totalsOf(postings);
  const file = out === undefined ? undefined : writeNew(out, postingsCsv(postings));
  const lines = [
    `${day}: ${postings.length} postings`,
    ...columns([head, ...totals]),
    ...balancesPerCurrency(postings),
    completeness(end, seen),
    ...(file === undefined ? [] : [file]),
  ];
  const sums = totals.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
  const isWhole = isComplete(end, seen);
  return { lines, json: { day, postings: postings.length, isComplete: isWhole, totals: sums, file } };
}

/**
 * The instant up to which both `ReconcilePix`, which finds received Pix, and `ReconcileBooks`, which finds returns that
 * the provider made, have read.
 */
export async function findSeen({
  unmatchedPayments,
  moneyCases,
}: Pick<Desk, 'unmatchedPayments' | 'moneyCases'>) {
  const cursors = await Promise.all([unmatchedPayments.findCursor(), moneyCases.findCursor()]);
  return cursors.includes(undefined) ? undefined : Math.min(...cursors.map(Number));
}

/**
 * Tells whether the postings of a period are complete: the period has ended, and both schedules of `findSeen`
 * have read beyond its end. Until then a Pix may still be posted to the period.
 */
export function completeness(end: number, seenNow: LedgerSeen): string {
  const { seenUpTo } = seenNow;
  const seen = seenUpTo === undefined ? 'not looked for yet' : `looked for until ${instant(seenUpTo)}`;
  const state = isComplete(end, seenNow) ? 'complete' : 'NOT COMPLETE YET';
  return `${state}: received Pix and returns were ${seen}`;
}

type LedgerSeen = { seenUpTo?: number; now: number };

const isComplete = (end: number, { seenUpTo, now }: LedgerSeen): boolean =>
  seenUpTo !== undefined && seenUpTo >= end && now >= end;

const COLUMNS = [
  ...['day', 'instant', 'posting', 'kind', 'account', 'currency', 'debit', 'credit'],
  ...['transactionId', 'endToEndId', 'txHash'],
];

/**
 * Writes one line for each entry, as CSV (RFC 4180). A cell that a spreadsheet would take for a formula is written as
 * text.
 */
export function postingsCsv(postings: readonly Posting[]): string {
  const data = postings.flatMap((posting) => posting.entries.map((entry) => cellsOfEntry(posting, entry)));
  return `${Papa.unparse({ fields: COLUMNS, data }, { newline: '\r\n', escapeFormulae: true })}\r\n`;
}

function cellsOfEntry(posting: Posting, { account, currency, amount }: PostingEntry): string[] {
  const { day, at, id, kind, transactionId = '', endToEndId = '', txHash = '' } = posting;
  const [debit, credit] = amount > 0n ? [amountIn(currency, amount), ''] : ['', amountIn(currency, -amount)];
  return [day, isoInstant(at), id, kind, account, currency, debit, credit, transactionId, endToEndId, txHash];
}

/** An amount of the ledger as decimal text. */
export function amountIn(currency: Currency, amount: bigint): string {
  if (amount < 0n) return `-${amountIn(currency, -amount)}`;
  if (currency === 'NATIVE') return decimalOf(amount, GAS_DECIMALS);
  return currency === 'BRL' ? decimalOf(amount, 2) : assetAmountOf(currency, amount);
}

/** Sorts postings by instant, and those of one instant by id. The index sorts only by instant. */
const byTime = (postings: Posting[]) => postings.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));

type Sum = { debit: bigint; credit: bigint };

function sumsBy(postings: readonly Posting[], nameOf: (entry: PostingEntry) => string): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const entry of postings.flatMap(({ entries }) => entries)) {
    const { debit, credit } = sums.get(nameOf(entry)) ?? { debit: 0n, credit: 0n };
    const { amount } = entry;
    sums.set(
      nameOf(entry),
      amount > 0n ? { debit: debit + amount, credit } : { debit, credit: credit - amount },
    );
  }
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function totalsOf(postings: readonly Posting[]): [head: string[], ...rows: string[][]] {
  const sums = sumsBy(postings, ({ account, currency }) => `${account} ${currency}`);
  const rows = [...sums].map(([name, { debit, credit }]) => {
    const [account = '', currency = ''] = name.split(' ');
    return [account, currency, ...amounts({ debit, credit }, currency as Currency)];
  });
  return [['account', 'currency', 'debit', 'credit'], ...rows];
}

function balancesPerCurrency(postings: readonly Posting[]): string[] {
  return [...sumsBy(postings, ({ currency }) => currency)].map(([currency, sum]) => {
    const [debit, credit] = amounts(sum, currency as Currency);
    return `${currency} balances: debit ${debit} = credit ${credit}`;
  });
}

const amounts = ({ debit, credit }: Sum, currency: Currency) => [
  amountIn(currency, debit),
  amountIn(currency, credit),
];
