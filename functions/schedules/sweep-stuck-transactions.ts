import { livenessIdOf } from '../domain/identity.ts';
import type { Needs } from '../domain/ports.ts';
import type { Transaction } from '../domain/transaction.ts';
import { schedule } from '../edge/schedule.ts';
import { resumeIfMoved } from '../edge/waits.ts';

export const needs = [
  'transactions',
  'machine',
  'events',
  'deliveries',
  'webhookQueue',
  'callbackQueue',
  'clock',
  'log',
] as const;
type Ports = Needs<typeof needs>;

const BATCH = 100;
const NEXT_LOOK_MINUTES = 2;
/** Events travel in seconds, real ones in any sandbox; one this old was lost between the stream and the queue. */
const EVENT_GRACE_MS = 2 * 60_000;
/** A delivery that was queued has so long to be tried before it is queued again, also real time. */
const DELIVERY_GRACE_MS = 5 * 60_000;
/** Two thousand deliveries a minute, which are queued well within the function's time. */
const MOST_PAGES = 20;

/** Each minute: what should have moved by itself and did not is moved; what is due to partners is queued. */
export async function sweepStuckTransactions(ports: Ports) {
  const now = ports.clock.now();
  const due = await ports.transactions.listDue(now, BATCH);
  for (const id of due) await drive(id, ports);

  const lost = await ports.events.listUndelivered(now - EVENT_GRACE_MS, BATCH);
  const queued = new Set(lost);
  for (const eventId of lost) await ports.webhookQueue.send({ eventId });
  for (let page = 0; page < MOST_PAGES; page++) {
    if (!(await queueDeliveries(queued, ports))) break;
  }
  return { looked: due.length, queued: queued.size };
}

/** Queues what is due and leaves it alone for a while, so that a queue that is slow is not filled up. */
async function queueDeliveries(queued: Set<string>, ports: Ports): Promise<boolean> {
  const { deliveries, webhookQueue, clock } = ports;
  const now = clock.now();
  const due = await deliveries.listDue(now, BATCH);
  const eventIds = new Set(due.map((id) => id.split('#')[0]!).filter((id) => !queued.has(id)));
  // First, for whoever is quick to try it plans the next attempt.
  await Promise.all(due.map((id) => deliveries.postpone(id, { now, until: now + DELIVERY_GRACE_MS })));
  await Promise.all([...eventIds].map((eventId) => webhookQueue.send({ eventId })));
  for (const eventId of eventIds) queued.add(eventId);
  // The index may lag behind, and tell the same again.
  return eventIds.size > 0 && due.length === BATCH;
}

async function drive(id: string, ports: Ports): Promise<void> {
  try {
    // The index may be stale: the row itself decides.
    const transaction = await ports.transactions.findTransaction(id);
    if (transaction?.nextCheckAt !== undefined) await look(transaction, ports);
  } catch (error) {
    // One row that cannot be driven must not keep the others waiting.
    ports.log.error('sweep failed', error, { transactionId: id });
  }
}

/** Wakes the execution, or starts one where none runs: under a new name, for a used one stays taken for 90 days. */
async function look(transaction: Transaction, ports: Ports): Promise<void> {
  const { transactions, machine, clock, log } = ports;
  const { id, status } = transaction;
  let { executions } = transaction;
  try {
    if (await machine.isRunning(id, executions)) {
      await resumeIfMoved(transaction, machine);
      await askForLiveness(transaction, ports);
    } else {
      const next = executions + 1;
      log.info('execution started by the sweep', { transactionId: id, executions: next });
      await machine.start(id, status, next);
      executions = next;
    }
  } finally {
    // Also where it failed: a batch of such rows would keep all younger ones from ever being looked at.
    await transactions.postpone(id, clock.now() + NEXT_LOOK_MINUTES * clock.minuteMs, executions);
  }
}

/** The news of a check that has ended may be lost, or its charge could not be issued yet: it is looked at again. */
async function askForLiveness({ id, status, liveness }: Transaction, { callbackQueue }: Ports) {
  if (status !== 'AWAITING_MFA' || !liveness) return;
  await callbackQueue.send({ livenessIds: [livenessIdOf(id, liveness.attempt)] });
}

export const handler = schedule({ needs }, sweepStuckTransactions);
