import * as z from 'zod';
import { transactionIdOf } from '../domain/kyc/identity.ts';
import type { Needs } from '../domain/ports.ts';
import { queueConsumer } from '../entry/queue.ts';
import { KYC_REVIEW_NEEDS, reviewClient } from '../logic/kyc/review-pending.ts';
import { REVIEW_NEEDS, reviewLiveness } from '../logic/purchase/liveness.ts';
import { PAYMENT_NEEDS, receivePayment } from '../logic/purchase/receive-payment.ts';
import { resumeIfMoved } from '../logic/purchase/waits.ts';

export const needs = [...PAYMENT_NEEDS, ...REVIEW_NEEDS, ...KYC_REVIEW_NEEDS] as const;

type Ports = Needs<typeof needs>;

const Ids = z.array(z.string().min(1)).min(1).optional();
/** The ids that a provider's callback named. Each kind comes in a message of its own. */
export const Message = z
  .strictObject({ txids: Ids, livenessIds: Ids, clientIds: Ids })
  .refine((message) => Object.keys(message).length > 0, 'has no ids');

/** Reads everything that a stored callback names at its provider. */
export async function processCallback(message: z.infer<typeof Message>, ports: Ports): Promise<void> {
  const { txids = [], livenessIds = [], clientIds = [] } = message;
  const visits = [
    ...txids.map((txid) => () => receivePayment(txid, ports)),
    ...livenessIds.map((id) => () => receiveLiveness(transactionIdOf(id), ports)),
    ...clientIds.map((id) => () => reviewClient(id, ports)),
  ];
  const failures: unknown[] = [];
  for (const visit of visits) {
    // The others are still read if one cannot be.
    await visit().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Moves a purchase on when its liveness check has ended. A repetition does nothing. */
export async function receiveLiveness(transactionId: string, ports: Ports): Promise<void> {
  const transaction = await ports.transactions.findTransaction(transactionId);
  if (!transaction) return;
  // Another visit may have died between its write and its wake-up.
  if (transaction.status === 'AWAITING_MFA') await reviewLiveness(transaction, ports);
  else await resumeIfMoved(transaction, ports.machine);
}

export const handler = queueConsumer({ needs, message: Message, measuresLag: true }, processCallback);
