import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import type { ReceivedPix } from '../../domain/purchase/pix.ts';
import { recordReturn } from '../../domain/purchase/return.ts';
import { nextAfterFault, type TryEnd } from '../../domain/purchase/return-state.ts';
import { TERMINAL } from '../../domain/purchase/status.ts';
import { isUnmatched, type Transaction } from '../../domain/purchase/transaction.ts';
import {
  isChargeTxid,
  isDust,
  newUnmatchedPayment,
  type UnmatchedPayment,
} from '../../domain/purchase/unmatched-payment.ts';
import { openReturnFailed } from './money-cases.ts';
import { driveReturn, RETURN_NEEDS, type Saved } from './return-money.ts';

export const UNMATCHED_NEEDS = ['unmatchedPayments', 'transactions:read', ...RETURN_NEEDS] as const;
type Ports = Needs<typeof UNMATCHED_NEEDS>;

const NEXT_VISIT_MINUTES = 2;
/**
 * The most tries to write the end of a return. A write is refused if the purchase has changed since it was
 * read.
 */
const ROUNDS = 5;

/**
 * Stores a Pix that is not the payment of a purchase, and begins to return it. After a crash the schedule
 * continues the return. If the row of its purchase may be lost, a case opens and nothing is returned. Does
 * nothing for a Pix that has paid its purchase, or that an open purchase may still take.
 */
export async function receiveUnmatched(
  pix: ReceivedPix,
  transaction: Transaction | undefined,
  ports: Ports,
): Promise<void> {
  if (transaction && !isUnmatched(transaction, pix.endToEndId)) return;
  const known = await ports.unmatchedPayments.findUnmatched(pix.endToEndId);
  if (known) return visitReturn(known, ports);
  const mayReturn =
    (transaction !== undefined || (await hasNoPurchase(pix, ports))) && !(await isOfLostTime(pix, ports));
  const found = newUnmatchedPayment(pix, { transaction, mayReturn }, ports.clock.now());
  if (!mayReturn) await openReturnFailed({ kind: 'UNMATCHED', payment: found }, 0, ports);
  const { payment, isNew } = await ports.unmatchedPayments.create(found);
  const { id: endToEndId, reason, amountCentavos } = payment;
  if (isNew) {
    ports.log.info('unmatched Pix found', { endToEndId, reason, isDust: isDust(amountCentavos) });
    ports.log.measure('UnmatchedPaymentsFound', 1, {});
    if (isDust(amountCentavos)) ports.log.measure('DustFound', 1, {});
  }
  await visitReturn(payment, ports);
}

/**
 * Whether the Pix certainly pays no charge of ours: it was sent to our own Pix key, and no charge has its
 * txid. If a charge exists without its purchase, the purchase's row is lost, and the stablecoin may have been
 * sent. A person must find that out.
 */
async function hasNoPurchase({ key, txid, endToEndId }: ReceivedPix, { pix, log }: Ports): Promise<boolean> {
  if (key === undefined) return false;
  if (!isChargeTxid(txid)) return true;
  try {
    if ((await pix.findCharge(txid)) === undefined) return true;
    log.raise('ChargeWithoutPurchase', new Error('a row is lost'), { endToEndId, txid });
    return false;
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    // The provider may refuse the read, for example if the charge belongs to another receiver. This proves
    // nothing, and a repeated read would be refused too.
    return false;
  }
}

/**
 * Whether tables may lack rows from the time of the Pix, because a backup was restored: docs/operations.md,
 * "After a restore". True also while an operator holds all money, which is the first step of a restore.
 * No mark shows the loss of the last minute.
 */
async function isOfLostTime({ paidAt }: ReceivedPix, { holds }: Ports): Promise<boolean> {
  if (await holds.findHold()) return true;
  return paidAt <= ((await holds.findReplayedAt()) ?? 0);
}

/**
 * Visits the return if a visit is due. An error is not thrown, but plans the next visit: the row exists, so the return
 * is not lost.
 */
export async function visitReturn(payment: UnmatchedPayment, ports: Ports): Promise<void> {
  const { unmatchedPayments, clock, log } = ports;
  const at = instantOf(clock);
  if (payment.nextCheckAt === undefined || at.now < payment.nextCheckAt) return;
  const { id: endToEndId } = payment;
  const nextCheckAt = at.now + NEXT_VISIT_MINUTES * at.minuteMs;
  try {
    const save = (end: TryEnd) => saveEnd(payment, end, ports);
    if ((await driveReturn({ kind: 'UNMATCHED', payment }, save, ports)) === 'ENDED') return;
    log.info('unmatched Pix being returned', { endToEndId });
    await unmatchedPayments.postpone(payment, { nextCheckAt });
  } catch (error) {
    if (error instanceof Unavailable) {
      log.info('unmatched Pix waits for the provider', { endToEndId });
      return unmatchedPayments.postpone(payment, { nextCheckAt });
    }
    const faults = (payment.faults ?? 0) + 1;
    // The return keeps its id after every fault, because the provider may have made the return nevertheless. A new id
    // could pay twice.
    if (isDust(payment.amountCentavos)) log.info('unmatched Pix not returned', { endToEndId, faults });
    else log.raise('ReturnRefused', error, { endToEndId, faults });
    await unmatchedPayments.postpone(payment, { nextCheckAt: nextAfterFault(faults, at), faults });
  }
}

/**
 * Writes the end of a try. If the return succeeded and the Pix names a purchase, the same write adds an event
 * to the purchase. It also raises `sequence`, the number of the purchase's latest event. `LATER`: that
 * purchase is still open, so a raised `sequence` would make the purchase's own next write fail. It is also
 * `LATER` if the purchase changed in each round.
 */
async function saveEnd(payment: UnmatchedPayment, end: TryEnd, ports: Ports): Promise<Saved> {
  const { unmatchedPayments, transactions, clock, log } = ports;
  const { id: endToEndId, reason, transactionId } = payment;
  const announcerId = end === 'REFUNDED' ? transactionId : undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const announcer = announcerId === undefined ? undefined : await transactions.findTransaction(announcerId);
    if (announcer && !TERMINAL.includes(announcer.status)) return 'LATER';
    const change = getDefined(recordReturn(payment, end, instantOf(clock), announcer), 'pending return');
    if (await unmatchedPayments.save(change)) {
      if (end === 'REFUNDED') log.info('unmatched Pix returned', { endToEndId, reason });
      return 'SAVED';
    }
    // The write was refused: another visit has written an end, or the purchase's row has changed.
    const { refund } = getDefined(await unmatchedPayments.findUnmatched(endToEndId), `payment ${endToEndId}`);
    if (refund.status !== 'PENDING' || refund.tries !== payment.refund.tries) return 'MOVED';
  }
  return 'LATER';
}
