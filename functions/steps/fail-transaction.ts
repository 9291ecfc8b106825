import { ordinary, StepOutcome, Unavailable } from '../domain/errors.ts';
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
 * PROCESSING to FAILED. The status, the claim on the refund and the event are one write, which is refused while a
 * transfer of this purchase could still be mined; the purchase then stays in PROCESSING and settlement goes on. Where
 * client, wallet or payment was refused, settlement is asked to cancel: docs/decisions.md, "Cancelling a transfer".
 * If the provider has taken back a part already, only the rest is refunded: docs/decisions.md, "MED refunds".
 */
export async function failTransaction({ transactionId, error }: Input, ports: Ports) {
  const failure = findFailure(error.Error);
  if (!failure) throw new Error(`no failure is known by the name ${error.Error}`);
  const { reason } = failure;
  await requireNotHeld(ports);
  const transaction = getPaid(await getTransaction(ports.transactions, transactionId));
  const takenBack = await readTakenBack(transaction, ports);
  if (transaction.status === 'PROCESSING' && isUndecided(takenBack, failure)) {
    // Whatever it comes to, the purchase is not to be settled any more.
    await askForCancel(transactionId, failure, ports);
    // Settlement has to outbid meanwhile, and only the chain can end it.
    if (transaction.disposition === 'SETTLE') throw mayLive();
    const error = new Unavailable('what is left of the payment');
    throw takenBack === 'UNDER_WAY' ? ordinary(error) : error;
  }
  const isRead = typeof takenBack !== 'string';
  const owed = isRead ? takenBack.leftCentavos : transaction.payment.amountCentavos;
  let isClaimed = await claimRefund(transaction, failure, owed, ports);
  if (!isClaimed && failure.trigger !== 'settlement error') {
    await askForCancel(transactionId, failure, ports);
    // The nonce may have been given back meanwhile: settlement would take another, not knowing of the refusal.
    isClaimed = await claimRefund(transaction, failure, owed, ports);
  }
  const ended = getPaid(await getTransaction(ports.transactions, transactionId));
  const { status } = ended;
  if (!isClaimed && status === 'PROCESSING') throw mayLive();
  if (isRead) await openTakenBack(ended, takenBack, ports);
  return { transactionId, status, decision: reason };
}

/** docs/decisions.md, "Disposition": only the chain can end it, so the machine goes back to settlement. */
const mayLive = () => new StepOutcome('TransferMayLive', 'a nonce is owned');

/** Of what may go yet nobody knows how much is left; nor of what is gone, by all that was seen, and is not shown now. */
function isUndecided(takenBack: Awaited<ReturnType<typeof readTakenBack>>, { reason }: Failure): boolean {
  return takenBack === 'UNDER_WAY' || (takenBack === 'UNKNOWN' && reason === 'PAYMENT_TAKEN_BACK');
}

/** A settlement that has failed by itself has nothing to cancel. */
async function askForCancel(transactionId: string, { trigger, reason }: Failure, ports: Ports) {
  if (trigger !== 'settlement error')
    await ports.cancellations.ask(transactionId, { reason, at: ports.clock.now() });
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
