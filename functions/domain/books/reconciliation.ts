/**
 * Finds each difference between the books and the outside: docs/decisions.md, "Reconciliation of the books". Data in,
 * findings out. Each finding becomes a case of money.
 */
import { type Posting, returnedOutside, takenBack } from '../ledger.ts';
import { isMed, type PixReturn, type ReceivedPix } from '../purchase/pix.ts';
import { idOf, idsOf, isForeign, type Origin, returnOf } from '../purchase/return.ts';
import { isDelivered, TERMINAL } from '../purchase/status.ts';
import { type MoneyCase, type MoneyCaseKind, medDeadline, owedTo } from './money-case.ts';

export type Finding = Omit<MoneyCase, 'id' | 'status' | 'openedAt' | 'closed'> & { key: string };

/** The names that a case has of the row that a Pix belongs to. */
export function namesOf(origin: Origin) {
  if (origin.kind === 'PURCHASE') {
    const { id: transactionId, partnerId, clientId, payment } = origin.transaction;
    return { transactionId, partnerId, clientId, endToEndId: payment?.endToEndId };
  }
  const { id: endToEndId, transactionId, partnerId } = origin.payment;
  return { transactionId, partnerId, endToEndId };
}

/** The payment as the row has it. The txid is the one that the provider must show for it. */
function paymentOf(origin: Origin): { amountCentavos: number; paidAt: number; txid?: string } {
  if (origin.kind === 'UNMATCHED') return origin.payment;
  return { ...origin.transaction.payment!, txid: origin.transaction.id };
}

function findingOf(kind: MoneyCaseKind, key: string, origin: Origin, rest: Partial<Finding>): Finding {
  return { facts: {}, ...rest, kind, key, ...namesOf(origin) };
}

/** The payment as the row has it, against the provider's: the same amount, and the purchase's own charge. */
export function paymentFindings(origin: Origin, pix: ReceivedPix): Finding[] {
  const { amountCentavos, txid } = paymentOf(origin);
  const isSame = amountCentavos === pix.amountCentavos && (!pix.txid || !txid || pix.txid === txid);
  if (isSame) return [];
  const facts = {
    here: { amountCentavos, txid },
    there: { amountCentavos: pix.amountCentavos, txid: pix.txid },
  };
  return [findingOf('PAYMENT_DIFFERS', pix.endToEndId, origin, { amountCentavos, facts })];
}

/** The payment that the provider does not show at all. */
export function paymentMissing(origin: Origin): Finding {
  const { amountCentavos, paidAt } = paymentOf(origin);
  const key = namesOf(origin).endToEndId!;
  return findingOf('PAYMENT_NOT_SHOWN', key, origin, { amountCentavos, facts: { paidAt } });
}

/**
 * Our own returns of a Pix, as the provider shows them: once, of the right amount, and done where we say so, but for what
 * was done after `judgedBefore`.
 */
export function refundFindings(
  origin: Origin,
  { endToEndId, returns = [] }: ReceivedPix,
  judgedBefore: number,
): Finding[] {
  const wanted = returnOf(origin);
  if (!wanted) return [];
  const { amountCentavos } = wanted;
  const ids = idsOf(wanted);
  const id = idOf(wanted);
  const done = returns.filter((each) => ids.includes(each.id) && each.status === 'REFUNDED');
  const found: Finding[] = [];
  if (done.length > 1 || done.some((each) => each.amountCentavos !== amountCentavos)) {
    const facts = { asked: { id, amountCentavos }, shown: done };
    found.push(findingOf('REFUND_DIFFERS', endToEndId, origin, { amountCentavos, facts }));
  }
  // Any of the ids counts: a try that was recorded as ended may be shown as done later, and then no other try was made.
  const isOld = wanted.status === 'REFUNDED' && (wanted.refundedAt ?? 0) <= judgedBefore;
  if (isOld && done.length === 0)
    found.push(findingOf('REFUND_NOT_SHOWN', endToEndId, origin, { amountCentavos, facts: { id, returns } }));
  return found;
}

/**
 * What the provider gave back without us, by the MED or otherwise, and what that posts. A purchase that still moves is
 * left alone: whether it costs us the tokens is not known yet, and `ConfirmPixPayment` looks itself.
 */
export function foreignFindings(
  origin: Origin,
  { endToEndId, returns = [] }: ReceivedPix,
  now: number,
): { finding: Finding; posting?: Posting }[] {
  if (origin.kind === 'PURCHASE' && !TERMINAL.includes(origin.transaction.status)) return [];
  return returns
    .filter((each) => isForeign(origin, each))
    .map((each) => foreignFinding(origin, endToEndId, each, now));
}

export function foreignFinding(
  origin: Origin,
  endToEndId: string,
  { id: returnId, amountCentavos, nature, at: doneAt }: PixReturn,
  now: number,
): { finding: Finding; posting?: Posting } {
  const at = doneAt ?? now;
  const kind = isMed({ nature }) ? 'MED_REFUND' : 'REFUND_UNASKED';
  const facts = { returnId, nature, at, from: bearerOf(origin) };
  const key = `${endToEndId}#${returnId}`;
  const deadline = kind === 'MED_REFUND' ? medDeadline(at) : undefined;
  const finding = { ...findingOf(kind, key, origin, { amountCentavos, deadline, facts }), endToEndId };
  const posting = postingOfCase(finding);
  return { finding, ...(posting && { posting }) };
}

type Bearer = Parameters<typeof takenBack>[0]['from'];

/** Who loses by it: we, once the tokens are delivered; before that those whom we owe the money. */
function bearerOf(origin: Origin): Bearer {
  if (origin.kind === 'UNMATCHED') return 'strays';
  return isDelivered(origin.transaction.status) ? 'losses' : 'clients';
}

/** What a case has posted, from the case alone; nothing where no amount could be read. */
export function postingOfCase({
  endToEndId,
  transactionId,
  amountCentavos,
  facts,
}: Pick<MoneyCase, 'endToEndId' | 'transactionId' | 'amountCentavos' | 'facts'>): Posting | undefined {
  const { returnId, at, from } = facts as { returnId?: string; at: number; from: Bearer };
  if (returnId === undefined || amountCentavos === undefined || endToEndId === undefined) return undefined;
  return takenBack({
    ...{ returnId, endToEndId, amountCentavos, at, from },
    ...(transactionId && { transactionId }),
  });
}

/** What the closing of a case has posted, from the case alone. */
export function postingOfClosing({ id, kind, closed, ...rest }: MoneyCase): Posting | undefined {
  const { endToEndId, transactionId } = rest;
  const from = owedTo(kind);
  if (closed?.outcome !== 'RETURNED_OUTSIDE' || !from || endToEndId === undefined) return undefined;
  const { amountCentavos, at } = closed;
  if (amountCentavos === undefined) return undefined;
  const whose = { endToEndId, ...(transactionId && { transactionId }) };
  return returnedOutside({ caseId: id, amountCentavos, at, from, ...whose });
}

type Known = Pick<Posting, 'transactionId' | 'endToEndId' | 'txHash'>;

/** What the ledger has against what it must have. `listed` are those of its days; `found` each that is expected. */
export function postingFindings(
  expected: Posting[],
  found: ReadonlyMap<string, Posting>,
  listed: Posting[],
): Finding[] {
  const finding = (kind: MoneyCaseKind, posting: Posting, stored?: Posting): Finding => {
    const { transactionId, endToEndId, txHash }: Known = posting;
    const facts = { posting: plainOf(posting), ...(stored && { stored: plainOf(stored) }) };
    return { kind, key: posting.id, ...{ transactionId, endToEndId, txHash }, facts };
  };
  const wrong = expected.flatMap((posting) => {
    const stored = found.get(posting.id);
    if (!stored) return [finding('POSTING_MISSING', posting)];
    return isSamePosting(posting, stored) ? [] : [finding('POSTING_ALTERED', posting, stored)];
  });
  const known = new Set(expected.map(({ id }) => id));
  const extra = listed.filter(({ id }) => !known.has(id)).map((each) => finding('POSTING_EXTRA', each));
  return [...wrong, ...extra];
}

function plainOf({ kind, day, at, entries }: Posting) {
  return { kind, day, at, entries: entries.map((each) => ({ ...each, amount: String(each.amount) })) };
}

function isSamePosting(one: Posting, other: Posting): boolean {
  const plain = ({ id, transactionId, endToEndId, txHash, ...rest }: Posting) =>
    JSON.stringify([id, transactionId, endToEndId, txHash, rest.kind, rest.day, rest.at, entriesOf(rest)]);
  return plain(one) === plain(other);
}

const entriesOf = ({ entries }: Pick<Posting, 'entries'>) =>
  entries.map(({ account, currency, amount }) => [account, currency, String(amount)]);
