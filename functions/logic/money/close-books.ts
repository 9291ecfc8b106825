/** Stores the sums of each day whose postings are complete: docs/decisions.md, "The books". */
import { isDayOver, summing } from '../../domain/books/day-sums.ts';
import { dayAfter, dayBefore } from '../../domain/books/manifest.ts';
import type { Posting } from '../../domain/ledger.ts';
import type { Needs } from '../../domain/ports.ts';
import { dayInBrasilia } from '../../domain/time.ts';

const CLOSE_NEEDS = ['daySums', 'clock'] as const;
type Ports = Needs<typeof CLOSE_NEEDS>;

/**
 * A ledger in use is never without a posting for this many days. A gap of this length therefore means that
 * no posting came before it.
 */
const QUIET_DAYS = 31;

/** Closes the days that are due, one after the other. It begins no further day at `until`. */
export async function closeBooks(ports: Ports, until: number): Promise<void> {
  const { daySums, clock } = ports;
  let closed = (await daySums.findClosed()) ?? (await beginBooks(ports));
  for (let day = dayAfter(closed); isDayOver(day, clock.now()) && clock.now() < until; day = dayAfter(day)) {
    const sums = summing(await daySums.listSums(closed));
    await readInTime(day, sums.add, daySums);
    if (!(await daySums.close(day, sums.list(), closed))) return;
    closed = day;
  }
}

/** Reads the postings of the day page by page, without those that were recorded late. */
export async function readInTime(
  day: string,
  see: (postings: readonly Posting[]) => void,
  { listInTime }: Ports['daySums'],
): Promise<void> {
  for (let page = await listInTime(day); ; page = await listInTime(day, page.next)) {
    see(page.postings);
    if (!page.next) return;
  }
}

/**
 * Closes the day before the first posting, with empty sums. `closeBooks` then adds up the days after it.
 */
async function beginBooks(ports: Ports): Promise<string> {
  const day = await dayBeforeAll(ports);
  await ports.daySums.close(day, []);
  return day;
}

function lastDayOver(now: number): string {
  let day = dayInBrasilia(now);
  while (!isDayOver(day, now)) day = dayBefore(day);
  return day;
}

/** Finds the day before the first posting. Without any posting, it is the last day that is over. */
async function dayBeforeAll({ daySums, clock }: Ports): Promise<string> {
  let before = lastDayOver(clock.now());
  for (let day = before, quiet = 0; quiet < QUIET_DAYS; day = dayBefore(day)) {
    const { postings, next } = await daySums.listInTime(day);
    const isQuiet = postings.length === 0 && !next;
    quiet = isQuiet ? quiet + 1 : 0;
    if (!isQuiet) before = dayBefore(day);
  }
  return before;
}
