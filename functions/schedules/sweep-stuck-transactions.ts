import { livenessIdOf } from '../domain/kyc/identity.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { machineStatusOf } from '../domain/purchase/status.ts';
import { isPastDeadline, isSlow, type Transaction } from '../domain/purchase/transaction.ts';
import { nextSweepAt, soonSweepAt } from '../domain/purchase/transitions.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { driveDue } from '../entry/drive-due.ts';
import { schedule } from '../entry/schedule.ts';
import { openIfPurchaseStuck } from '../logic/money/money-cases.ts';
import { resumeIfOver } from '../logic/purchase/waits.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = [
  ...(['transactions:read', 'duePurchases', 'moneyCases'] as const),
  ...(['machine', 'callbackQueue', 'clock', 'log'] as const),
] as const;
type Ports = Needs<typeof needs>;

const BATCH = 100;
/**
 * The number of purchases that are visited at once. While Step Functions does not answer, each purchase takes
 * seconds. The run must nevertheless end within its minute.
 */
const AT_ONCE = 10;
const BUSY_MS = 30_000;
/**
 * The most purchases of one run. Each asks AWS about one execution. AWS answers ten such questions a second in most
 * regions (DescribeExecution, Step Functions quotas), and half of them are left for operators. During an outage more
 * purchases are due. The longest waiting come first, so each gets its turn.
 */
const MOST = 300;

/**
 * Runs each minute. It advances purchases that have not advanced by themselves. If a purchase was paid more than a day
 * ago and has not ended, it also opens a case.
 */
export async function sweepStuckTransactions(ports: Ports) {
  const { transactions, duePurchases, clock, log } = ports;
  const looked = await driveDue(duePurchases.listDue, {
    async look(id) {
      // The index may be behind the table, so the row itself decides whether a visit is due.
      const transaction = await transactions.findTransaction(id);
      if (transaction?.nextCheckAt === undefined) return;
      if (isSlow(transaction, instantOf(clock)))
        log.raise('PurchaseSlow', new Error(transaction.status), { transactionId: id });
      await openIfPurchaseStuck(transaction, ports);
      await movePurchase(transaction, ports);
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
 * Resumes the execution if the purchase has left the status in which the execution waits. If no execution
 * runs, starts one under a new name, because AWS keeps a used name for 90 days.
 */
async function movePurchase(transaction: Transaction, ports: Ports): Promise<void> {
  const { transactions, duePurchases, machine, clock, log } = ports;
  const { id } = transaction;
  let { executions } = transaction;
  let nextLook = soonSweepAt(instantOf(clock));
  try {
    if (await machine.isRunning(id, executions)) {
      await resumeIfOver(transaction, machine, clock.now());
      await askForLiveness(transaction, ports);
      nextLook = nextSweepAt(transaction, instantOf(clock));
    } else {
      // The purchase may have ended, together with its execution, since the row was read. It is therefore
      // read again. A further execution would screen the client again, and its history would never be
      // archived.
      const { status, nextCheckAt } = await getTransaction(transactions, id);
      if (nextCheckAt === undefined) return;
      const next = executions + 1;
      log.info('execution started by the sweep', { transactionId: id, executions: next });
      await machine.start(id, machineStatusOf(status), next);
      executions = next;
    }
  } finally {
    // The next visit is also planned after an error. Otherwise purchases that always fail would use up every
    // run, and no other purchase would be visited.
    await duePurchases.postpone(id, nextLook, executions);
  }
}

/**
 * Queues a message that makes a consumer read the client's liveness check again. Its callback may be lost, or the
 * charge could not be issued yet.
 */
async function askForLiveness(transaction: Transaction, { callbackQueue, clock }: Ports) {
  const { id, status, liveness } = transaction;
  // After the deadline the state machine itself reads the check.
  if (status !== 'AWAITING_MFA' || !liveness || isPastDeadline(transaction, clock.now())) return;
  await callbackQueue.send({ livenessIds: [livenessIdOf(id, liveness.attempt)] });
}

export const handler = schedule({ needs }, sweepStuckTransactions);
