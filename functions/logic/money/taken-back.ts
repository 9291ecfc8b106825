import { foreignReturns } from '../../domain/books/reconciliation.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import { type ReceivedPix, takenBackOf } from '../../domain/purchase/pix.ts';
import { isForeign } from '../../domain/purchase/return.ts';
import type { Paid } from '../../domain/purchase/transaction.ts';
import { MONEY_CASE_NEEDS, openForeignReturn } from './money-cases.ts';

export const TAKEN_BACK_NEEDS = ['pix', ...MONEY_CASE_NEEDS] as const;
type Ports = Needs<typeof TAKEN_BACK_NEEDS>;

export type TakenBack = { pix: ReceivedPix; leftCentavos: number };

/**
 * Reads how much of a payment is left after returns that the provider made itself: docs/decisions.md, "MED
 * refunds". `UNDER_WAY`: one of these returns has not ended, or its amount is unknown. `UNKNOWN`: the
 * provider does not show the payment or does not answer.
 */
export async function readTakenBack(
  transaction: Paid,
  ports: Ports,
): Promise<TakenBack | 'UNDER_WAY' | 'UNKNOWN'> {
  const { endToEndId, amountCentavos } = transaction.payment;
  const received = await findReceived(endToEndId, ports);
  if (!received) return 'UNKNOWN';
  const origin = { kind: 'PURCHASE', transaction } as const;
  // Once our own refund was claimed, the list of returns may also contain that refund. In that case no return
  // is subtracted.
  const returns = (received.returns ?? []).filter(
    (shown) => shown.status === 'PENDING' || isForeign(origin, shown),
  );
  const taken = takenBackOf(transaction.refund ? [] : returns);
  if (taken === undefined) return 'UNDER_WAY';
  return { pix: received, leftCentavos: Math.max(0, amountCentavos - taken) };
}

/** Never throws. A purchase must be able to fail even while the provider cannot show its payment. */
async function findReceived(endToEndId: string, { pix, log }: Ports): Promise<ReceivedPix | undefined> {
  try {
    return await pix.findReceived(endToEndId);
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
export async function openTakenBack(transaction: Paid, { pix }: TakenBack, ports: Ports): Promise<void> {
  const origin = { kind: 'PURCHASE', transaction } as const;
  for (const foreign of foreignReturns(origin, pix, ports.clock.now()))
    await openForeignReturn(foreign, ports);
}
