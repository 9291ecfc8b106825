import { livenessIdOf } from '../domain/kyc/identity.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { machineStatusOf } from '../domain/purchase/status.ts';
import { isOver, isSlow, type Transaction } from '../domain/purchase/transaction.ts';
import { nextSweepAt, soonSweepAt } from '../domain/purchase/transitions.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { driveDue } from '../entry/drive-due.ts';
import { schedule } from '../entry/schedule.ts';
import { openIfPurchaseStuck } from '../logic/money/money-cases.ts';
import { resumeIfMoved } from '../logic/purchase/waits.ts';

export const needs = ['transactions', 'moneyCases', 'machine', 'callbackQueue', 'clock', 'log'] as const;
type Ports = Needs<typeof needs>;

const BATCH = 100;
/** While Step Functions hangs, a row takes seconds. The run must still end within its minute. */
const AT_ONCE = 10;
const BUSY_MS = 30_000;
/**
 * Each look asks for one execution. AWS answers ten such questions a second in most regions (DescribeExecution, Step
 * Functions quotas), and the half is left for operators. During an outage more rows are due. The longest waiting come
 * first, so each gets its turn.
 */
const MOST = 300;

/**
 * Runs each minute. It moves purchases on that did not move by themselves. If a purchase was paid a day ago and has
 * not ended, a case is opened too.
 */
export async function sweepStuckTransactions(ports: Ports) {
  const { transactions, clock, log } = ports;
  const looked = await driveDue(transactions.listDue, {
    async look(id) {
      // The index may be stale, so the row itself decides.
      const transaction = await transactions.findTransaction(id);
      if (transaction?.nextCheckAt === undefined) return;
      if (isSlow(transaction, instantOf(clock)))
        log.raise('PurchaseSlow', new Error(transaction.status), { transactionId: id });
      await openIfPurchaseStuck(transaction, ports);
      await moveOn(transaction, ports);
    },
    report: (id, error) => raiseOrWarn(log, 'SweepFailed', { error, fields: { transactionId: id } }),
    batch: BATCH,
    atOnce: AT_ONCE,
    busyMs: BUSY_MS,
    clock,
    most: MOST,
  });
  return { looked };
}

/**
 * Wakes the execution if its purchase has moved. If none runs, starts one under a new name, because AWS keeps a used
 * name for 90 days.
 */
async function moveOn(transaction: Transaction, ports: Ports): Promise<void> {
  const { transactions, machine, clock, log } = ports;
  const { id, status } = transaction;
  let { executions } = transaction;
  let nextLook = soonSweepAt(instantOf(clock));
  try {
    if (await machine.isRunning(id, executions)) {
      await resumeIfMoved(transaction, machine);
      await askForLiveness(transaction, ports);
      nextLook = nextSweepAt(transaction, instantOf(clock));
    } else {
      const next = executions + 1;
      log.info('execution started by the sweep', { transactionId: id, executions: next });
      await machine.start(id, machineStatusOf(status), next);
      executions = next;
    }
  } finally {
    // Also after an error: a full batch of failing rows would keep the sweep from all younger rows.
    await transactions.postpone(id, nextLook, executions);
  }
}

/**
 * Queues the client's face check to be read again. Its callback may be lost, or its charge could not be issued yet.
 */
async function askForLiveness(transaction: Transaction, { callbackQueue, clock }: Ports) {
  const { id, status, liveness } = transaction;
  // After its deadline the state machine itself asks.
  if (status !== 'AWAITING_MFA' || !liveness || isOver(transaction, clock.now())) return;
  await callbackQueue.send({ livenessIds: [livenessIdOf(id, liveness.attempt)] });
}

export const handler = schedule({ needs }, sweepStuckTransactions);
