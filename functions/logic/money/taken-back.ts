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
 * What is left of a payment that the provider may have taken back by itself: docs/decisions.md, "MED refunds". `UNDER_WAY`
 * while a return is neither done nor given up; `UNKNOWN` where the provider does not tell of the payment now.
 */
export async function readTakenBack(
  transaction: Paid,
  ports: Ports,
): Promise<TakenBack | 'UNDER_WAY' | 'UNKNOWN'> {
  const { endToEndId, amountCentavos } = transaction.payment;
  const received = await findReceived(endToEndId, ports);
  if (!received) return 'UNKNOWN';
  const origin = { kind: 'PURCHASE', transaction } as const;
  // Our own return of the rest, at a second visit, is none of it.
  const returns = (received.returns ?? []).filter(
    (each) => each.status === 'PENDING' || isForeign(origin, each),
  );
  const taken = takenBackOf(transaction.refund ? [] : returns);
  if (taken === undefined) return 'UNDER_WAY';
  return { pix: received, leftCentavos: Math.max(0, amountCentavos - taken) };
}

/** Never throws: that nobody can say what went back must not keep a purchase from its end. */
async function findReceived(endToEndId: string, { pix, log }: Ports): Promise<ReceivedPix | undefined> {
  try {
    return await pix.findReceived(endToEndId);
  } catch (error) {
    const [words, fields] = ['payment not read at the failure', { endToEndId }] as const;
    if (error instanceof Unavailable) log.info(words, fields);
    else log.error(words, error, fields);
    return undefined;
  }
}

/**
 * Opens a case for each return that this service did not request. Only after the purchase has failed: before that it is not
 * known who bears the return. Reconciliation does it again.
 */
export async function openTakenBack(transaction: Paid, { pix }: TakenBack, ports: Ports): Promise<void> {
  const origin = { kind: 'PURCHASE', transaction } as const;
  for (const foreign of foreignReturns(origin, pix, ports.clock.now()))
    await openForeignReturn(foreign, ports);
}
