/** Makes many purchases in a sandbox of its own, waits until each has ended, and reports the results. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import { balanceOf } from '../sandbox/chain/deploy.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { seed, WEBHOOK_SECRET } from '../sandbox/seed.ts';
import { type Answered, type Buyer, buyersAt, buyersFor, forAll, partnersFor } from './load-buyers.ts';
import { failuresIn, findingsIn, isOver } from './load-checks.ts';
import { type State, stateOf } from './load-state.ts';
import { type Stay, staysIn } from './load-times.ts';

const LOOK_MS = 3000;
/**
 * The longest wait for the end of all purchases, in milliseconds. The schedules find lost work within
 * minutes. Work that takes longer than this wait is lost for good.
 */
const LONGEST_MS = 25 * 60_000;

export type Load = { purchases: number; atOnce: number; say: (line: string) => void };

export type LoadReport = {
  findings: string[];
  ends: Record<string, number>;
  /** A line for each failed purchase. */
  failures: string[];
  /** Milliseconds from the payment to the end. */
  paidToEnd: number[];
  answered: Answered;
  stays: Stay[];
  /** Executions that the sweep had to start. */
  restarted: number;
  webhooks: { events: number; received: number };
};

/** Runs the load, with `atOnce` requests at a time. It opens all charges before it pays the first one. */
export async function runLoad({ purchases: count, atOnce, say }: Load): Promise<LoadReport> {
  const sandbox = await startSandbox();
  let stop: () => Promise<void> = async () => undefined;
  try {
    const state = stateOf(sandbox);
    const partners = partnersFor(count);
    const { rpcUrl, cloud } = sandbox;
    await seed(cloud, { partners, webhookSecret: WEBHOOK_SECRET, rpcUrl });
    const buyers = buyersFor(count);
    const answered: Answered = new Map();
    const { open, pay } = buyersAt(sandbox.url, partners, answered);
    say(`${count} clients of ${partners.length} partners, ${atOnce} requests at once`);
    stop = printProgress(state, say);
    const errors = await forAll(buyers, atOnce, open);
    say('all charges are open');
    errors.push(...(await forAll(buyers.filter(isOpen), atOnce, pay)));
    say('all charges are paid');
    errors.push(...(await untilOver(state, buyers.filter(isOpen).length)));
    const report = await reportOf({ sandbox, state, buyers, answered });
    return { ...report, findings: [...errors.map(String), ...report.findings] };
  } finally {
    await stop();
    await sandbox.stop();
  }
}

const isOpen = ({ transactionId }: Buyer) => transactionId !== undefined;

/** Prints how many purchases are in each status, every few seconds, until it is stopped. */
function printProgress(state: State, say: Load['say']): () => Promise<void> {
  const startedAt = Date.now();
  const stopping = new AbortController();
  async function print(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      const counts = await state.purchases().then(wordsOf, String);
      say(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(5)} s  ${counts}`);
    }
  }
  const printed = print();
  return () => {
    stopping.abort();
    return printed;
  };
}

/** Waits until all purchases have ended and all events are delivered. Returns an error if that takes too long. */
async function untilOver(state: State, count: number): Promise<unknown[]> {
  for (const until = Date.now() + LONGEST_MS; Date.now() < until; ) {
    const [purchases, events, deliveries] = await Promise.all([
      state.purchases(),
      state.events(),
      state.deliveries(),
    ]);
    const isTaken = events.every((event) => !('sweep' in event));
    const isDelivered = deliveries.every(({ status }) => status === 'DELIVERED');
    if (purchases.filter(isOver).length >= count && isTaken && isDelivered) return [];
    await pause(LOOK_MS);
  }
  return [new Error(`not all purchases have ended after ${LONGEST_MS / 60_000} minutes`)];
}

function countsOf(purchases: readonly Transaction[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, refund } of purchases) {
    const end = refund ? `${status} ${refund.status}` : status;
    counts[end] = (counts[end] ?? 0) + 1;
  }
  return counts;
}

const wordsOf = (purchases: readonly Transaction[]) =>
  Object.entries(countsOf(purchases))
    .map(([status, count]) => `${status} ${count}`)
    .join(', ');

type Done = { sandbox: Sandbox; state: State; buyers: Buyer[]; answered: Answered };

async function reportOf({ sandbox, state, buyers, answered }: Done): Promise<LoadReport> {
  const [purchases, settlements, events, postings] = await Promise.all([
    state.purchases(),
    state.settlements(),
    state.events(),
    state.postings(),
  ]);
  const partnerIds = [...new Set(buyers.map(({ partnerId }) => partnerId))];
  const messages = (await Promise.all(partnerIds.map(state.webhooks))).flat();
  const received = new Set(messages.flatMap(({ id, verified }) => (id && verified ? [id] : [])));
  const balances = new Map<string, bigint>();
  for (const { wallet } of buyers)
    balances.set(wallet.toLowerCase(), await balanceOf(sandbox.rpcUrl, 'USDC', wallet));
  const stays: Stay[] = [];
  for (const { id } of purchases) stays.push(...staysIn(await state.history(id)));
  return {
    findings: findingsIn({ buyers, purchases, events, postings, received, balances }),
    ends: countsOf(purchases),
    failures: failuresIn(purchases, settlements),
    paidToEnd: purchases.filter(isOver).map(paidToEndOf),
    answered,
    stays,
    restarted: purchases.reduce((sum, { executions }) => sum + executions, 0),
    webhooks: { events: events.length, received: received.size },
  };
}

function paidToEndOf({ history }: Transaction): number {
  const paidAt = history.find(({ status }) => status === 'PROCESSING')?.at ?? 0;
  return (history.at(-1)?.at ?? 0) - paidAt;
}
