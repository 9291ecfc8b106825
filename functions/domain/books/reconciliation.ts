/**
 * Compares our rows with the Pix provider and with the ledger: docs/decisions.md, "The books".
 * `outflow.ts` compares transfers on the chain. These functions only compute. Each finding becomes a money case, unless
 * that case exists.
 */
import type { Posting } from '../ledger.ts';
import { isMed, type ReceivedPix } from '../purchase/pix.ts';
import { isForeign, type Origin, returnIdOf, returnIdsOf, returnOf } from '../purchase/return.ts';
import { TERMINAL } from '../purchase/status.ts';
import { isDelivered } from '../purchase/transaction.ts';
import { type ForeignKind, postingOfCase } from './case-postings.ts';
import { type Finding, medDeadline } from './money-case.ts';
import type { MoneyCaseFacts, PlainPosting } from './money-case-facts.ts';

/**
 * The ids that a case copies from the purchase, or from the unmatched payment, to which the Pix belongs.
 */
export function originNames(origin: Origin) {
  if (origin.kind === 'PURCHASE') {
    const { id: transactionId, partnerId, clientId, personId, payment } = origin.transaction;
    return { transactionId, partnerId, clientId, personId, endToEndId: payment.endToEndId };
  }
  const { id: endToEndId, transactionId, partnerId } = origin.payment;
  return { transactionId, partnerId, endToEndId };
}

type Payment = { endToEndId: string; amountCentavos: number; paidAt: number; txid?: string };

/** The payment as our row has it. */
export function paymentOf(origin: Origin): Payment {
  if (origin.kind === 'UNMATCHED') {
    const { id: endToEndId, amountCentavos, paidAt, txid } = origin.payment;
    return { endToEndId, amountCentavos, paidAt, txid };
  }
  const { id: txid, payment } = origin.transaction;
  return { ...payment, txid };
}

/**
 * Compares the payment in our row with the one that the provider shows. The amounts must be equal. The txids must be
 * equal too, if both sides have one.
 */
export function paymentFindings(origin: Origin, pix: ReceivedPix): Finding[] {
  const { amountCentavos, txid } = paymentOf(origin);
  const isSame = amountCentavos === pix.amountCentavos && (!pix.txid || !txid || pix.txid === txid);
  if (isSame) return [];
  const facts = {
    here: { amountCentavos, txid },
    there: { amountCentavos: pix.amountCentavos, txid: pix.txid },
  };
  return [{ kind: 'PAYMENT_DIFFERS', key: pix.endToEndId, ...originNames(origin), amountCentavos, facts }];
}

/** The finding for a payment that our row has and the provider does not show. */
export function missingPayment(origin: Origin): Finding {
  const { endToEndId: key, amountCentavos, paidAt } = paymentOf(origin);
  return { kind: 'PAYMENT_NOT_SHOWN', key, ...originNames(origin), amountCentavos, facts: { paidAt } };
}

/**
 * Compares our returns of a Pix with those that the provider shows. At most one of our returns may be done, and its
 * amount must be right. None may be done if our row recorded that all tries failed. One must be done if our row
 * recorded the return as done by `judgedBefore`. A return that our row recorded later is not required yet, because the
 * provider may lag.
 */
export function returnFindings(
  origin: Origin,
  { endToEndId: key, returns = [] }: ReceivedPix,
  judgedBefore: number,
): Finding[] {
  const wanted = returnOf(origin);
  if (!wanted) return [];
  const { amountCentavos } = wanted;
  const ids = returnIdsOf(wanted);
  const id = returnIdOf(wanted);
  const done = returns.filter((shown) => ids.includes(shown.id) && shown.status === 'REFUNDED');
  const subject = { key, ...originNames(origin), amountCentavos };
  const found: Finding[] = [];
  const most = wanted.status === 'FAILED' ? 0 : 1;
  if (done.length > most || done.some((shown) => shown.amountCentavos !== amountCentavos)) {
    const facts = { asked: { id, amountCentavos }, shown: done };
    found.push({ kind: 'REFUND_DIFFERS', ...subject, facts });
  }
  // Each try to return the money has its own id, and one done return under any of these ids is enough. The
  // provider may report a try as failed, and later as done. The service then makes no other try.
  const isOld = wanted.status === 'REFUNDED' && wanted.refundedAt <= judgedBefore;
  if (isOld && done.length === 0)
    found.push({ kind: 'REFUND_NOT_SHOWN', ...subject, facts: { id, returns } });
  return found;
}

export type ForeignReturn = { finding: Finding<ForeignKind>; posting?: Posting };

/**
 * The returns that this service did not request, with their postings. The bank made them by MED, or
 * somebody made them at the provider. A return of an unknown amount has no posting. The list is empty while
 * a purchase is open. Until the purchase ends, nobody knows whether the stablecoin will be sent, and
 * `ConfirmPixPayment` reads the returns itself.
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
      const subject = { ...originNames(origin), endToEndId, amountCentavos, deadline };
      const finding = { kind, key: `${endToEndId}#${returnId}`, ...subject, facts };
      const posting = postingOfCase(finding);
      return { finding, ...(posting && { posting }) };
    });
}

/**
 * The ledger's account that loses the money of a return that we did not request. After the delivery of the
 * stablecoin it is our own account `losses`. Without a delivery it is the account of those to whom we owe
 * the money.
 */
function bearerOf(origin: Origin): MoneyCaseFacts[ForeignKind]['from'] {
  if (origin.kind === 'UNMATCHED') return 'unmatched';
  return isDelivered(origin.transaction) ? 'losses' : 'clients';
}

/**
 * Compares the stored postings with those that our other rows require (`expected`). `found` has, for each
 * expected id, the posting that is stored under it. Each posting in `listed` must have the id of an
 * expected posting.
 */
export function postingFindings(
  expected: readonly Posting[],
  found: ReadonlyMap<string, Posting>,
  listed: readonly Posting[],
): Finding[] {
  const wrong = expected.flatMap((posting): Finding[] => {
    const stored = found.get(posting.id);
    const facts = { posting: plainPostingOf(posting) };
    if (!stored) return [{ kind: 'POSTING_MISSING', ...postingSubject(posting), facts }];
    if (isSamePosting(posting, stored) || isSamePosting(beforeMargin(posting), stored)) return [];
    return [
      {
        kind: 'POSTING_ALTERED',
        ...postingSubject(posting),
        facts: { ...facts, stored: plainPostingOf(stored) },
      },
    ];
  });
  const known = new Set(expected.map(({ id }) => id));
  const extra = listed.filter(({ id }) => !known.has(id));
  const unexplained = extra.map(
    (posting): Finding => ({
      kind: 'POSTING_EXTRA',
      ...postingSubject(posting),
      facts: { posting: plainPostingOf(posting) },
    }),
  );
  return [...wrong, ...unexplained];
}

const postingSubject = ({ id: key, transactionId, endToEndId, txHash }: Posting) => ({
  key,
  transactionId,
  endToEndId,
  txHash,
});

function plainPostingOf({ kind, day, at, entries }: Posting): PlainPosting {
  return { kind, day, at, entries: entries.map((entry) => ({ ...entry, amount: String(entry.amount) })) };
}

/** The posting in the form of earlier versions of this service, which had no account `margin`. */
function beforeMargin({ entries, ...posting }: Posting): Posting {
  const at = entries.findIndex(({ account }) => account === 'margin');
  return { ...posting, entries: at < 0 ? entries : entries.toSpliced(at - 1, 2) };
}

function isSamePosting(one: Posting, other: Posting): boolean {
  const plain = ({ id, partnerId, transactionId, endToEndId, txHash, kind, day, at, ...rest }: Posting) =>
    JSON.stringify([
      id,
      partnerId,
      transactionId,
      endToEndId,
      txHash,
      kind,
      day,
      at,
      comparableEntries(rest),
    ]);
  return plain(one) === plain(other);
}

const comparableEntries = ({ entries }: Pick<Posting, 'entries'>) =>
  entries.map(({ account, currency, amount }) => [account, currency, String(amount)]);
