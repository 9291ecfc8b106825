import { isDeepStrictEqual } from 'node:util';
import {
  type Finding,
  isQuiet,
  type MoneyCase,
  moneyCaseId,
  openMoneyCase,
} from '../../domain/books/money-case.ts';
import { MONEY_CASE_KINDS } from '../../domain/books/money-case-kinds.ts';
import {
  type ForeignKind,
  type ForeignReturn,
  isAboutForeignReturn,
  namesOf,
  postingOfCase,
} from '../../domain/books/reconciliation.ts';
import { getDefined } from '../../domain/get.ts';
import type { Posting } from '../../domain/ledger.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import { getReturn, type Origin } from '../../domain/purchase/return.ts';
import { isStuck, type Transaction } from '../../domain/purchase/transaction.ts';
import { isReturnStuck, type UnmatchedPayment } from '../../domain/purchase/unmatched-payment.ts';

export const MONEY_CASE_NEEDS = ['moneyCases', 'clock', 'log'] as const;
type Ports = Pick<Needs<typeof MONEY_CASE_NEEDS>, 'moneyCases' | 'clock' | 'log'>;

/**
 * Opens a case unless it exists, and answers whether it is new. A new case raises one alarm, unless it is quiet
 * (`isQuiet`).
 */
export async function openCase(
  opened: MoneyCase,
  { moneyCases, log }: Ports,
  posting?: Posting,
): Promise<boolean> {
  const isNew = await moneyCases.open(opened, posting);
  if (!isNew) return false;
  const { id: caseId, kind, transactionId = '-', endToEndId = '-' } = opened;
  const fields = { caseId, transactionId, endToEndId };
  if (isQuiet(opened)) log.info('case of money opened', { ...fields, kind });
  else log.raise(MONEY_CASE_KINDS[kind].raises, new Error(kind), fields);
  return true;
}

/** The case of one return that this service did not request. */
export async function findForeignCase(
  kind: ForeignKind,
  key: string,
  { moneyCases }: Pick<Ports, 'moneyCases'>,
): Promise<MoneyCase<ForeignKind> | undefined> {
  const found = await moneyCases.findCase(moneyCaseId(kind, key));
  return found && isAboutForeignReturn(found) ? found : undefined;
}

/**
 * Opens the case of one return that this service did not request, and answers undefined; or answers the case that
 * exists. A provider may tell only later that the MED made the return. Then a case of the MED is opened as well,
 * because it blocks the client, and the money is still posted once.
 */
export async function openForeignReturn(
  { finding, posting }: ForeignReturn,
  ports: Ports,
): Promise<MoneyCase<ForeignKind> | undefined> {
  const { kind, key } = finding;
  const isMed = kind === 'MED_REFUND';
  const other = await findForeignCase(isMed ? 'REFUND_UNASKED' : 'MED_REFUND', key, ports);
  if (other && !isMed) return other;
  // The posting followed from the facts of the first case, so the second case repeats them.
  const facts = { ...finding.facts, ...(other && { at: other.facts.at, from: other.facts.from }) };
  const opened = openMoneyCase({ ...finding, facts, openedAt: ports.clock.now() });
  const isPosted = other !== undefined && postingOfCase(other) !== undefined;
  const isNew = await openCase(opened, ports, isPosted ? undefined : posting);
  return isNew ? undefined : findForeignCase(kind, key, ports);
}

/**
 * Opens a new case if the facts differ from those of the closed case: a person has decided only about those. Only for
 * the kinds that recur.
 */
export async function openRecurred({ key, ...finding }: Finding, ports: Ports): Promise<boolean> {
  if (!MONEY_CASE_KINDS[finding.kind].recurs) return false;
  for (let next = key; ; ) {
    const known = await ports.moneyCases.findCase(moneyCaseId(finding.kind, next));
    if (!known) return openCase(openMoneyCase({ ...finding, key: next, openedAt: ports.clock.now() }), ports);
    if (!known.closed || isDeepStrictEqual(plain(known.facts), plain(finding.facts))) return false;
    next = `${key}#${known.closed.at}`;
  }
}

/** The facts as a table returns them: without attributes that are undefined. */
const plain = (facts: Finding['facts']): unknown => JSON.parse(JSON.stringify(facts));

/**
 * Opens a case for a return that nothing tries any more. A visit opens it before the row says so, so that a crash
 * cannot lose it.
 */
export function openReturnFailed(origin: Origin, tries: number, ports: Ports): Promise<boolean> {
  const { endToEndId, amountCentavos } = getReturn(origin);
  const names = { ...namesOf(origin), endToEndId, amountCentavos, openedAt: ports.clock.now() };
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
 * A case for a purchase that has not ended a day after its payment: docs/decisions.md, "Cases of money". An error
 * is logged and not thrown, because the purchase must go on. The next visit opens the case.
 */
export async function openIfPurchaseStuck(transaction: Transaction, ports: Ports): Promise<void> {
  if (!isStuck(transaction, instantOf(ports.clock))) return;
  const { id: key, status, payment, refund, failure } = transaction;
  const { amountCentavos, paidAt } = payment;
  const facts = { status, paidAt, reason: failure?.reason, tries: refund?.tries };
  const names = namesOf({ kind: 'PURCHASE', transaction });
  await openStuck({ kind: 'PURCHASE_STUCK', key, ...names, amountCentavos, facts }, ports);
}

/** As `openIfPurchaseStuck`, for the return of an unmatched payment. */
export async function openIfReturnStuck(payment: UnmatchedPayment, ports: Ports): Promise<void> {
  if (!isReturnStuck(payment, instantOf(ports.clock))) return;
  const { id: key, amountCentavos, reason, foundAt, refund, faults } = payment;
  const facts = { reason, foundAt, tries: refund.tries, faults };
  const names = namesOf({ kind: 'UNMATCHED', payment });
  await openStuck({ kind: 'RETURN_STUCK', key, ...names, amountCentavos, facts }, ports);
}

async function openStuck(found: Finding, ports: Ports): Promise<void> {
  try {
    await openCase(openMoneyCase({ ...found, openedAt: ports.clock.now() }), ports);
  } catch (error) {
    ports.log.raise('CaseNotOpened', error, { kind: found.kind, key: found.key });
  }
}
