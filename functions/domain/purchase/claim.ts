/**
 * A charge uses a part of its client's limits (`Claim`). This file computes how much of it a change of the
 * purchase gives back: docs/decisions.md, "Charge limits of a client".
 */
import type { Claim } from './charge-limits.ts';
import { hasEndedUnpaid, STATUSES } from './status.ts';
import type { Transaction } from './transaction.ts';

/**
 * The part of a claim that a change of the purchase gives back. `centavos` are subtracted from the sums of
 * the claim's day, month and year. `charges` are subtracted from the count of open charges.
 */
export type Released = { clientId: string; claim: Claim; centavos: number; charges: number };

/** Computes what the change from `before` to `after` gives back. Undefined if it gives back nothing. */
export function releasedBy(before: Transaction, after: Transaction): Released | undefined {
  const { claim, clientId } = before;
  const centavos = heldCentavos(before) - heldCentavos(after);
  const charges = heldPlaces(before) - heldPlaces(after);
  return claim && (centavos !== 0 || charges !== 0) ? { clientId, claim, centavos, charges } : undefined;
}

const heldPlaces = ({ status }: Transaction): number => (STATUSES[status].chargeMayBeOpen ? 1 : 0);

/** Whether the purchase counts among its client's open charges. */
export const holdsPlace = (transaction: Transaction): boolean =>
  transaction.claim !== undefined && heldPlaces(transaction) > 0;

/**
 * The amount with which a purchase is counted in its client's sums. It is zero if the purchase ended
 * without a payment, or if our refund returned the whole payment.
 */
function heldCentavos({ status, amountCentavos, payment, refund }: Transaction): number {
  const isRefunded = refund?.status === 'REFUNDED' && refund.amountCentavos === payment?.amountCentavos;
  return hasEndedUnpaid(status) || isRefunded ? 0 : amountCentavos;
}
