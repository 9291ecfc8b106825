import Papa from 'papaparse';
import { type Balance, balancesIn, marginIn } from '../functions/domain/books/balances.ts';
import { isBalanced } from '../functions/domain/ledger.ts';
import { dayInBrasilia, type Period } from '../functions/domain/time.ts';
import type { Command, Given } from './command.ts';
import { periodOf } from './dates.ts';
import type { Desk } from './desk.ts';
import { amountIn, completeness, findSeen } from './ledger.ts';
import type { Table } from './shown.ts';
import { misused, refused } from './words.ts';

export const booksCommands: Command[] = [
  {
    name: 'books',
    takes: '[<from> [<to>]] [--by-partner] [--csv]',
    about:
      'each account’s opening balance, debits, credits, closing balance, and the margin; of a day, month ' +
      'or year, or from one to another; this month by default; --csv: as CSV',
    options: ['by-partner', 'csv'],
    run: showBooks,
  },
];

/**
 * Shows the balances of a period. Refuses a ledger with a posting whose debits and credits differ, because no balance
 * is right then.
 */
async function showBooks(given: Given, desk: Desk): Promise<Table | string[]> {
  const now = desk.clock.now();
  const period = periodIn(given, now);
  const byPartner = given.flags['by-partner'] === true;
  const balances = await readBalances(period, byPartner, desk);
  const table = tableOf(balances, byPartner);
  if (given.flags.csv === true) return csvOf(table, period);
  const { first, last } = daysOf(period);
  return {
    ...table,
    more: [
      `${first} to ${last}: margin R$ ${amountIn('BRL', marginIn(balances))}`,
      completeness(period.to, { seenUpTo: await findSeen(desk), now }),
    ],
  };
}

function periodIn({ words }: Given, now: number): Period {
  const thisMonth = dayInBrasilia(now).slice(0, 'YYYY-MM'.length);
  const [first = thisMonth, last = first, extra] = words;
  if (extra !== undefined) misused(`${extra} is one word too many.`);
  const { from } = periodOf(first, now);
  const { to } = periodOf(last, now);
  return from < to ? { from, to } : misused(`${first} is after ${last}.`);
}

async function readBalances(period: Period, byPartner: boolean, { ledgerReader }: Desk): Promise<Balance[]> {
  const books = balancesIn(period, { byPartner });
  const wrong: string[] = [];
  await ledgerReader.readBefore(period.to, (postings) => {
    books.add(postings);
    wrong.push(...postings.filter((posting) => !isBalanced(posting)).map(({ id }) => id));
  });
  if (wrong.length > 0) refused(`Debits and credits differ in ${wrong.join(', ')}: no balance is right.`);
  return books.list();
}

const daysOf = ({ from, to }: Period) => ({ first: dayInBrasilia(from), last: dayInBrasilia(to - 1) });

function tableOf(balances: readonly Balance[], byPartner: boolean): Table & { rows: string[][] } {
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
function csvOf({ head, rows }: ReturnType<typeof tableOf>, period: Period): string[] {
  const { first, last } = daysOf(period);
  const data = rows.map((row) => [first, last, ...row]);
  return Papa.unparse({ fields: ['from', 'to', ...head], data }, { newline: '\n' }).split('\n');
}
