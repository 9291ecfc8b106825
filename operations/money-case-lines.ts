import type { BlockLifting, MoneyCase } from '../functions/domain/books/money-case.ts';
import { MONEY_CASE_KINDS } from '../functions/domain/books/money-case-kinds.ts';
import { FAILURE_REASONS, UNMATCHED_REASONS } from '../functions/domain/purchase/return-reasons.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import { brlIn } from '../functions/domain/wording.ts';
import type { Desk } from './desk.ts';
import { type Cell, cellOf, type Sheet } from './shown.ts';
import { instant } from './words.ts';

/** Shows a money case on one screen: its meaning, the next steps, and its facts. */
export async function sheetOfMoneyCase(found: MoneyCase, desk: Desk): Promise<Sheet> {
  const { id, kind, openedAt, deadline, facts, closed, status, block, unblocked } = found;
  const { means, remedy } = MONEY_CASE_KINDS[kind];
  const because = reasonWordsOf(found);
  const sheet = [
    ['case', id],
    ['means', means],
    ['do', remedy],
    ['status', closed ? closedWords(closed) : status],
    ...(block ? [['client', unblocked ? liftedWords(unblocked) : 'blocked: see clients unblock']] : []),
    ['opened', new Date(openedAt)],
    ...(deadline === undefined ? [] : [['deadline', new Date(deadline)]]),
    ['amount', amountOf(found)],
    ...NAMES.map((name) => [name, found[name]]).filter(([, value]) => value !== undefined),
    ...factCells(facts),
    ...(because === undefined ? [] : [['because', because]]),
    ...(await nowOf(found, desk)),
  ];
  return { sheet };
}

/** The facts of a case, sorted by their names, because DynamoDB returns fields in any order. */
const factCells = (facts: object): Cell[][] =>
  Object.entries(facts)
    .map(([name, value]) => [name, cellOf(name, value)])
    .sort(([one], [other]) => String(one).localeCompare(String(other)));

const NAMES = ['partnerId', 'transactionId', 'endToEndId', 'txHash', 'clientId', 'personId'] as const;

function reasonWordsOf(found: MoneyCase): string | undefined {
  switch (found.kind) {
    case 'UNMATCHED_LEFT':
    case 'RETURN_STUCK':
      return UNMATCHED_REASONS[found.facts.reason];
    case 'REFUND_FAILED':
    case 'PURCHASE_STUCK':
      return found.facts.reason && FAILURE_REASONS[found.facts.reason];
    default:
      return undefined;
  }
}

/** The table with the row of a case whose money a return of ours may cover. Undefined for other kinds of cases. */
function rowTableOf(found: MoneyCase): 'transactions' | 'unmatchedPayments' | undefined {
  switch (found.kind) {
    case 'REFUND_FAILED':
    case 'PURCHASE_STUCK':
      return 'transactions';
    case 'UNMATCHED_LEFT':
    case 'RETURN_STUCK':
      return 'unmatchedPayments';
    case 'MED_REFUND':
    case 'REFUND_UNASKED':
      return found.facts.from === 'unmatched' ? 'unmatchedPayments' : 'transactions';
    default:
      return undefined;
  }
}

/**
 * The row of the purchase or unmatched payment that a case is about. Undefined if the row is missing, or if the kind of
 * case needs no row.
 */
export async function findRowOf(
  found: MoneyCase,
  { dossier }: Desk,
): Promise<Partial<Transaction> | undefined> {
  const { transactionId, endToEndId } = found;
  const table = rowTableOf(found);
  if (!table) return undefined;
  const id = table === 'transactions' ? transactionId : endToEndId;
  const [row] = id === undefined ? [] : await dossier.listRows(table, [id]);
  return row as Partial<Transaction> | undefined;
}

/**
 * The present state of the purchase or the return. The case stays open after the purchase has ended, because no
 * function closes a case.
 */
async function nowOf(found: MoneyCase, desk: Desk): Promise<string[][]> {
  if (!rowTableOf(found)) return [];
  const { status, refund } = (await findRowOf(found, desk)) ?? {};
  const words = [status, refund && `refund ${refund.status}`].filter((each) => each !== undefined);
  return [['now', words.join(', ') || 'its row is gone']];
}

export function amountOf({ amountCentavos }: Pick<MoneyCase, 'amountCentavos'>): string {
  return amountCentavos === undefined ? '-' : brlIn('en', amountCentavos);
}

export function closedWords(closed: NonNullable<MoneyCase['closed']>): string {
  const { outcome, by, at, reason, amountCentavos } = closed;
  const amount = amountCentavos === undefined ? '' : ` (${brlIn('en', amountCentavos)})`;
  return `CLOSED as ${outcome}${amount} by ${by}, ${instant(at)}: ${reason}`;
}

export function liftedWords({ by, at, reason }: BlockLifting): string {
  return `block LIFTED by ${by}, ${instant(at)}: ${reason}`;
}
