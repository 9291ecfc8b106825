import { AMOUNT_LIMITS_CENTAVOS } from '../money.ts';
import type { Instant } from '../time.ts';
import type { ReceivedPix } from './pix.ts';
import type { UnmatchedReason } from './return-reasons.ts';
import type { ReturnState } from './return-state.ts';
import { STUCK_AFTER_MINUTES, type Transaction } from './transaction.ts';

/**
 * A received Pix that is not the payment of any purchase. The service returns it, or a person decides about
 * it. The row does not say who paid. Instants are epoch milliseconds.
 */
export type UnmatchedPayment = {
  /** The end-to-end id of the Pix, so that each Pix has one row. */
  id: string;
  reason: UnmatchedReason;
  amountCentavos: number;
  paidAt: number;
  foundAt: number;
  /**
   * The txid, if it has the form of a charge's txid. Any other text is dropped, because a payer may have
   * typed personal data there.
   */
  txid?: string;
  transactionId?: string;
  partnerId?: string;
  /**
   * The state of the return. `FAILED` without `tries`: only a person may decide about a return, or the
   * provider itself had already returned the money.
   */
  refund: ReturnState;
  /**
   * How often the provider has refused the request for the return with an error. Each repeated request has
   * the same id.
   */
  faults?: number;
  /** When `ReturnUnmatchedPayments` looks at the return again. Absent once it has nothing left to do. */
  nextCheckAt?: number;
};

/**
 * Whether the amount is smaller than that of any purchase. Anybody could send many such Pix at almost no
 * cost. They must not raise alarms, even if they cannot be returned.
 */
export function isDust(amountCentavos: number | undefined): boolean {
  return amountCentavos !== undefined && amountCentavos < AMOUNT_LIMITS_CENTAVOS.minimum;
}

/** The form of a charge's txid, by API Pix 2.9. */
const CHARGE_TXID = /^[a-zA-Z0-9]{26,35}$/;

export function isChargeTxid(txid: string | undefined): txid is string {
  return txid !== undefined && CHARGE_TXID.test(txid);
}

type Attribution = {
  /** The purchase that the Pix's txid names. */
  transaction?: Transaction;
  /** Whether the Pix may be returned without a person's decision. */
  mayReturn: boolean;
};

export function newUnmatchedPayment(
  pix: ReceivedPix,
  { transaction, mayReturn }: Attribution,
  now: number,
): UnmatchedPayment {
  const { endToEndId, txid, amountCentavos, paidAt } = pix;
  return {
    id: endToEndId,
    reason: unmatchedReason(pix, transaction),
    amountCentavos,
    paidAt,
    foundAt: now,
    ...(isChargeTxid(txid) && { txid }),
    ...(transaction && { transactionId: transaction.id, partnerId: transaction.partnerId }),
    refund: { status: mayReturn ? 'PENDING' : 'FAILED' },
    ...(mayReturn && { nextCheckAt: now }),
  };
}

function unmatchedReason({ txid }: ReceivedPix, transaction: Transaction | undefined): UnmatchedReason {
  if (transaction) return transaction.payment ? 'PAID_TWICE' : 'PAID_LATE';
  return txid ? 'UNKNOWN_TXID' : 'NO_TXID';
}

/**
 * Whether the return is still pending a day after the payment was found. `isStuck` is the same rule for a
 * purchase.
 */
export function isReturnStuck({ refund, foundAt }: UnmatchedPayment, { now, minuteMs }: Instant): boolean {
  return refund.status === 'PENDING' && now - foundAt >= STUCK_AFTER_MINUTES * minuteMs;
}
