import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isClosedSo, isQuiet, type MoneyCase } from '../functions/domain/books/money-case.ts';
import {
  MONEY_CASE_KINDS,
  MONEY_CASE_OUTCOMES,
  type MoneyCaseOutcome,
} from '../functions/domain/books/money-case-kinds.ts';
import { getDefined } from '../functions/domain/get.ts';
import { decimalOf, unitsOf } from '../functions/domain/money.ts';
import { type Command, type Given, type Order, type Plan, textOf, wordsOf } from './command.ts';
import type { Desk } from './desk.ts';
import { collect } from './dossier.ts';
import { build, write } from './evidence.ts';
import { amountOf, closedWords, sheetOfMoneyCase } from './money-case-lines.ts';
import { onlyOne } from './short-ids.ts';
import type { Cell, Sheet, Table } from './shown.ts';
import { instant, misused, refused } from './words.ts';

const OUTCOMES = Object.keys(MONEY_CASE_OUTCOMES) as MoneyCaseOutcome[];

export const moneyCaseCommands: Command[] = [
  {
    name: 'cases list',
    takes: '[--closed] [--all]',
    about: 'open cases of money; --closed: the closed ones, and how they were decided; --all: dust as well',
    options: ['closed', 'all'],
    run: listCases,
  },
  {
    name: 'cases show',
    takes: '<case>',
    about: 'one case: what it means, what to do, its facts and its deadline',
    run: showCase,
  },
  {
    name: 'cases export',
    takes: '<case> --out <directory> [--personal]',
    about: 'the case and all that is kept of its purchase: KYC, payer, payment, wallet checks, transfer',
    options: ['out', 'personal'],
    needsReason: true,
    run: exportCase,
  },
  {
    name: 'cases close',
    takes: `<case> --outcome <${OUTCOMES.join('|')}> [--amount <BRL>]`,
    about:
      'closes a case as decided; it is not opened again, and a blocked client stays blocked: clients unblock',
    options: ['outcome', 'amount'],
    needsReason: true,
    run: closeCase,
  },
];

async function listCases(given: Given, desk: Desk): Promise<Table> {
  wordsOf(given);
  const { closed, all } = given.flags;
  const found = await (closed ? desk.moneyCases.listClosed() : desk.moneyCases.listOpen());
  const shown = all ? found : found.filter((each) => !isQuiet(each));
  const left = found.length - shown.length;
  const again = closed ? 'cases list --closed --all' : 'cases list --all';
  const more = left > 0 ? [`and ${left} of dust: ${again}`] : [];
  const empty = `There are no ${closed ? 'closed' : 'open'} cases of money.`;
  return { head: HEAD, rows: shown.map(rowOf), empty, more };
}

const HEAD = ['case', 'opened', 'amount', 'purchase', 'partner', 'decision'];

function rowOf(found: MoneyCase): Cell[] {
  const { id, openedAt, deadline, transactionId, partnerId, closed } = found;
  const until = deadline === undefined ? undefined : `until ${instant(deadline)}`;
  return [
    ...[id, new Date(openedAt), amountOf(found), transactionId, partnerId],
    closed ? closedWords(closed) : until,
  ];
}

export async function requireMoneyCase(given: Given, { moneyCases }: Desk): Promise<MoneyCase> {
  const [id] = wordsOf(given, '<case>');
  const found = (await moneyCases.findCase(id)) ?? onlyOne(id, await moneyCases.listOpen());
  return found ?? onlyOne(id, await moneyCases.listClosed()) ?? refused(`There is no case ${id}.`);
}

async function showCase(given: Given, desk: Desk): Promise<Sheet> {
  return sheetOfMoneyCase(await requireMoneyCase(given, desk), desk);
}

/**
 * Exports the evidence with which the operator contests a MED at the provider. If the case names no purchase or no
 * client, only the case itself is exported.
 */
async function exportCase(given: Given, desk: Desk): Promise<Plan> {
  const found = await requireMoneyCase(given, desk);
  const out = textOf(given, 'out');
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
        ...write(`${JSON.stringify(found, null, 2)}\n`, join(out, 'case.json')),
        ...(bundle ? write(`${JSON.stringify(bundle, null, 2)}\n`, join(out, 'evidence.json')) : []),
      ];
    },
  };
}

/** Makes a new directory that only its owner can read. It must not exist, so that two exports never mix. */
function newDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    refused(`${path}: ${(error as Error).message}`);
  }
}

async function closeCase(given: Given, desk: Desk): Promise<Plan> {
  const found = await requireMoneyCase(given, desk);
  const { id, kind, clientId, transactionId, endToEndId, txHash, block } = found;
  const outcome = requireOutcome(textOf(given, 'outcome'));
  if (outcome === 'FRAUD') requirePerson(found);
  const amountCentavos = requireAmount(given, found, outcome);
  const closingBy = (order: Order) => ({
    ...order,
    outcome,
    ...(amountCentavos !== undefined && { amountCentavos }),
  });
  const isDone = given.resumed && found.closed && isClosedSo(found, closingBy(given.resumed));
  if (found.closed && !isDone) refused(`The case ${id} is ${closedWords(found.closed)}.`);
  return {
    ...(outcome === 'RETURNED_OUTSIDE' && { act: 'cases close RETURNED_OUTSIDE' as const }),
    subject: id,
    clientId,
    will: [
      `close the case ${id} (${MONEY_CASE_KINDS[kind].means})`,
      `as ${outcome}: ${MONEY_CASE_OUTCOMES[outcome]}`,
      ...(amountCentavos === undefined
        ? []
        : [`post R$ ${decimalOf(amountCentavos, 2)} as RETURNED_OUTSIDE`]),
      ...(outcome === 'FRAUD' ? ['block the person at all partners until fraud lift lifts that'] : []),
      'the same discrepancy opens no case again',
      ...(block === 'ACTIVE' ? ['the client stays blocked until clients unblock lifts that'] : []),
    ],
    facts: { case: id, outcome, amountCentavos, transactionId, endToEndId, txHash },
    before: { status: 'OPEN', amountCentavos: found.amountCentavos, block },
    after: { status: 'CLOSED', outcome, amountCentavos },
    isDone,
    async perform(order) {
      const closing = closingBy(order);
      const now = await desk.moneyCases.close(id, closing);
      if (!isClosedSo(now, closing))
        refused(`The case ${id} is ${closedWords(getDefined(now.closed, 'closing'))}.`);
      return [`The case ${id} is CLOSED as ${outcome}.`];
    },
  };
}

function requireOutcome(text: string): MoneyCaseOutcome {
  return OUTCOMES.find((each) => each === text) ?? misused(`--outcome is one of ${OUTCOMES.join(', ')}.`);
}

function requirePerson({ kind, personId }: MoneyCase): void {
  if (kind !== 'MED_REFUND') refused(`A ${kind} says nothing about fraud.`);
  if (!personId) refused('The case names no person. Use fraud block with the CPF, and another outcome.');
}

/**
 * The amount that a person gave back by hand, in centavos. It may not exceed the case's amount, and the case must be
 * about money that we owe. Undefined for any other outcome.
 */
function requireAmount(given: Given, found: MoneyCase, outcome: MoneyCaseOutcome): number | undefined {
  const isOutside = outcome === 'RETURNED_OUTSIDE';
  if (!isOutside && given.flags.amount === undefined) return undefined;
  if (!isOutside) misused('--amount goes with --outcome RETURNED_OUTSIDE.');
  if (!MONEY_CASE_KINDS[found.kind].owedTo)
    refused(`In a ${found.kind} nothing is owed that a person could give back by hand.`);
  const amount = unitsOf(textOf(given, 'amount'), 2);
  if (!amount) misused('--amount is an amount in BRL, as 250.00.');
  if (amount > BigInt(found.amountCentavos ?? 0)) refused('The amount is more than the case is about.');
  return Number(amount);
}
