import { getDefined } from '../get.ts';
import { brlOf } from '../money.ts';
import type { EventType } from '../partners/events.ts';
import type { Transaction } from '../purchase/transaction.ts';
import { type PurchaseChange, purchaseEvent } from '../purchase/transitions.ts';
import type { MoneyCase } from './money-case.ts';

export type MedEvent = Extract<EventType, `transaction.med_${string}`>;

/**
 * The change of a purchase that tells its partner about a MED refund. The event takes the purchase's next
 * `sequence`. The change and the money case are written together.
 */
export function medNews(
  { facts, endToEndId, amountCentavos }: MoneyCase<'MED_REFUND'>,
  transaction: Transaction,
  { type, at }: { type: MedEvent; at: number },
): PurchaseChange {
  const { id, status, sequence: last } = transaction;
  const sequence = last + 1;
  const event = purchaseEvent(transaction, type, sequence, at);
  const amountBrl = amountCentavos === undefined ? undefined : brlOf(amountCentavos);
  const med = { returnId: facts.returnId, endToEndId: getDefined(endToEndId, 'Pix of a MED'), amountBrl };
  const was = { status, sequence: last };
  return {
    id,
    was,
    set: { sequence },
    remove: [],
    events: [{ ...event, data: { ...event.data, med } }],
    postings: [],
  };
}
