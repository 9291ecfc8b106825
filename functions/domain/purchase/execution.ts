/**
 * The names, the archive keys and the history of a purchase's executions. Step Functions keeps the history of
 * an execution for 90 days.
 */
import { dayInBrasilia } from '../time.ts';
import { reachedAt, type Transaction } from './transaction.ts';

/**
 * The name of an execution. The first is named by the purchase's id. The `n`-th that `SweepStuckTransactions`
 * starts again is named `<id>-r<n>`.
 */
export const executionName = (transactionId: string, executions: number): string =>
  executions === 0 ? transactionId : `${transactionId}-r${executions}`;

/** The names of all executions of a purchase, the first one first. */
export const executionNames = ({ id, executions }: { id: string; executions: number }): string[] =>
  Array.from({ length: executions + 1 }, (_, number) => executionName(id, number));

/**
 * The key of an execution in the archive bucket, without the file extension. Its day is the day in Brasília
 * on which the purchase reached its last status. A reader can compute the key from the purchase, and so need
 * not list the bucket.
 */
export function executionPlace(name: string, purchase: Pick<Transaction, 'history' | 'createdAt'>): string {
  return `executions/${dayInBrasilia(reachedAt(purchase))}/${name}`;
}

/**
 * The keys of an execution's two objects in the archive bucket: its history as JSON, and a page for people.
 */
export function executionKeys(name: string, purchase: Transaction): { data: string; page: string } {
  const place = executionPlace(name, purchase);
  return { data: `${place}.json`, page: `${place}.html` };
}

/** An execution with its history. Instants are in ISO. */
export type ExecutionRecord = {
  name: string;
  /** `RUNNING`, or the way in which it ended, such as `SUCCEEDED`. */
  status?: string;
  startedAt?: string;
  stoppedAt?: string;
  events: { id?: number; previousEventId?: number; at?: string; type?: string; details?: unknown }[];
};

export type ExecutionHistories = {
  /** Undefined if no execution has this name, or if Step Functions no longer keeps it. */
  findExecution(name: string): Promise<ExecutionRecord | undefined>;
};

const REMOVED = '(task token removed)';

/**
 * Replaces each task token in the record. The tokens are the values of the fields named `taskToken`. A token
 * may also stand inside a longer text, such as JSON that was cut off, so each token is replaced in all texts.
 */
export function withoutTokensInRecord(record: ExecutionRecord): ExecutionRecord {
  const tokens = tokensIn(record);
  return cleaned(record, (text) => tokens.reduce((rest, token) => rest.replaceAll(token, REMOVED), text));
}

const isToken = (name: string, value: unknown): value is string =>
  /^taskToken$/i.test(name) && typeof value === 'string' && value !== '';

function tokensIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (isToken(name, each) ? [each] : tokensIn(each)));
}

function cleaned<Value>(value: Value, textOf: (text: string) => string): Value;
function cleaned(value: unknown, textOf: (text: string) => string): unknown {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return value.map((each) => cleaned(each, textOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each, textOf)]));
}
