/** A Pix that reached our account. Amounts are centavos, instants are epoch milliseconds. */
export type ReceivedPix = {
  endToEndId: string;
  txid?: string;
  /** The Pix key that was paid. */
  key?: string;
  amountCentavos: number;
  paidAt: number;
  /** The returns that the provider shows, ours and others. Absent if it shows none. */
  returns?: PixReturn[];
};

/** A return of money (devolução) as the provider shows it. */
export type PixReturn = {
  /** An id of ours, or one that the provider has chosen. */
  id: string;
  /** Absent if it cannot be read. If such a return is done, the sum of the returns is unknown. */
  amountCentavos?: number;
  status: PixRefund['status'];
  /** The `natureza`, or `ORIGINAL` if absent. API Pix 2.9 has `MED_FRAUDE`, `MED_OPERACIONAL` and others. */
  nature: string;
  /** When the return was done. If that is unknown, when it was requested. */
  at?: number;
};

/** Whether the provider made the return by the special mechanism (MED), for any of its reasons. */
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

/** A payment that a callback names. It proves nothing: the payment is read again at the provider. */
export type PixHint = { endToEndId: string; txid?: string };

/** `FAILED`: nothing was sent under this id. `refusal`: how the provider refused the request, without its values. */
export type PixRefund = { status: 'PENDING' | 'REFUNDED' } | { status: 'FAILED'; refusal?: string };

/** Whether the payer is the client. `UNKNOWN` if the provider cannot tell, or cannot tell yet. */
export type PayerMatch = 'MATCH' | 'MISMATCH' | 'UNKNOWN';

export type PaymentFault = 'AMOUNT_MISMATCH' | 'PAID_LATE' | 'PAYER_MISMATCH' | 'PAYMENT_TAKEN_BACK';

/**
 * The reason why amount, time or payer forbid the settlement, or undefined. It does not judge returns. The caller
 * decides about an `UNKNOWN` payer.
 */
export function paymentFault(
  payment: Pick<ReceivedPix, 'amountCentavos' | 'paidAt'>,
  expected: { amountCentavos: number; expiresAt: number; payer: PayerMatch },
): PaymentFault | undefined {
  if (payment.amountCentavos !== expected.amountCentavos) return 'AMOUNT_MISMATCH';
  if (payment.paidAt > expected.expiresAt) return 'PAID_LATE';
  return expected.payer === 'MISMATCH' ? 'PAYER_MISMATCH' : undefined;
}

/** The progress of a return. A view that lags must not undo what another view shows as done. */
const PROGRESS: Record<PixReturn['status'], number> = { FAILED: 0, PENDING: 1, REFUNDED: 2 };

/** The returns of one Pix in two views, each id once. If the views differ on a return, the further progress counts. */
export function mergedReturns(one: readonly PixReturn[] = [], other: readonly PixReturn[] = []): PixReturn[] {
  const better = (each: PixReturn) =>
    other.find(({ id, status }) => id === each.id && PROGRESS[status] > PROGRESS[each.status]) ?? each;
  const isNew = ({ id }: PixReturn) => !one.some((each) => each.id === id);
  return [...one.map(better), ...other.filter(isNew)];
}

/**
 * The returned part of a payment, in centavos. Undefined while a return is pending, or if the amount of a done return
 * is unknown.
 */
export function takenBackOf(returns: readonly PixReturn[]): number | undefined {
  const isOpen = ({ status, amountCentavos }: PixReturn) =>
    status === 'PENDING' || (status === 'REFUNDED' && amountCentavos === undefined);
  if (returns.some(isOpen)) return undefined;
  const done = returns.filter(({ status }) => status === 'REFUNDED');
  return done.reduce((sum, { amountCentavos = 0 }) => sum + amountCentavos, 0);
}

/** The facts that decide about a payment: the findings of its evidence, without the payer's name or CPF. */
export type PaymentFacts = {
  payment: Pick<ReceivedPix, 'endToEndId' | 'amountCentavos' | 'paidAt'>;
  expected: { amountCentavos: number; expiresAt: number };
  payer: PayerMatch;
  /** The returns that the provider made by itself, before any stablecoin was sent. */
  returns?: PixReturn[];
};
export type PaymentDecision = { outcome: 'PAID' | PaymentFault | 'UNDECIDED' };

/**
 * Decides about a payment. If something was taken back, the payment is never settled. A pending return, or a done
 * return of an unknown amount, is undecided. An unknown payer is undecided, unless another fault of the payment
 * decides.
 */
export function decidePayment({ payment, expected, payer, returns = [] }: PaymentFacts): PaymentDecision {
  const returned = takenBackOf(returns);
  if (returned === undefined) return { outcome: 'UNDECIDED' };
  if (returned > 0) return { outcome: 'PAYMENT_TAKEN_BACK' };
  const fault = paymentFault(payment, { ...expected, payer });
  return { outcome: fault ?? (payer === 'UNKNOWN' ? 'UNDECIDED' : 'PAID') };
}
