import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isQuiet, type MoneyCase } from '../functions/domain/books/money-case.ts';
import { type Command, type Given, type Plan, requireText, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import { collect } from './dossier.ts';
import { build, writeBundle } from './evidence.ts';
import { closeMoneyCaseCommand } from './money-case-closing.ts';
import { amountOf, closedWords, sheetOfMoneyCase } from './money-case-lines.ts';
import { requireMoneyCase } from './money-case-search.ts';
import { requireNew } from './new-file.ts';
import type { Cell, Sheet, Table } from './shown.ts';
import { instant, refuseOrder } from './words.ts';

export const moneyCaseCommands: Command[] = [
  {
    name: 'cases list',
    takes: '[--closed] [--all]',
    about: 'open cases of money; --closed: the closed ones, and how they were decided; --all: dust as well',
    options: ['closed', 'all'],
    run: listMoneyCases,
  },
  {
    name: 'cases show',
    takes: '<case>',
    about: 'one case: what it means, what to do, its facts and its deadline',
    run: showMoneyCase,
  },
  {
    name: 'cases export',
    takes: '<case> --out <directory> [--personal]',
    about: 'the case and all that is kept of its purchase: KYC, payer, payment, wallet checks, transfer',
    options: ['out', 'personal'],
    needsReason: true,
    run: exportCase,
  },
  closeMoneyCaseCommand,
];

async function listMoneyCases(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const { closed, all } = given.flags;
  const found = await (closed ? desk.moneyCases.listClosed() : desk.moneyCases.listOpen());
  const shown = all ? found : found.filter((each) => !isQuiet(each));
  const left = found.length - shown.length;
  const again = closed ? 'cases list --closed --all' : 'cases list --all';
  const more = left > 0 ? [`and ${left} of dust: ${again}`] : [];
  const empty = `There are no ${closed ? 'closed' : 'open'} cases of money.`;
  return { head: HEAD, rows: shown.map(moneyCaseCells), empty, more };
}

/** A table of the money cases about one person. Its last column says whether the case blocks the client. */
export const moneyCaseTable = (found: readonly MoneyCase[]): Table => ({
  head: [...HEAD, 'block'],
  rows: found.map((each) => [...moneyCaseCells(each), each.block]),
  empty: 'No case of money is about this person.',
});

const HEAD = ['case', 'opened', 'amount', 'purchase', 'partner', 'decision'];

function moneyCaseCells(found: MoneyCase): Cell[] {
  const { id, openedAt, deadline, transactionId, partnerId, closed } = found;
  const until = deadline === undefined ? undefined : `until ${instant(deadline)}`;
  return [
    ...[id, new Date(openedAt), amountOf(found), transactionId, partnerId],
    closed ? closedWords(closed) : until,
  ];
}

async function showMoneyCase(given: Given, desk: Desk): Promise<Sheet> {
  return sheetOfMoneyCase(await requireMoneyCase(given, desk), desk);
}

/**
 * Exports the evidence about a money case. With it the operator can contest a MED (a Pix refund for fraud) at
 * the provider. If the case names no purchase or no client, only the case itself is exported.
 */
async function exportCase(given: Given, desk: Desk): Promise<Plan> {
  const found = await requireMoneyCase(given, desk);
  const out = requireText(given, 'out');
  requireNew(out, 'directory');
  const { id, transactionId, clientId, endToEndId } = found;
  const isPersonal = given.flags.personal === true;
  const scope = transactionId && clientId ? { transactionId, clientId } : undefined;
  const collected = scope && (await collect(scope, desk));
  return {
    subject: id,
    clientId,
    will: [
      `export the case ${id} to ${out}`,
      ...(scope ? [`with all that is kept of the purchase ${transactionId}`] : ['it names no purchase']),
      ...(isPersonal ? ['with CPF, name and birth date in clear'] : []),
    ],
    facts: { case: id, transactionId, endToEndId, personal: isPersonal },
    before: {},
    after: {},
    async perform(order) {
      const bundle = scope && collected && (await build(order, { scope, collected, isPersonal }, desk));
      newDirectory(out);
      return [
        ...writeBundle(`${JSON.stringify(found, null, 2)}\n`, join(out, 'case.json')),
        ...(bundle ? writeBundle(`${JSON.stringify(bundle, null, 2)}\n`, join(out, 'evidence.json')) : []),
      ];
    },
  };
}

/**
 * Makes a new directory that only its owner can read. Refuses if it exists already, so that two exports never
 * mix.
 */
function newDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    refuseOrder(`${path}: ${(error as Error).message}`);
  }
}
