/**
 * Finds each difference between the books and the outside: docs/decisions.md, "Reconciliation of the books". Data
 * in, findings out. Each finding becomes a case of money.
 */
import { type Posting, returnedOutside, takenBack } from '../ledger.ts';
import { isMed, type ReceivedPix } from '../purchase/pix.ts';
import { idOf, idsOf, isForeign, type Origin, returnOf } from '../purchase/return.ts';
import { isDelivered, TERMINAL } from '../purchase/status.ts';
import { type Finding, type MoneyCase, medDeadline } from './money-case.ts';
import type { MoneyCaseFacts, PlainPosting } from './money-case-facts.ts';
import { MONEY_CASE_KINDS } from './money-case-kinds.ts';

/** The names that a case has of the row that a Pix belongs to. */
export function namesOf(origin: Origin) {
  if (origin.kind === 'PURCHASE') {
    const { id: transactionId, partnerId, clientId, payment } = origin.transaction;
    return { transactionId, partnerId, clientId, endToEndId: payment.endToEndId };
  }
  const { id: endToEndId, transactionId, partnerId } = origin.payment;
  return { transactionId, partnerId, endToEndId };
}

type Payment = { endToEndId: string; amountCentavos: number; paidAt: number; txid?: string };

/** The payment as the row has it, with the txid that the provider must show for it. */
export function paymentOf(origin: Origin): Payment {
  if (origin.kind === 'UNMATCHED') {
    const { id: endToEndId, amountCentavos, paidAt, txid } = origin.payment;
    return { endToEndId, amountCentavos, paidAt, txid };
  }
  const { id: txid, payment } = origin.transaction;
  return { ...payment, txid };
}

/** The payment as the row has it, against the provider's view: the amount and the txid must be the same. */
export function paymentFindings(origin: Origin, pix: ReceivedPix): Finding[] {
  const { amountCentavos, txid } = paymentOf(origin);
  const isSame = amountCentavos === pix.amountCentavos && (!pix.txid || !txid || pix.txid === txid);
  if (isSame) return [];
  const facts = {
    here: { amountCentavos, txid },
    there: { amountCentavos: pix.amountCentavos, txid: pix.txid },
  };
  return [{ kind: 'PAYMENT_DIFFERS', key: pix.endToEndId, ...namesOf(origin), amountCentavos, facts }];
}

/** A payment that the provider does not show at all. */
export function missingPayment(origin: Origin): Finding {
  const { endToEndId: key, amountCentavos, paidAt } = paymentOf(origin);
  return { kind: 'PAYMENT_NOT_SHOWN', key, ...namesOf(origin), amountCentavos, facts: { paidAt } };
}

/**
 * Our own returns of a Pix, against the provider's view: one return, of the right amount, and done if our row says
 * so. The provider may not show yet what was done after `judgedBefore`.
 */
export function returnFindings(
  origin: Origin,
  { endToEndId: key, returns = [] }: ReceivedPix,
  judgedBefore: number,
): Finding[] {
  const wanted = returnOf(origin);
  if (!wanted) return [];
  const { amountCentavos } = wanted;
  const ids = idsOf(wanted);
  const id = idOf(wanted);
  const done = returns.filter((shown) => ids.includes(shown.id) && shown.status === 'REFUNDED');
  const subject = { key, ...namesOf(origin), amountCentavos };
  const found: Finding[] = [];
  if (done.length > 1 || done.some((shown) => shown.amountCentavos !== amountCentavos)) {
    const facts = { asked: { id, amountCentavos }, shown: done };
    found.push({ kind: 'REFUND_DIFFERS', ...subject, facts });
  }
  // Any of the ids counts: a try that was recorded as ended may be shown as done later, and then no other try was made.
  const isOld = wanted.status === 'REFUNDED' && (wanted.refundedAt ?? 0) <= judgedBefore;
  if (isOld && done.length === 0)
    found.push({ kind: 'REFUND_NOT_SHOWN', ...subject, facts: { id, returns } });
  return found;
}

export type ForeignKind = 'MED_REFUND' | 'REFUND_UNASKED';
export type ForeignReturn = { finding: Finding<ForeignKind>; posting?: Posting };

/**
 * The returns that the provider made without us, by the MED or otherwise, and their postings. A purchase that still
 * moves is left alone: it is not known yet whether we lose the tokens, and `ConfirmPixPayment` reads the returns
 * itself.
 */
export function foreignReturns(origin: Origin, pix: ReceivedPix, now: number): ForeignReturn[] {
  if (origin.kind === 'PURCHASE' && !TERMINAL.includes(origin.transaction.status)) return [];
  const { endToEndId, returns = [] } = pix;
  return returns
    .filter((shown) => isForeign(origin, shown))
    .map(({ id: returnId, amountCentavos, nature, at = now }) => {
      const kind: ForeignKind = isMed({ nature }) ? 'MED_REFUND' : 'REFUND_UNASKED';
      const facts = { returnId, nature, at, from: bearerOf(origin) };
      const deadline = kind === 'MED_REFUND' ? medDeadline(at) : undefined;
      const subject = { ...namesOf(origin), endToEndId, amountCentavos, deadline };
      const finding = { kind, key: `${endToEndId}#${returnId}`, ...subject, facts };
      const posting = postingOfCase(finding);
      return { finding, ...(posting && { posting }) };
    });
}

/**
 * The account that bears it: ours once the tokens are delivered, and before that the account of those whom we owe.
 */
function bearerOf(origin: Origin): MoneyCaseFacts[ForeignKind]['from'] {
  if (origin.kind === 'UNMATCHED') return 'strays';
  return isDelivered(origin.transaction.status) ? 'losses' : 'clients';
}

/** Whether the case is about a return that this service did not request. */
export function isAboutForeignReturn(found: MoneyCase): found is MoneyCase<ForeignKind> {
  return found.kind === 'MED_REFUND' || found.kind === 'REFUND_UNASKED';
}

type Posted = Pick<Finding<ForeignKind>, 'endToEndId' | 'transactionId' | 'amountCentavos' | 'facts'>;

/**
 * The posting of a case about a foreign return. It follows from the case alone. Nothing if the amount could not be
 * read.
 */
export function postingOfCase(found: Posted): Posting | undefined {
  const { endToEndId, transactionId, amountCentavos } = found;
  const { returnId, at, from } = found.facts;
  if (amountCentavos === undefined || endToEndId === undefined) return undefined;
  const names = { endToEndId, ...(transactionId && { transactionId }) };
  return takenBack({ returnId, amountCentavos, at, from, ...names });
}

/** The posting of the closing of a case. It follows from the case alone. */
export function postingOfClosing({ id, kind, closed, ...subject }: MoneyCase): Posting | undefined {
  const { endToEndId, transactionId } = subject;
  const { owedTo: from } = MONEY_CASE_KINDS[kind];
  if (closed?.outcome !== 'RETURNED_OUTSIDE' || !from || endToEndId === undefined) return undefined;
  const { amountCentavos, at } = closed;
  if (amountCentavos === undefined) return undefined;
  const names = { endToEndId, ...(transactionId && { transactionId }) };
  return returnedOutside({ caseId: id, amountCentavos, at, from, ...names });
}

/**
 * The ledger against the postings that it must have. `listed`: the postings of its days. `found`: those of
 * `expected` that it has.
 */
export function postingFindings(
  expected: readonly Posting[],
  found: ReadonlyMap<string, Posting>,
  listed: readonly Posting[],
): Finding[] {
  const wrong = expected.flatMap((posting): Finding[] => {
    const stored = found.get(posting.id);
    const facts = { posting: plainOf(posting) };
    if (!stored) return [{ kind: 'POSTING_MISSING', ...subjectOf(posting), facts }];
    if (isSamePosting(posting, stored)) return [];
    return [{ kind: 'POSTING_ALTERED', ...subjectOf(posting), facts: { ...facts, stored: plainOf(stored) } }];
  });
  const known = new Set(expected.map(({ id }) => id));
  const extra = listed.filter(({ id }) => !known.has(id));
  const unexplained = extra.map(
    (posting): Finding => ({
      kind: 'POSTING_EXTRA',
      ...subjectOf(posting),
      facts: { posting: plainOf(posting) },
    }),
  );
  return [...wrong, ...unexplained];
}

const subjectOf = ({ id: key, transactionId, endToEndId, txHash }: Posting) => ({
  key,
  transactionId,
  endToEndId,
  txHash,
});

function plainOf({ kind, day, at, entries }: Posting): PlainPosting {
  return { kind, day, at, entries: entries.map((entry) => ({ ...entry, amount: String(entry.amount) })) };
}

function isSamePosting(one: Posting, other: Posting): boolean {
  const plain = ({ id, transactionId, endToEndId, txHash, ...rest }: Posting) =>
    JSON.stringify([id, transactionId, endToEndId, txHash, rest.kind, rest.day, rest.at, entriesOf(rest)]);
  return plain(one) === plain(other);
}

const entriesOf = ({ entries }: Pick<Posting, 'entries'>) =>
  entries.map(({ account, currency, amount }) => [account, currency, String(amount)]);
