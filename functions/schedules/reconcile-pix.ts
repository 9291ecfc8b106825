import type { ReceivedPix } from '../domain/pix.ts';
import type { Needs } from '../domain/ports.ts';
import { schedule } from '../edge/schedule.ts';
import { receivePayment } from '../queues/process-callback.ts';

export const needs = ['transactions', 'pix', 'machine', 'clock', 'log'] as const;
type Ports = Needs<typeof needs>;

/** Windows overlap widely, so a Pix that the provider showed late is seen by a later sweep. */
const WINDOW_MINUTES = 120;

/** Finds payments whose callback was lost, and sees to it that callbacks come to us. */
export async function reconcilePix(ports: Ports) {
  await ports.pix.registerCallback();
  const now = ports.clock.now();
  const received = await ports.pix.listReceived(now - WINDOW_MINUTES * 60_000, now);
  let recovered = 0;
  for (const pix of received) if (await match(pix, ports)) recovered += 1;
  return { received: received.length, recovered };
}

async function match(pix: ReceivedPix, ports: Ports): Promise<boolean> {
  const transaction = pix.txid ? await ports.transactions.findTransaction(pix.txid) : undefined;
  if (transaction?.status === 'AWAITING_PIX') return receivePayment(transaction.id, ports);
  if (transaction?.payment?.endToEndId !== pix.endToEndId) {
    // Money that belongs to no purchase: a person must see it until it is refunded by itself.
    const error = new Error('a received Pix matches no open purchase');
    ports.log.error('unmatched Pix', error, { endToEndId: pix.endToEndId });
  }
  return false;
}

export const handler = schedule({ needs }, reconcilePix);
