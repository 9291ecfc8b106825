import { foreignReturns } from '../../domain/books/reconciliation.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import { mergedReturns, type ReceivedPix, takenBackOf } from '../../domain/purchase/pix.ts';
import { isForeign } from '../../domain/purchase/return.ts';
import type { Paid } from '../../domain/purchase/transaction.ts';
import { MONEY_CASE_NEEDS, openForeignReturn } from './money-cases.ts';

export const TAKEN_BACK_NEEDS = ['pix', ...MONEY_CASE_NEEDS] as const;
type Ports = Needs<typeof TAKEN_BACK_NEEDS>;

/**
 * A Pix with all returns that the provider shows. `takenCentavos` is what the provider returned by itself.
 * `leftCentavos` is what we still owe to the payer.
 */
type TakenBackPayment = { pix: ReceivedPix; takenCentavos: number; leftCentavos: number };

/**
 * Reads how much of a payment is left after returns that the provider made itself: docs/decisions.md,
 * "MED refunds and fraud". `UNDER_WAY`: one of these returns has not ended, or its amount is unknown. `UNKNOWN`: the
 * provider does not show the payment or does not answer.
 */
export async function readTakenBack(
  transaction: Paid,
  ports: Ports,
): Promise<TakenBackPayment | 'UNDER_WAY' | 'UNKNOWN'> {
  const pix = await findShown(transaction, ports);
  if (!pix) return 'UNKNOWN';
  const origin = { kind: 'PURCHASE', transaction } as const;
  // Once our own refund was claimed, the list of returns may also contain that refund. In that case no return
  // is subtracted.
  const returns = (pix.returns ?? []).filter(
    (shown) => shown.status === 'PENDING' || isForeign(origin, shown),
  );
  const takenCentavos = takenBackOf(transaction.refund ? [] : returns);
  if (takenCentavos === undefined) return 'UNDER_WAY';
  return { pix, takenCentavos, leftCentavos: Math.max(0, pix.amountCentavos - takenCentavos) };
}

/**
 * The payment as the answers of the provider show it, about the charge and about the Pix: the smaller amount, and the
 * returns of both. An answer may lack a return that the other has.
 */
async function findShown({ id, payment }: Paid, ports: Ports): Promise<ReceivedPix | undefined> {
  const { endToEndId, amountCentavos } = payment;
  const [charge, received] = await Promise.all([
    ifAnswered(ports.pix.findCharge(id), endToEndId, ports),
    ifAnswered(ports.pix.findReceived(endToEndId), endToEndId, ports),
  ]);
  const charged = charge?.payments.find((each) => each.endToEndId === endToEndId);
  const shown = received ?? charged;
  if (!shown) return undefined;
  const amounts = [charged, received].map((each) => each?.amountCentavos ?? amountCentavos);
  const returns = mergedReturns(charged?.returns, received?.returns);
  return { ...shown, amountCentavos: Math.min(amountCentavos, ...amounts), returns };
}

/**
 * Answers undefined in place of an error. A purchase must be able to fail even while the provider cannot
 * show its payment.
 */
async function ifAnswered<T>(asked: Promise<T>, endToEndId: string, { log }: Ports): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const message = 'payment not read at the failure';
    if (error instanceof Unavailable) log.info(message, { endToEndId });
    else log.warn(message, error, { endToEndId });
    return undefined;
  }
}

/**
 * Opens a case for each return that this service did not request. It opens none before the purchase has
 * ended, because until then it is not known who loses the money. The reconciliation opens any case that is
 * missing.
 */
export async function openTakenBack(
  transaction: Paid,
  { pix }: TakenBackPayment,
  ports: Ports,
): Promise<void> {
  const origin = { kind: 'PURCHASE', transaction } as const;
  for (const foreign of foreignReturns(origin, pix, ports.clock.now()))
    await openForeignReturn(foreign, ports);
}
