import { TERMINAL } from '../../functions/domain/purchase/status.ts';
import { centavos, type PixRecord, type Refund } from '../../sandbox/providers/psp/received-pix.ts';
import { returnedOf, sumOf } from './bank.ts';
import type { Evidence } from './evidence.ts';
import type { Violation } from './violation.ts';

/** What money may be left to a person for here: nothing but this is ever a person's, and nothing is planted. */
const LEFT: readonly string[] = ['REFUND_FAILED', 'STRAY_LEFT'];

/** What a person sees while it lasts; it is no end, for the machine goes on with it. */
const SEEN: readonly string[] = ['PURCHASE_STUCK', 'RETURN_STUCK'];

/** Whether a case may be there: what is left, and what the bank took back. Any other is a mistake of somebody's. */
export function isExpected(
  { id, kind }: { id: string; kind: string },
  pix: readonly PixRecord[],
  now: number,
) {
  if (kind !== 'MED_REFUND') return LEFT.includes(kind) || SEEN.includes(kind);
  return pix.some((each) => returnedOf(each, now).taken.some((one) => id === caseIdOf(each, one)));
}

const caseIdOf = ({ endToEndId }: PixRecord, { id }: Refund) => `MED_REFUND#${endToEndId}#${id}`;

/**
 * Invariant 2: all the ends that a Pix has come to. What is not settled is refunded, and taken back, to the last centavo and
 * not beyond, or what is left of it is a person's.
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
    // A refund that the bank has forestalled is told to a person, too.
    ...(isCase && !(gone > 0n && isAllBack) ? ['case'] : []),
    ...(own.length > 0 ? [isAllBack ? 'refund' : `${own.length} refunds of ${refunded}`] : []),
    ...(own.length === 0 && gone === valor && !isSettled ? ['taken back'] : []),
  ];
}

/** Each return by the bank has its case, its posting, and a client who buys nothing more. */
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
