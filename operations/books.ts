import Papa from 'papaparse';
import { type Balance, marginIn } from '../functions/domain/books/balances.ts';
import { dayInBrasilia, endOfDayInBrasilia, type Period } from '../functions/domain/time.ts';
import { type Command, type Given, requireWords } from './command.ts';
import { requirePeriod } from './dates.ts';
import type { Desk } from './desk.ts';
import { amountIn, completeness, findSeen } from './ledger.ts';
import { readBalances, recompute } from './ledger-balances.ts';
import type { Table, Told } from './shown.ts';
import { misused, refuseOrder } from './words.ts';

export const booksCommands: Command[] = [
  {
    name: 'books',
    takes: '[<from> [<to>]] [--by-partner] [--csv]',
    about:
      'each account’s balances, debits and credits, and the margin; of a day, month or year, or from ' +
      'one to another; this month by default',
    options: ['by-partner', 'csv'],
    run: showBooks,
  },
  {
    name: 'books verify',
    takes: '',
    about: 'adds up all postings again, and compares the result with the stored sums of the last closed day',
    run: verifySums,
  },
];

/** Reads the whole ledger, so a large one takes minutes. */
async function verifySums(given: Given, desk: Desk): Promise<Told> {
  requireWords(given);
  const closed = await desk.daySums.findClosed();
  if (closed === undefined)
    return { lines: ['No day is closed yet.'], json: { verifiedUntil: null, balances: 0 } };
  const asked = { period: { from: 0, to: endOfDayInBrasilia(closed) }, byPartner: true };
  const stored = linesOfBooks(await readBalances(asked, desk));
  const added = linesOfBooks(await recompute(asked, desk));
  const wrong = [
    ...added.filter((line) => !stored.includes(line)),
    ...stored.filter((line) => !added.includes(line)),
  ];
  if (wrong.length > 0)
    refuseOrder(`The sums until ${closed} differ from the postings: ${wrong.join('; ')}.`);
  return {
    lines: [`The sums until ${closed} are those of all postings: ${added.length} balances.`],
    json: { verifiedUntil: closed, balances: added.length },
  };
}

const linesOfBooks = (balances: readonly Balance[]) =>
  balances.map(({ partnerId = '-', account, currency, debit, credit }) =>
    [partnerId, account, `debit ${amountIn(currency, debit)}`, `credit ${amountIn(currency, credit)}`].join(
      ' ',
    ),
  );

/** Shows the balances of a period. */
async function showBooks(given: Given, desk: Desk): Promise<Table | string[]> {
  if (given.flags.csv && given.flags.json) misused('Take --csv or --json.');
  const now = desk.clock.now();
  const period = periodIn(given, now);
  const byPartner = given.flags['by-partner'] === true;
  const [balances, seenUpTo] = await Promise.all([readBalances({ period, byPartner }, desk), findSeen(desk)]);
  const table = balancesTable(balances, byPartner);
  if (given.flags.csv === true) return balancesCsv(table, period);
  const { first, last } = daysOfPeriod(period);
  return {
    ...table,
    more: [
      `${first} to ${last}: margin R$ ${amountIn('BRL', marginIn(balances))}`,
      completeness(period.to, { seenUpTo, now }),
    ],
  };
}

function periodIn({ words }: Given, now: number): Period {
  const thisMonth = dayInBrasilia(now).slice(0, 'YYYY-MM'.length);
  const [first = thisMonth, last = first, extra] = words;
  if (extra !== undefined) misused(`${extra} is one word too many.`);
  const { from } = requirePeriod(first, now);
  const { to } = requirePeriod(last, now);
  return from < to ? { from, to } : misused(`${first} is after ${last}.`);
}

const daysOfPeriod = ({ from, to }: Period) => ({ first: dayInBrasilia(from), last: dayInBrasilia(to - 1) });

function balancesTable(balances: readonly Balance[], byPartner: boolean): Table & { rows: string[][] } {
  const rows = balances.map(({ partnerId = '', account, currency, opening, debit, credit, closing }) => {
    const amounts = [opening, debit, credit, closing].map((amount) => amountIn(currency, amount));
    return [...(byPartner ? [partnerId] : []), account, currency, ...amounts];
  });
  const head = ['account', 'currency', 'opening', 'debit', 'credit', 'closing'];
  return { head: byPartner ? ['partner', ...head] : head, rows, empty: 'Nothing was posted until then.' };
}

/**
 * The lines of a CSV (RFC 4180). A spreadsheet can take no cell for a formula: ids consist of `a-z0-9`, and
 * all other cells are numbers and dates.
 */
function balancesCsv({ head, rows }: ReturnType<typeof balancesTable>, period: Period): string[] {
  const { first, last } = daysOfPeriod(period);
  const data = rows.map((row) => [first, last, ...row]);
  return Papa.unparse({ fields: ['from', 'to', ...head], data }, { newline: '\n' }).split('\n');
}
