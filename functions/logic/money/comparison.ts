import { type Finding, openMoneyCase } from '../../domain/books/money-case.ts';
import { postingFindings } from '../../domain/books/reconciliation.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Posting } from '../../domain/ledger.ts';
import type { Needs } from '../../domain/ports.ts';
import { HOLD_NEEDS } from './hold.ts';
import { openCase, openRecurred } from './money-cases.ts';

export const BOOKS_NEEDS = [
  'transactions',
  'unmatchedPayments',
  'moneyCases',
  'ledger:read',
  'pix',
  'outflows',
  'machine',
  'clock',
  'log',
  ...HOLD_NEEDS,
] as const;
export type BooksPorts = Needs<typeof BOOKS_NEEDS>;

/**
 * One run over one stretch of time. A row is compared again only if something was posted for it since. Instants are
 * epoch milliseconds.
 */
export type Comparison = {
  from: number;
  to: number;
  /** Absence is judged only for what is older than this instant, because a provider or a node may lag. */
  judgedBefore: number;
  ports: BooksPorts;
  /** Does what the callback of a payment would have done. */
  receivePayment: (transactionId: string) => Promise<boolean>;
  counts: { payments: number; repaired: number; opened: number; failed: number };
  /** The end-to-end ids of the Pix that the provider listed, and of those that were compared with their rows. */
  listed: Set<string>;
  seen: Set<string>;
  /** The rows that provider or chain have named and that are not compared yet. */
  transactionIds: Set<string>;
  unmatchedIds: Set<string>;
  /** For each row that was compared: the ids of the postings that the ledger must have for it. */
  compared: Map<string, ReadonlySet<string>>;
};

const AT_ONCE = 10;

/**
 * Compares the items, ten at a time. An item that cannot be compared is counted, and the others are still compared.
 * `Unavailable` ends the run, because a provider that does not answer shows nothing.
 */
export async function compareEach<Item>(
  { counts, ports }: Comparison,
  items: readonly Item[],
  compare: (item: Item) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const ends = await Promise.allSettled(items.slice(from, from + AT_ONCE).map(compare));
    for (const end of ends) {
      if (end.status === 'fulfilled') continue;
      if (end.reason instanceof Unavailable) throw end.reason;
      counts.failed += 1;
      ports.log.raise('ComparisonFailed', end.reason);
    }
  }
}

/**
 * Opens the case of each finding, unless it has one. Some kinds get a new case if the facts have changed since the
 * closing.
 */
export async function openFindings(
  { ports, counts }: Comparison,
  findings: readonly Finding[],
): Promise<void> {
  for (const finding of findings) {
    const opened = openMoneyCase({ ...finding, openedAt: ports.clock.now() });
    if ((await openCase(opened, ports)) || (await openRecurred(finding, ports))) counts.opened += 1;
  }
}

/**
 * Compares the ledger with the postings that it must have. `listed`: postings of the ledger, each of which must be
 * expected.
 */
export async function compareLedger(
  run: Comparison,
  expected: readonly Posting[],
  listed: readonly Posting[],
): Promise<void> {
  const stored = await Promise.all(expected.map(({ id }) => run.ports.ledger.findPosting(id)));
  const found = new Map(
    stored.filter((posting) => posting !== undefined).map((posting) => [posting.id, posting]),
  );
  await openFindings(run, postingFindings(expected, found, listed));
}
