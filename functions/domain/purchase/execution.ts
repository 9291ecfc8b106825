/** The executions of the state machine, as Step Functions remembers them for 90 days. */
import { dayInBrasilia } from '../time.ts';
import { reachedAt, type Transaction } from './transaction.ts';

/** The name of an execution: the purchase's id, or `<id>-r<n>` if the sweeper has started it again. */
export const executionName = (transactionId: string, executions: number): string =>
  executions === 0 ? transactionId : `${transactionId}-r${executions}`;

/** The names of all executions of a purchase, the first one first. */
export const executionNames = ({ id, executions }: { id: string; executions: number }): string[] =>
  Array.from({ length: executions + 1 }, (_, number) => executionName(id, number));

/**
 * The key of an execution in the archive, without the file extension. It has the day in Brasília on which
 * the purchase ended, and the execution's name. The key follows from the purchase alone, so a reader needs
 * no list.
 */
export function executionPlace(name: string, purchase: Pick<Transaction, 'history' | 'createdAt'>): string {
  return `executions/${dayInBrasilia(reachedAt(purchase))}/${name}`;
}

/** The objects of an execution in the archive: its data, and its page for people. */
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
 * Removes the task tokens from a history, also where a token is only a part of a text. A JSON text that was
 * cut off cannot be parsed, so a token in it can only be found as text.
 */
export function withoutTokens(record: ExecutionRecord): ExecutionRecord {
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
