import type { MoneyCaseFacts } from '../../functions/domain/books/money-case-facts.ts';
import { TERMINAL } from '../../functions/domain/purchase/status.ts';
import { centavos, type PixRecord, type Refund } from '../../sandbox/providers/psp/received-pix.ts';
import { returnedOf, sumOf } from './bank.ts';
import type { Evidence } from './evidence.ts';
import type { Violation } from './violation.ts';

/** The kinds of cases that may leave money to a person. The world plants no other reason for a case. */
const LEFT: readonly string[] = ['REFUND_FAILED', 'UNMATCHED_LEFT'];

/** A person sees these cases while they last. They are no end, because the service goes on with the money. */
const SEEN: readonly string[] = ['PURCHASE_STUCK', 'RETURN_STUCK'];

/**
 * True when a case is legitimate: money left to a person, or money that the bank took back. Any other case is a bug.
 */
export function isExpected(
  { id, kind, facts }: { id: string; kind: string; facts?: object },
  pix: readonly PixRecord[],
  now: number,
) {
  // A stranger who has a wallet's key pays gas that nobody can know. No tokens ever leave but to buyers.
  if (kind === 'COINS_MISSING') return isGasUnknown(facts as MoneyCaseFacts['COINS_MISSING']);
  if (kind !== 'MED_REFUND') return LEFT.includes(kind) || SEEN.includes(kind);
  return pix.some((each) => returnedOf(each, now).taken.some((one) => id === caseIdOf(each, one)));
}

const isGasUnknown = (facts: MoneyCaseFacts['COINS_MISSING']) => 'wei' in facts && facts.unknown.length > 0;

const caseIdOf = ({ endToEndId }: PixRecord, { id }: Refund) => `MED_REFUND#${endToEndId}#${id}`;

/**
 * Invariant 2: lists all ends of a Pix; there must be exactly one.
 *
 * A Pix that is not settled must be refunded or taken back, together to the last centavo and no more. Otherwise the
 * rest must be a person's case.
 */
export function endOf(pix: PixRecord, { transactions, cases, now }: Evidence): string[] {
  const { endToEndId } = pix;
  const bought = transactions.find(({ payment }) => payment?.endToEndId === endToEndId);
  const { own, taken } = returnedOf(pix, now);
  const [refunded, gone, valor] = [sumOf(own), sumOf(taken), centavos(pix.valor)];
  const isCase = cases.some(
    (each) => LEFT.includes(each.kind) && each.status === 'OPEN' && each.endToEndId === endToEndId,
  );
  const isSettled = bought?.status === 'COMPLETED';
  const isAllBack = own.length <= 1 && refunded + gone === valor;
  return [
    ...(isSettled ? ['settlement'] : []),
    // When the bank took money back before our refund, a person gets a case too. The case is no second end if all of
    // the money is back.
    ...(isCase && !(gone > 0n && isAllBack) ? ['case'] : []),
    ...(own.length > 0 ? [isAllBack ? 'refund' : `${own.length} refunds of ${refunded}`] : []),
    ...(own.length === 0 && gone === valor && !isSettled ? ['taken back'] : []),
  ];
}

/** Checks that each amount that the bank took back has an open case, a posting and a blocked client. */
export function judgeTaken(found: Evidence): Violation[] {
  return found.pix.flatMap((pix) => {
    const { transactions, cases, postings, blocks, now, scopeOf } = found;
    const bought = transactions.find(({ payment }) => payment?.endToEndId === pix.endToEndId);
    if (bought && !TERMINAL.includes(bought.status)) return [];
    return returnedOf(pix, now).taken.flatMap((one) => {
      const id = caseIdOf(pix, one);
      const known = cases.find((each) => each.id === id);
      const posted = postings.get(`${pix.endToEndId}#TAKEN_BACK#${one.id}`) ?? 0n;
      const clientId = known?.clientId;
      const amiss = [
        ...(known?.status === 'OPEN' ? [] : ['no open case']),
        ...(posted === centavos(one.valor) ? [] : [`${posted} centavos posted for it`]),
        ...(bought && !(clientId && blocks(clientId).has(id)) ? ['a client who is not blocked'] : []),
      ];
      const scope = pix.txid === undefined ? undefined : scopeOf(pix.txid);
      const says = `${one.valor} of Pix ${pix.endToEndId} of ${pix.valor} was taken back, with ${amiss.join(', ')}`;
      return amiss.length === 0 ? [] : [{ invariant: 2, says, scope }];
    });
  });
}
