import { isDeepStrictEqual } from 'node:util';
import {
  isQuiet,
  type MoneyCase,
  type MoneyCaseKind,
  moneyCaseId,
  openMoneyCase,
} from '../../domain/books/money-case.ts';
import { type Finding, namesOf, postingOfCase } from '../../domain/books/reconciliation.ts';
import type { Posting } from '../../domain/ledger.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import { type Origin, returnOf } from '../../domain/purchase/return.ts';
import { isStuck, type Transaction } from '../../domain/purchase/transaction.ts';
import { isReturnStuck, type UnmatchedPayment } from '../../domain/purchase/unmatched-payment.ts';

export const MONEY_CASE_NEEDS = ['moneyCases', 'clock', 'log'] as const;
type Ports = Pick<Needs<typeof MONEY_CASE_NEEDS>, 'moneyCases' | 'clock' | 'log'>;

/** Opens a case where it is not there yet, and raises the alarm for it, once; none for dust. */
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
  else log.error('case of money opened', new Error(kind), fields);
  return true;
}

/**
 * The case of one return that nobody here asked for. Some answers of a provider do not tell its nature: shown as the MED's
 * later, it is a case of the MED as well, which blocks the client; what left is posted once all the same.
 */
export async function openReturn(
  finding: Finding,
  posting: Posting | undefined,
  ports: Ports,
): Promise<{ isNew: boolean; known: MoneyCase }> {
  const opened = openMoneyCase({ ...finding, openedAt: ports.clock.now() });
  const isMed = finding.kind === 'MED_REFUND';
  const otherId = moneyCaseId(isMed ? 'REFUND_UNASKED' : 'MED_REFUND', finding.key);
  const other = await ports.moneyCases.findCase(otherId);
  if (other && !isMed) return { isNew: false, known: other };
  // What was posted followed from the facts of then.
  const { at, from } = { ...opened.facts, ...other?.facts };
  const known = { ...opened, facts: { ...opened.facts, at, from } };
  const isPosted = other !== undefined && postingOfCase(other) !== undefined;
  if (await openCase(known, ports, isPosted ? undefined : posting)) return { isNew: true, known };
  return { isNew: false, known: (await ports.moneyCases.findCase(opened.id))! };
}

/** Whose facts are amounts and ids alone, which do not change by themselves. */
const COMPARABLE: readonly MoneyCaseKind[] = ['PAYMENT_DIFFERS', 'REFUND_DIFFERS', 'POSTING_ALTERED'];

/** What was closed with other amounts than are found now is not what a person has decided about: a case of its own. */
export async function openRecurred({ key, ...finding }: Finding, ports: Ports): Promise<boolean> {
  if (!COMPARABLE.includes(finding.kind)) return false;
  for (let next = key; ; ) {
    const known = await ports.moneyCases.findCase(moneyCaseId(finding.kind, next));
    if (!known) return openCase(openMoneyCase({ ...finding, key: next, openedAt: ports.clock.now() }), ports);
    if (!known.closed || isDeepStrictEqual(plain(known.facts), plain(finding.facts))) return false;
    next = `${key}#${known.closed.at}`;
  }
}

/** As a table gives them back: what is undefined is not there. */
const plain = (facts: Finding['facts']): unknown => JSON.parse(JSON.stringify(facts));

/**
 * A case for a return that is a person's to decide. It is opened before the row says so, so that a crash leaves no return
 * without a case.
 */
export function openReturnFailed(origin: Origin, tries: number, ports: Ports): Promise<boolean> {
  const { endToEndId, amountCentavos } = returnOf(origin)!;
  const names = { ...namesOf(origin), endToEndId, amountCentavos, openedAt: ports.clock.now() };
  if (origin.kind === 'PURCHASE') {
    const { id: key, refund } = origin.transaction;
    const facts = { reason: refund!.reason, tries };
    return openCase(openMoneyCase({ kind: 'REFUND_FAILED', key, ...names, facts }), ports);
  }
  const { reason, txid } = origin.payment;
  const facts = { reason, tries, txid };
  return openCase(openMoneyCase({ kind: 'STRAY_LEFT', key: endToEndId, ...names, facts }), ports);
}

/**
 * A case for a purchase whose end takes too long, whatever holds it: docs/decisions.md, "Cases of money".
 * Never thrown: what cannot be told now is told at the next look, and must not keep the purchase from being driven.
 */
export async function tellIfStuck(transaction: Transaction, ports: Ports): Promise<void> {
  if (!isStuck(transaction, instantOf(ports.clock))) return;
  const { id: key, status, payment, refund, failure } = transaction;
  const { amountCentavos, paidAt } = payment!;
  const facts = { status, paidAt, reason: failure?.reason, tries: refund?.tries };
  const names = namesOf({ kind: 'PURCHASE', transaction });
  await openStuck({ kind: 'PURCHASE_STUCK', key, ...names, amountCentavos, facts }, ports);
}

/** As `tellIfStuck`, for the return of an unmatched payment. */
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
    ports.log.error('case not opened', error, { kind: found.kind, key: found.key });
  }
}
