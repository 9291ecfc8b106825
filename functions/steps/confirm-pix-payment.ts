import { begun } from '../domain/begun.ts';
import { ordinary, StepOutcome, Unavailable } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';
import {
  decidePayment,
  mergedReturns,
  type PaymentFacts,
  type ReceivedPix,
  SHOWN_WITHIN_MINUTES,
} from '../domain/purchase/pix.ts';
import { getIssued, getPaid, type Paid } from '../domain/purchase/transaction.ts';
import { type Checked, step } from '../entry/step.ts';
import { getClient, getTransaction } from '../logic/rows.ts';

export const needs = ['transactions:read', 'clients:read', 'vault', 'pix', 'evidence', 'clock'] as const;
type Ports = Needs<typeof needs>;

/**
 * PROCESSING. Reads the payment at the provider: it must have the exact amount, be in time, and come from the client.
 * Returns are read both from the charge and from the Pix: docs/decisions.md, "MED refunds and fraud". While the
 * provider cannot name the payer, the step waits. The decision is recorded as evidence, because auditors ask for it for
 * years, and AWS deletes an execution's history after ninety days.
 */
export async function confirmPixPayment({ transactionId, checkedAt }: Checked, ports: Ports) {
  const transaction = getPaid(await getTransaction(ports.transactions, transactionId));
  const { status, amountCentavos, clientId, payment } = transaction;
  // The CPF is decrypted while the payment is read. If both fail, the error about the payment is thrown.
  const ownCpf = begun(readCpf(clientId, ports));
  const [charge, shown] = await Promise.all([
    ports.pix.findCharge(transactionId),
    ports.pix.findReceived(payment.endToEndId),
  ]);
  const received = charge?.payments.find((each) => each.endToEndId === payment.endToEndId);
  if (!received || !shown) throw notShown('the payment at the provider', transaction, ports);
  requireAgreed(received, shown, transaction);

  const payer = await ports.pix.findPayer(received, await ownCpf);
  const { endToEndId, paidAt } = received;
  const returns = mergedReturns(received.returns, shown.returns);
  const facts: PaymentFacts = {
    payment: { endToEndId, amountCentavos: received.amountCentavos, paidAt },
    expected: { amountCentavos, expiresAt: getIssued(transaction).expiresAt },
    payer,
    ...(returns.length > 0 && { returns }),
  };
  const decision = decidePayment(facts);
  if (decision.outcome === 'UNDECIDED' && payer === 'UNKNOWN')
    throw notShown('the identity of the payer', transaction, ports);
  // The provider shows a return of this payment that has not ended, or whose amount it does not tell. The
  // step is repeated until the provider shows both. If the purchase waits for a day, a case opens.
  if (decision.outcome === 'UNDECIDED') throw ordinary(new Unavailable('the end of a return'));
  await ports.evidence.record({
    subject: transactionId,
    clientId,
    kind: 'payment',
    at: ports.clock.now(),
    decidedBy: 'ConfirmPixPayment',
    inputs: { endToEndId },
    findings: facts,
    decision,
  });
  if (decision.outcome !== 'PAID') throw new StepOutcome(decision.outcome, 'the payment may not be settled');
  const { outcome } = decision;
  return { transactionId, status, checkedAt, decision: outcome, endToEndId, amountCentavos, payer };
}

async function readCpf(clientId: string, { clients, vault }: Ports): Promise<string> {
  return vault.decrypt((await getClient(clients, clientId)).cpfCipher, clientId);
}

/**
 * Throws while the charge and the Pix differ about the amount, or if the Pix names another charge. Neither answer is
 * believed then, and the step is repeated: docs/decisions.md, "Paid, then failed".
 */
function requireAgreed(charged: ReceivedPix, shown: ReceivedPix, { id }: Pick<Paid, 'id'>): void {
  if (charged.amountCentavos !== shown.amountCentavos) throw new Unavailable('one amount of the payment');
  if (shown.txid !== undefined && shown.txid !== id) throw new Unavailable('one charge of the payment');
}

function notShown(what: string, { payment }: Paid, { clock }: Pick<Ports, 'clock'>): Unavailable {
  const error = new Unavailable(what);
  const isSoon = clock.now() - payment.paidAt < SHOWN_WITHIN_MINUTES * clock.minuteMs;
  return isSoon ? ordinary(error) : error;
}

export const handler = step({ needs }, confirmPixPayment);
