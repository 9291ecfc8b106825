import { StepOutcome, Unavailable } from '../domain/errors.ts';
import { paymentFault } from '../domain/pix.ts';
import type { Needs } from '../domain/ports.ts';
import { type StepInput, step } from '../edge/step.ts';

export const needs = ['transactions:read', 'clients:read', 'vault', 'pix'] as const;

/**
 * PROCESSING. Reads the payment at the provider with our own credentials: of the exact amount, in time, by the
 * client. A payer that the provider cannot name is nobody, so the step waits for an answer instead of guessing.
 */
export async function confirmPixPayment({ transactionId }: StepInput, ports: Needs<typeof needs>) {
  const transaction = (await ports.transactions.findTransaction(transactionId))!;
  const { status, amountCentavos, clientId, pix, payment } = transaction;
  const charge = await ports.pix.findCharge(transactionId);
  const received = charge?.payments.find((each) => each.endToEndId === payment?.endToEndId);
  if (!received) throw new Unavailable('the payment at the provider');

  const client = (await ports.clients.findClient(clientId))!;
  const payer = await ports.pix.findPayer(received, await ports.vault.decrypt(client.cpfCipher, clientId));
  const fault = paymentFault(received, { amountCentavos, expiresAt: pix!.expiresAt, payer });
  if (fault) throw new StepOutcome(fault, 'the payment may not be settled');
  if (payer === 'UNKNOWN') throw new Unavailable('the identity of the payer');
  return { transactionId, status, decision: 'PAID', endToEndId: received.endToEndId, amountCentavos, payer };
}

export const handler = step({ needs }, confirmPixPayment);
