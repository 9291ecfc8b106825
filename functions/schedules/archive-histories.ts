import { instantOf, type Needs } from '../domain/ports.ts';
import {
  type ExecutionRecord,
  executionKeys,
  executionNames,
  withoutTokensInRecord,
} from '../domain/purchase/execution.ts';
import { reachedAt, type Transaction } from '../domain/purchase/transaction.ts';
import { type Instant, quarterOf } from '../domain/time.ts';
import { tryEach } from '../domain/try-each.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { driveDue } from '../entry/drive-due.ts';
import { schedule } from '../entry/schedule.ts';
import { archive } from '../logic/money/archive.ts';
import { archiveEvidence, EVIDENCE_NEEDS } from '../logic/money/archive-evidence.ts';
import { beginChain, closeDays } from '../logic/money/close-days.ts';
import { KEEP_NEEDS, keepHeldRows } from '../logic/money/held-rows.ts';
import { executionPage } from '../logic/purchase/execution-page.ts';

export const needs = [
  'transactions:read',
  'unarchived',
  'executions',
  ...EVIDENCE_NEEDS,
  ...KEEP_NEEDS,
  'log',
] as const;
type Ports = Needs<typeof needs>;

const BATCH = 100;
const AT_ONCE = 10;
const BUSY_MS = 30_000;
/** After this real time a run begins no further slice of evidence. */
const BUSY_WITH_EVIDENCE_MS = 60_000;
/**
 * The most purchases of one run. AWS answers 20 questions for a history a second (GetExecutionHistory, Step Functions
 * quotas), and half of them are left for operators.
 */
const MOST = 600;
/**
 * If the history of a purchase could not be archived, the next try comes after a quarter of the time since
 * its end. The pause has these bounds in minutes. Nearly every history is archived at the first try.
 */
const PAUSE_MINUTES = { least: 1, most: 60 };

/**
 * Runs each minute. It archives the histories of purchases that have ended, because Step Functions deletes
 * them after 90 days, and the evidence of all decisions. Then it closes the day that is over:
 * docs/operations.md, "History". Rows about a person under a litigation hold lose their time to live.
 */
export async function archiveHistories(ports: Ports) {
  const { unarchived, clock, log } = ports;
  const until = clock.now() + BUSY_WITH_EVIDENCE_MS;
  await beginChain(ports);
  const looked = await driveDue(unarchived.listDue, {
    look: (id) => archivePurchase(id, ports),
    report: (id, error) => raiseOrWarn(log, 'HistoryNotArchived', { error, fields: { transactionId: id } }),
    batch: BATCH,
    atOnce: AT_ONCE,
    busyMs: BUSY_MS,
    clock,
    most: MOST,
  });
  // `keepHeldRows` runs even if `archiveEvidence` fails, because the rows of a held person would otherwise
  // be deleted at the end of their time to live.
  const tasks = [() => archiveEvidence(ports, until), () => closeDays(ports), () => keepHeldRows(ports)];
  await tryEach(tasks, (task) => task());
  return { looked };
}

async function archivePurchase(id: string, ports: Ports): Promise<void> {
  const { transactions, unarchived, clock } = ports;
  const transaction = await transactions.findTransaction(id);
  if (!transaction) return;
  // The next look is planned first. Otherwise a purchase that always fails would be tried again and again,
  // and others would never be tried.
  await unarchived.postpone(id, nextLookAt(transaction, instantOf(clock)));
  const isRunning = await archiveExecutions(transaction, ports);
  if (!isRunning) await unarchived.markArchived(id);
}

function nextLookAt(transaction: Transaction, { now, minuteMs }: Instant): number {
  const { least, most } = PAUSE_MINUTES;
  const bounds = { least: least * minuteMs, most: most * minuteMs };
  return now + quarterOf(now - reachedAt(transaction), bounds);
}

/** Archives the executions that have ended. True if one still runs. */
async function archiveExecutions(transaction: Transaction, ports: Ports): Promise<boolean> {
  const names = executionNames(transaction);
  const found = await Promise.all(names.map((name) => ports.executions.findExecution(name)));
  const records = names.map((name, at) => found[at] ?? { name, status: 'UNKNOWN', events: [] });
  const ended = records.filter(({ status }) => status !== 'RUNNING');
  for (const record of ended) await archiveExecution(withoutTokensInRecord(record), transaction, ports);
  return ended.length < records.length;
}

async function archiveExecution(record: ExecutionRecord, transaction: Transaction, ports: Ports) {
  const { data, page } = executionKeys(record.name, transaction);
  await archive({ key: data, text: `${JSON.stringify(record, null, 2)}\n` }, ports);
  await archive({ key: page, text: executionPage(record, transaction) }, ports);
}

export const handler = schedule({ needs }, archiveHistories);
