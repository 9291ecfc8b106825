import * as z from 'zod';
import { hasAskedDocuments, transactionIdOf } from '../domain/kyc/identity.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { MFA_WINDOW_MINUTES } from '../domain/purchase/transaction.ts';
import { tryEach } from '../domain/try-each.ts';
import { queueConsumer } from '../entry/queue.ts';
import { KYC_REVIEW_NEEDS, reviewClient } from '../logic/kyc/review-pending.ts';
import { REVIEW_NEEDS, reviewLiveness } from '../logic/purchase/liveness.ts';
import { PAYMENT_NEEDS, receivePayment } from '../logic/purchase/receive-payment.ts';
import { resumeIfMoved } from '../logic/purchase/waits.ts';

export const needs = [...PAYMENT_NEEDS, ...REVIEW_NEEDS, ...KYC_REVIEW_NEEDS, 'purchaseLists'] as const;

type Ports = Needs<typeof needs>;

const Ids = z.array(z.string().min(1)).min(1).optional();
/** The ids that a provider's callback has named. Each kind of id comes in its own message. */
export const CallbackMessage = z
  .strictObject({ txids: Ids, livenessIds: Ids, clientIds: Ids })
  .refine((message) => Object.keys(message).length > 0, 'has no ids');

/**
 * Handles each id of one message: it reads the id's state at its provider, and advances the purchase or the client. A
 * callback or `SweepStuckTransactions` has sent the message.
 */
export async function processCallback(message: z.infer<typeof CallbackMessage>, ports: Ports): Promise<void> {
  const { txids = [], livenessIds = [], clientIds = [] } = message;
  const visits = [
    ...txids.map((txid) => () => receivePayment(txid, ports)),
    ...livenessIds.map((id) => () => receiveLiveness(transactionIdOf(id), ports)),
    ...clientIds.flatMap((id) => [() => reviewClient(id, ports), () => receiveDocuments(id, ports)]),
  ];
  await tryEach(visits, (visit) => visit());
}

/** A callback about a client's documents advances at most this many of the client's newest purchases. */
const MOST_WAITING = 20;

/**
 * Advances the client's purchases whose liveness check is a review of documents: docs/decisions.md,
 * "The liveness check". The callback about such a review names only the client.
 */
async function receiveDocuments(clientId: string, ports: Ports): Promise<void> {
  const client = await ports.clients.findClient(clientId);
  if (!client) return;
  const { now, minuteMs } = instantOf(ports.clock);
  const from = now - MFA_WINDOW_MINUTES * minuteMs;
  const wanted = { partnerId: client.partnerId, clientId, from };
  const { purchases } = await ports.purchaseLists.listPurchases(wanted, { limit: MOST_WAITING });
  for (const { id, liveness } of purchases) if (hasAskedDocuments(liveness)) await receiveLiveness(id, ports);
}

/**
 * Reads a purchase's liveness check at the provider, and advances the purchase if the check has ended. A
 * repetition changes nothing.
 */
async function receiveLiveness(transactionId: string, ports: Ports): Promise<void> {
  const transaction = await ports.transactions.findTransaction(transactionId);
  if (!transaction) return;
  // An earlier visit may have saved the purchase and stopped before it resumed the state machine. This visit
  // then resumes the machine.
  if (transaction.status === 'AWAITING_MFA') await reviewLiveness(transaction, ports);
  else await resumeIfMoved(transaction, ports.machine);
}

export const handler = queueConsumer({ needs, message: CallbackMessage, measuresLag: true }, processCallback);
