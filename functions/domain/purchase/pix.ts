/** A Pix that reached our account. Amounts in centavos, instants in epoch milliseconds. */
export type ReceivedPix = {
  endToEndId: string;
  txid?: string;
  /** The Pix key that was paid. */
  key?: string;
  amountCentavos: number;
  paidAt: number;
  /** What went back of it, whoever asked for that; absent where nothing is shown. */
  returns?: PixReturn[];
};

/** A return (devolução) as the provider shows it. */
export type PixReturn = {
  /** Ours, or one that the provider made up. */
  id: string;
  /** Absent where it cannot be read: then nothing may rest on it. */
  amountCentavos?: number;
  status: PixRefund['status'];
  /** `natureza`, or `ORIGINAL` where it is not told: API Pix 2.9 knows `MED_FRAUDE`, `MED_OPERACIONAL` and others. */
  nature: string;
  /** When it was done, or else asked for. */
  at?: number;
};

/** Whether the provider made it by the special mechanism (MED), whatever its reason is called. */
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

/** What a provider's callback suggests to look at. Nothing in it is proof: the provider is read again. */
export type PixHint = { endToEndId: string; txid?: string };

/** `FAILED`: nothing was sent under this id. `refusal` where the provider did not even begin: its answer, without a value. */
export type PixRefund = { status: 'PENDING' | 'REFUNDED' | 'FAILED'; refusal?: string };

/** Whether the payer is the client: a provider that cannot tell, or ignores the question, says `UNKNOWN`. */
export type PayerMatch = 'MATCH' | 'MISMATCH' | 'UNKNOWN';

export type PaymentFault = 'AMOUNT_MISMATCH' | 'PAID_LATE' | 'PAYER_MISMATCH' | 'PAYMENT_TAKEN_BACK';

/** Why a payment may not be settled, or undefined when it may. `UNKNOWN` payers are decided by the caller. */
export function paymentFault(
  payment: Pick<ReceivedPix, 'amountCentavos' | 'paidAt'>,
  expected: { amountCentavos: number; expiresAt: number; payer: PayerMatch },
): PaymentFault | undefined {
  if (payment.amountCentavos !== expected.amountCentavos) return 'AMOUNT_MISMATCH';
  if (payment.paidAt > expected.expiresAt) return 'PAID_LATE';
  return expected.payer === 'MISMATCH' ? 'PAYER_MISMATCH' : undefined;
}

/** How far a return has come: what is done is not undone by a view that lags. */
const PROGRESS: Record<PixReturn['status'], number> = { FAILED: 0, PENDING: 1, REFUNDED: 2 };

/** What two views of one Pix show of its returns, by their ids; of two words on one the one that says more is gone. */
export function mergedReturns(one: readonly PixReturn[] = [], other: readonly PixReturn[] = []): PixReturn[] {
  const better = (each: PixReturn) =>
    other.find(({ id, status }) => id === each.id && PROGRESS[status] > PROGRESS[each.status]) ?? each;
  const isNew = ({ id }: PixReturn) => !one.some((each) => each.id === id);
  return [...one.map(better), ...other.filter(isNew)];
}

/** How much of a payment is gone, in centavos; undefined while that is not known yet. */
export function takenBackOf(returns: readonly PixReturn[]): number | undefined {
  const isOpen = ({ status, amountCentavos }: PixReturn) =>
    status === 'PENDING' || (status === 'REFUNDED' && amountCentavos === undefined);
  if (returns.some(isOpen)) return undefined;
  const done = returns.filter(({ status }) => status === 'REFUNDED');
  return done.reduce((sum, { amountCentavos = 0 }) => sum + amountCentavos, 0);
}

/** What a payment is judged by, without the payer's name or CPF: the findings of its evidence. */
export type PaymentFacts = {
  payment: Pick<ReceivedPix, 'endToEndId' | 'amountCentavos' | 'paidAt'>;
  expected: { amountCentavos: number; expiresAt: number };
  payer: PayerMatch;
  /** What the provider took back before anything was sent; nobody here has asked for it. */
  returns?: PixReturn[];
};
export type PaymentDecision = { outcome: 'PAID' | PaymentFault | 'UNDECIDED' };

/**
 * Money that is gone is not paid out, whatever else is right; what may go yet is waited for. A payer whom nobody can name
 * is undecided, unless something else speaks against the payment.
 */
export function decidePayment({ payment, expected, payer, returns = [] }: PaymentFacts): PaymentDecision {
  const returned = takenBackOf(returns);
  if (returned === undefined) return { outcome: 'UNDECIDED' };
  if (returned > 0) return { outcome: 'PAYMENT_TAKEN_BACK' };
  const fault = paymentFault(payment, { ...expected, payer });
  return { outcome: fault ?? (payer === 'UNKNOWN' ? 'UNDECIDED' : 'PAID') };
}
