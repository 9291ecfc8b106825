import type { ReceivedPix } from '../domain/pix.ts';
import type { Needs } from '../domain/ports.ts';
import { schedule } from '../edge/schedule.ts';
import { receivePayment, returnStray } from '../queues/process-callback.ts';

export const needs = ['transactions', 'pix', 'machine', 'clock', 'log'] as const;
type Ports = Needs<typeof needs>;

/** Windows overlap widely, so a Pix that the provider showed late is seen by a later sweep. */
const WINDOW_MINUTES = 120;

/** Finds payments whose callback was lost, and sees to it that callbacks come to us. */
export async function reconcilePix(ports: Ports) {
  const now = ports.clock.now();
  const received = await ports.pix.listReceived(now - WINDOW_MINUTES * 60_000, now);
  let recovered = 0;
  for (const pix of received) {
    try {
      if (await match(pix, ports)) recovered += 1;
    } catch (error) {
      // One payment that cannot be matched must not hide the others.
      ports.log.error('reconciliation failed', error, { endToEndId: pix.endToEndId });
    }
  }
  // Last: money that is here must not wait for an address that cannot be registered.
  await registerCallback(ports);
  return { received: received.length, recovered };
}

/** Logged and thrown again, so that the run counts as failed and its alarm goes off. */
async function registerCallback({ pix, log }: Ports): Promise<void> {
  try {
    await pix.registerCallback();
  } catch (error) {
    log.error('callback not registered', error);
    throw error;
  }
}

async function match(pix: ReceivedPix, ports: Ports): Promise<boolean> {
  const transaction = pix.txid ? await ports.transactions.findTransaction(pix.txid) : undefined;
  if (!transaction) {
    // Money under a txid that is none of ours: whose it is, a person must say.
    ports.log.error('unmatched Pix', new Error('no such purchase'), { endToEndId: pix.endToEndId });
    return false;
  }
  if (transaction.status === 'AWAITING_PIX') return receivePayment(transaction.id, ports);
  await returnStray(transaction, pix, ports);
  return false;
}

export const handler = schedule({ needs }, reconcilePix);
