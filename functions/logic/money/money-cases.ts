import { isDeepStrictEqual } from 'node:util';
import { type ForeignKind, isAboutForeignReturn, isPostedLoss } from '../../domain/books/case-postings.ts';
import {
  type Finding,
  isQuiet,
  type MoneyCase,
  moneyCaseId,
  openMoneyCase,
} from '../../domain/books/money-case.ts';
import { MONEY_CASE_KINDS } from '../../domain/books/money-case-kinds.ts';
import { type ForeignReturn, originNames } from '../../domain/books/reconciliation.ts';
import { getDefined } from '../../domain/get.ts';
import type { Posting } from '../../domain/ledger.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import { getReturn, type Origin } from '../../domain/purchase/return.ts';
import { isStuck, type Transaction } from '../../domain/purchase/transaction.ts';
import { isReturnStuck, type UnmatchedPayment } from '../../domain/purchase/unmatched-payment.ts';

export const MONEY_CASE_NEEDS = ['moneyCases', 'clock', 'log'] as const;
type Ports = Pick<Needs<typeof MONEY_CASE_NEEDS>, 'moneyCases' | 'clock' | 'log'>;

/**
 * Opens a case unless it exists, and answers whether it is new. A new case raises its alarm, unless `isQuiet` says that
 * it needs none. The alarm comes before the write. After a crash between the two it is raised again, and never lost.
 */
export async function openCase(
  opened: MoneyCase,
  { moneyCases, log }: Ports,
  posting?: Posting,
): Promise<boolean> {
  if (await moneyCases.findCase(opened.id)) return false;
  raiseOpened(opened, { log });
  return moneyCases.open(opened, posting);
}

/** Raises the alarm of a new case. */
export function raiseOpened(opened: MoneyCase, { log }: Pick<Ports, 'log'>): void {
  const { id: caseId, kind, transactionId = '-', endToEndId = '-' } = opened;
  const fields = { caseId, transactionId, endToEndId };
  if (isQuiet(opened)) log.info('case of money opened', { ...fields, kind });
  else log.raise(MONEY_CASE_KINDS[kind].raises, new Error(kind), fields);
}

/** Finds the case about one return that this service did not request. */
export async function findForeignCase(
  kind: ForeignKind,
  key: string,
  { moneyCases }: Pick<Ports, 'moneyCases'>,
): Promise<MoneyCase<ForeignKind> | undefined> {
  const found = await moneyCases.findCase(moneyCaseId(kind, key));
  return found && isAboutForeignReturn(found) ? found : undefined;
}

/** Finds the other case about the same return: `REFUND_UNASKED` for a `MED_REFUND`, and the reverse. */
export async function findSibling(
  { id, kind }: Pick<MoneyCase<ForeignKind>, 'id' | 'kind'>,
  ports: Pick<Ports, 'moneyCases'>,
): Promise<MoneyCase<ForeignKind> | undefined> {
  const key = id.slice(moneyCaseId(kind, '').length);
  return findForeignCase(kind === 'MED_REFUND' ? 'REFUND_UNASKED' : 'MED_REFUND', key, ports);
}

/**
 * Opens the case about one return that this service did not request. Answers the case if it exists already. The
 * provider may tell only later that a MED made the return. Then a second case, of the MED, opens, because only that
 * kind blocks the client. The ledger still gets one posting.
 */
export async function openForeignReturn(
  { finding, posting }: ForeignReturn,
  ports: Ports,
): Promise<MoneyCase<ForeignKind> | undefined> {
  const { kind, key } = finding;
  const other = await findSibling({ id: moneyCaseId(kind, key), kind }, ports);
  if (other && kind !== 'MED_REFUND') return other;
  // The posting was computed from the facts of the first case. The second case repeats these facts, so that the same
  // posting follows from it.
  const facts = { ...finding.facts, ...(other && { at: other.facts.at, from: other.facts.from }) };
  const opened = openMoneyCase({ ...finding, facts, openedAt: ports.clock.now() });
  const isPosted = other !== undefined && isPostedLoss(other);
  const isNew = await openCase(opened, ports, isPosted ? undefined : posting);
  return isNew ? undefined : findForeignCase(kind, key, ports);
}

/**
 * Opens a new case if the facts differ from those of the closed case, because a person has decided only about
 * the old facts. Does nothing for a kind of case without `recurs` in `MONEY_CASE_KINDS`.
 */
export async function openRecurred({ key, ...finding }: Finding, ports: Ports): Promise<boolean> {
  if (!MONEY_CASE_KINDS[finding.kind].recurs) return false;
  for (let next = key; ; ) {
    const known = await ports.moneyCases.findCase(moneyCaseId(finding.kind, next));
    if (!known) return openCase(openMoneyCase({ ...finding, key: next, openedAt: ports.clock.now() }), ports);
    if (!known.closed || isDeepStrictEqual(plainFacts(known.facts), plainFacts(finding.facts))) return false;
    next = `${key}#${known.closed.at}`;
  }
}

/**
 * Drops undefined attributes. A DynamoDB row does not have them, so the facts of a stored case can be
 * compared with new facts.
 */
const plainFacts = (facts: Finding['facts']): unknown => JSON.parse(JSON.stringify(facts));

/**
 * Opens a case for a return that will not be tried again. The case opens before the row becomes `FAILED`, so that a
 * crash between the two writes cannot lose the case.
 */
export function openReturnFailed(origin: Origin, tries: number, ports: Ports): Promise<boolean> {
  const { endToEndId, amountCentavos } = getReturn(origin);
  const names = { ...originNames(origin), endToEndId, amountCentavos, openedAt: ports.clock.now() };
  if (origin.kind === 'PURCHASE') {
    const { id: key, refund } = origin.transaction;
    const { reason } = getDefined(refund, `refund of ${key}`);
    const facts = { reason, tries };
    return openCase(openMoneyCase({ kind: 'REFUND_FAILED', key, ...names, facts }), ports);
  }
  const { reason, txid } = origin.payment;
  const facts = { reason, tries, txid };
  return openCase(openMoneyCase({ kind: 'UNMATCHED_LEFT', key: endToEndId, ...names, facts }), ports);
}

/**
 * Opens a case for a purchase that has not ended a day after its payment: docs/decisions.md, "The books". An
 * error is only logged, because the purchase must continue. The next visit then opens the case.
 */
export async function openIfPurchaseStuck(transaction: Transaction, ports: Ports): Promise<void> {
  if (!isStuck(transaction, instantOf(ports.clock))) return;
  const { id: key, status, payment, refund, failure } = transaction;
  const { amountCentavos, paidAt } = payment;
  const facts = { status, paidAt, reason: failure?.reason, tries: refund?.tries };
  const names = originNames({ kind: 'PURCHASE', transaction });
  await openStuck({ kind: 'PURCHASE_STUCK', key, ...names, amountCentavos, facts }, ports);
}

/**
 * Opens a case for the return of an unmatched payment that takes too long, as `openIfPurchaseStuck` does for a
 * purchase.
 */
export async function openIfReturnStuck(payment: UnmatchedPayment, ports: Ports): Promise<void> {
  if (!isReturnStuck(payment, instantOf(ports.clock))) return;
  const { id: key, amountCentavos, reason, foundAt, refund, faults } = payment;
  const facts = { reason, foundAt, tries: refund.tries, faults };
  const names = originNames({ kind: 'UNMATCHED', payment });
  await openStuck({ kind: 'RETURN_STUCK', key, ...names, amountCentavos, facts }, ports);
}

async function openStuck(found: Finding, ports: Ports): Promise<void> {
  try {
    await openCase(openMoneyCase({ ...found, openedAt: ports.clock.now() }), ports);
  } catch (error) {
    ports.log.raise('CaseNotOpened', error, { kind: found.kind, key: found.key });
  }
}
