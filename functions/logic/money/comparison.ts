import { batchesOf } from '../../domain/batches.ts';
import { type Finding, openMoneyCase } from '../../domain/books/money-case.ts';
import { postingFindings } from '../../domain/books/reconciliation.ts';
import { PaymentNotShown, Unavailable } from '../../domain/errors.ts';
import type { Posting } from '../../domain/ledger.ts';
import type { Needs } from '../../domain/ports.ts';
import { CONDITIONS } from '../../domain/watching/conditions.ts';
import { HOLD_NEEDS } from './hold.ts';
import { openCase, openRecurred } from './money-cases.ts';

export const BOOKS_NEEDS = [
  'transactions',
  'unmatchedPayments',
  'moneyCases',
  'coinBooks',
  'openCases',
  'daySums',
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
 * One run of the comparison over one stretch of time. A row is compared again in the same run only if the ledger has
 * new postings for it. Instants are epoch milliseconds.
 */
export type Comparison = {
  from: number;
  to: number;
  /**
   * A missing payment, return or transfer counts as a discrepancy only if our row dates it before this
   * instant. A provider or a node may lag.
   */
  judgedBefore: number;
  ports: BooksPorts;
  /** Advances a purchase whose payment has arrived, as the lost callback would have done. */
  receivePayment: (transactionId: string) => Promise<boolean>;
  counts: { payments: number; repaired: number; opened: number; failed: number };
  /** The end-to-end ids of the Pix that the provider has listed. */
  listed: Set<string>;
  seen: Set<string>;
  /**
   * The ids of purchases, and below of unmatched payments, that provider or chain have named. Their rows are
   * still to be compared.
   */
  transactionIds: Set<string>;
  unmatchedIds: Set<string>;
  /** For each row that was compared: the ids of the postings that the ledger must have for it. */
  compared: Map<string, ReadonlySet<string>>;
};

const AT_ONCE = 10;

/**
 * Compares the items, ten at a time. If one item fails, it is counted, and the others are still compared.
 * If all of several items that run at once are `Unavailable`, the first error is thrown, because without
 * the provider's answer nothing can be judged.
 */
export async function compareEach<Item>(
  { counts, ports }: Comparison,
  items: readonly Item[],
  compare: (item: Item) => Promise<void>,
): Promise<void> {
  for (const some of batchesOf(items, AT_ONCE)) {
    const ends = await Promise.allSettled(some.map(compare));
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (errors.length > 1 && errors.length === some.length && errors.every(isProviderOutage)) throw errors[0];
    counts.failed += errors.length;
    for (const error of errors) reportComparison(error, ports);
  }
}

/**
 * Logs why an item could not be compared. An outage of a provider raises no alarm here, because it has its
 * own.
 */
function reportComparison(error: unknown, { log }: Pick<BooksPorts, 'log'>): void {
  if (isProviderOutage(error)) log.warn(CONDITIONS.ComparisonFailed, error);
  else log.raise('ComparisonFailed', error);
}

/**
 * Whether the provider does not answer. `PaymentNotShown` is about one charge only, so the other items can
 * still be compared.
 */
const isProviderOutage = (error: unknown) =>
  error instanceof Unavailable && !(error instanceof PaymentNotShown);

/**
 * Opens a case for each finding that has none. Some kinds get a new case if the facts have changed since the case was
 * closed.
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
 * Compares the stored postings with those that the rows require. `listed` are postings found in the ledger. Each of
 * them must be among the expected ones.
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
