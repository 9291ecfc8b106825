/** A Pix that reached our account. Amounts are centavos, instants are epoch milliseconds. */
export type ReceivedPix = {
  endToEndId: string;
  txid?: string;
  /** The Pix key that was paid. */
  key?: string;
  amountCentavos: number;
  paidAt: number;
  /** The returns of this Pix that the provider shows, made by us or by the provider. Absent if it shows none. */
  returns?: PixReturn[];
};

/** A return of money (devolução) as the provider shows it. */
export type PixReturn = {
  /** The id that we gave to the return, or one that the provider chose. */
  id: string;
  /** Absent if the provider's amount cannot be read. If such a return is done, the sum of the returns is unknown. */
  amountCentavos?: number;
  status: PixRefund['status'];
  /**
   * The provider's field `natureza`. `ORIGINAL` stands for an absent one. API Pix 2.9 has `MED_FRAUDE`,
   * `MED_OPERACIONAL` and others.
   */
  nature: string;
  /** When the return was done. If that instant is unknown, it is when the return was requested. */
  at?: number;
};

/** Whether the return was made by Pix's refund mechanism for fraud and faults (MED), for any of its reasons. */
export const isMed = ({ nature }: Pick<PixReturn, 'nature'>): boolean => nature.startsWith('MED');

/** A charge (cobrança imediata) at the payment provider. `payload` is the BR Code that the client copies. */
export type PixCharge = {
  txid: string;
  status: 'ACTIVE' | 'PAID' | 'CLOSED';
  key: string;
  amountCentavos: number;
  payload: string;
  createdAt: number;
  expiresAt: number;
  payments: ReceivedPix[];
};

export type NewCharge = {
  txid: string;
  amountCentavos: number;
  payer: { cpf: string; name?: string };
  expiresInSeconds: number;
};

/**
 * A payment that a callback names. Anybody could forge a callback, so the service reads the payment at the
 * provider.
 */
export type PixHint = { endToEndId: string; txid?: string };

/**
 * `FAILED`: no money was sent under the id of this refund. `refusal` is the provider's error, without the
 * values that our request had. `rtrId` is the id of a done refund between the banks.
 */
export type PixRefund =
  | { status: 'PENDING' }
  | { status: 'REFUNDED'; rtrId?: string }
  | { status: 'FAILED'; refusal?: string };

/** Whether the payer is the client. `UNKNOWN`: the provider cannot tell, or cannot tell yet. */
export type PayerMatch = 'MATCH' | 'MISMATCH' | 'UNKNOWN';

type PaymentFault = 'AMOUNT_MISMATCH' | 'PAID_LATE' | 'PAYER_MISMATCH' | 'PAYMENT_TAKEN_BACK';

/**
 * Returns the reason why the amount, the time or the payer of a payment forbids to send the stablecoin.
 * Undefined if there is none. An `UNKNOWN` payer is no fault here, so the caller must check for it.
 * `decidePayment` also checks whether the payment was returned.
 */
export function paymentFault(
  payment: Pick<ReceivedPix, 'amountCentavos' | 'paidAt'>,
  expected: { amountCentavos: number; expiresAt: number; payer: PayerMatch },
): PaymentFault | undefined {
  if (payment.amountCentavos !== expected.amountCentavos) return 'AMOUNT_MISMATCH';
  if (payment.paidAt > expected.expiresAt) return 'PAID_LATE';
  return expected.payer === 'MISMATCH' ? 'PAYER_MISMATCH' : undefined;
}

/**
 * Ranks the states of a return. One list of the provider may be older than the other. If they differ about a
 * return, the state with the higher rank counts. A pending return outranks a failed one: waiting costs minutes,
 * and tokens for money that is taken back cost their whole amount.
 */
const PROGRESS: Record<PixReturn['status'], number> = { FAILED: 0, PENDING: 1, REFUNDED: 2 };

/** A provider may show a payment or its payer only some minutes later. Until then a missing one raises no alarm. */
export const SHOWN_WITHIN_MINUTES = 10;

/**
 * Merges two lists of the returns of one Pix, by the returns' ids. If the lists differ about a return,
 * `PROGRESS` decides which state counts.
 */
export function mergedReturns(one: readonly PixReturn[] = [], other: readonly PixReturn[] = []): PixReturn[] {
  const better = (each: PixReturn) =>
    other.find(({ id, status }) => id === each.id && PROGRESS[status] > PROGRESS[each.status]) ?? each;
  const isNew = ({ id }: PixReturn) => !one.some((each) => each.id === id);
  return [...one.map(better), ...other.filter(isNew)];
}

/**
 * How much of a payment was returned, in centavos. Undefined while a return is pending, or if a done return has an
 * unknown amount.
 */
export function takenBackOf(returns: readonly PixReturn[]): number | undefined {
  const isOpen = ({ status, amountCentavos }: PixReturn) =>
    status === 'PENDING' || (status === 'REFUNDED' && amountCentavos === undefined);
  if (returns.some(isOpen)) return undefined;
  const done = returns.filter(({ status }) => status === 'REFUNDED');
  return done.reduce((sum, { amountCentavos = 0 }) => sum + amountCentavos, 0);
}

/**
 * The facts that decide about a payment. They are kept as evidence, so they have neither the payer's name nor the CPF.
 */
export type PaymentFacts = {
  payment: Pick<ReceivedPix, 'endToEndId' | 'amountCentavos' | 'paidAt'>;
  expected: { amountCentavos: number; expiresAt: number };
  payer: PayerMatch;
  /** The returns that the provider made itself before any stablecoin was sent. */
  returns?: PixReturn[];
};
export type PaymentDecision = { outcome: 'PAID' | PaymentFault | 'UNDECIDED' };

/**
 * Decides whether a payment pays its purchase. A payment that was returned, even in part, never does. Two things leave
 * the question undecided: a return that is pending, or one that is done but has no readable amount. An unknown payer
 * also leaves it undecided, unless amount or time already decide.
 */
export function decidePayment({ payment, expected, payer, returns = [] }: PaymentFacts): PaymentDecision {
  const returned = takenBackOf(returns);
  if (returned === undefined) return { outcome: 'UNDECIDED' };
  if (returned > 0) return { outcome: 'PAYMENT_TAKEN_BACK' };
  const fault = paymentFault(payment, { ...expected, payer });
  return { outcome: fault ?? (payer === 'UNKNOWN' ? 'UNDECIDED' : 'PAID') };
}
