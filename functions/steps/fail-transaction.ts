import { ordinary, StepOutcome, Unavailable } from '../domain/errors.ts';
import { getDefined } from '../domain/get.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { type Failure, findFailure } from '../domain/purchase/failures.ts';
import { getPaid, type Paid } from '../domain/purchase/transaction.ts';
import { advance } from '../domain/purchase/transitions.ts';
import { type StepInput, step } from '../entry/step.ts';
import { HOLD_NEEDS, requireNotHeld } from '../logic/money/hold.ts';
import { openTakenBack, readTakenBack, TAKEN_BACK_NEEDS } from '../logic/money/taken-back.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = ['transactions', 'cancellations', ...TAKEN_BACK_NEEDS, ...HOLD_NEEDS] as const;
type Ports = Needs<typeof needs>;

type Input = StepInput & { error: { Error: string } };

/**
 * Moves the purchase from PROCESSING to FAILED. One write sets the status, claims the refund and adds the
 * event. The write is refused while the settlement owns a nonce, because its transfer may still be mined.
 * The purchase then stays in PROCESSING, and settlement continues. If client, wallet or payment was
 * refused, the step also requests a cancel of the transfer. If the provider has already returned a part of
 * the payment, only the rest is refunded: docs/decisions.md, "MED refunds and fraud".
 */
export async function failTransaction({ transactionId, error }: Input, ports: Ports) {
  const failure = getDefined(findFailure(error.Error), `failure by the name ${error.Error}`);
  const { reason } = failure;
  await requireNotHeld(ports);
  const transaction = getPaid(await getTransaction(ports.transactions, transactionId));
  const takenBack = await readTakenBack(transaction, ports);
  if (transaction.status === 'PROCESSING' && isFailureUndecided(takenBack, failure)) {
    // The rest of the payment is unknown, so nothing is refunded yet. The purchase must not be settled
    // either.
    await askForCancel(transactionId, failure, ports);
    // A transfer may already be sent. The settlement must replace it by a transaction with a higher fee, and
    // only the chain decides which of the two is mined.
    if (transaction.disposition === 'SETTLE') throw mayLive();
    const error = new Unavailable('what is left of the payment');
    throw takenBack === 'UNDER_WAY' ? ordinary(error) : error;
  }
  const isRead = typeof takenBack !== 'string';
  const owed = isRead ? takenBack.leftCentavos : transaction.payment.amountCentavos;
  const ended = await claimFailure({ transaction, failure, owed }, ports);
  const { status } = ended;
  if (isRead) await openTakenBack(ended, takenBack, ports);
  return { transactionId, status, decision: reason };
}

/**
 * The error that sends the machine back to settlement. A transfer of the purchase may still be mined, so a
 * refund now could pay twice. Only a final block shows whether the transfer was made.
 */
const mayLive = () => new StepOutcome('TransferMayLive', 'the settlement owns a nonce');

/**
 * Returns true if it is unknown how much of the payment this service must still refund. The first case: a return of
 * the payment has not ended. The second case: the failure says that the payment was taken back, and the provider does
 * not show that.
 */
function isFailureUndecided(
  takenBack: Awaited<ReturnType<typeof readTakenBack>>,
  { reason }: Failure,
): boolean {
  if (takenBack === 'UNDER_WAY') return true;
  if (reason !== 'PAYMENT_TAKEN_BACK') return false;
  return takenBack === 'UNKNOWN' || takenBack.takenCentavos === 0;
}

/** Asks for a cancel of the transfer. After a settlement error there is no transfer to cancel. */
async function askForCancel(transactionId: string, { trigger, reason }: Failure, ports: Ports) {
  if (trigger !== 'settlement error')
    await ports.cancellations.ask(transactionId, { reason, at: ports.clock.now() });
}

type FailureClaim = { transaction: Paid; failure: Failure; owed: number };

/**
 * Claims the refund, and returns the purchase as it is then. Throws `TransferMayLive` if the settlement owns a nonce.
 */
async function claimFailure({ transaction, failure, owed }: FailureClaim, ports: Ports): Promise<Paid> {
  const { id } = transaction;
  const reread = async () => getPaid(await getTransaction(ports.transactions, id));
  if (await claimRefund(transaction, failure, owed, ports)) return reread();
  const present = await reread();
  await askForCancel(id, failure, ports);
  // The settlement may have lost its nonce since the first claim. It did not know of the refusal then, and
  // would take another nonce. Therefore the refund is claimed again after the request to cancel.
  await claimRefund(present, failure, owed, ports);
  const ended = await reread();
  if (ended.status !== 'PROCESSING') return ended;
  // Only a purchase that owns a nonce goes back to settlement. The claim may also fail because another
  // write has changed the row, for example an event about a MED. Settlement would then pay a refused
  // payment.
  throw present.disposition === 'SETTLE' ? mayLive() : ordinary(new Unavailable('the claim of the refund'));
}

async function claimRefund(
  transaction: Paid,
  { trigger, reason }: Failure,
  amountCentavos: number,
  ports: Ports,
) {
  const { endToEndId } = transaction.payment;
  const change = advance(transaction, trigger, instantOf(ports.clock), {
    failure: { reason },
    disposition: 'REFUND',
    ...(amountCentavos > 0 && { refund: { status: 'PENDING', endToEndId, amountCentavos, reason } }),
  });
  return change !== undefined && ports.transactions.saveRefundClaim(change);
}

export const handler = step({ needs }, failTransaction);
