import { hasExpired } from '../domain/kyc/kyc.ts';
import type { StalePage } from '../domain/kyc/kyc-ports.ts';
import type { Needs } from '../domain/ports.ts';
import type { IndexInUse } from '../domain/screening/screening.ts';
import { schedule } from '../entry/schedule.ts';
import { newVisit, RESCREEN_NEEDS, rescreen, type Visit } from '../logic/kyc/rescreen.ts';
import { getKycRecord } from '../logic/rows.ts';

export const needs = [...RESCREEN_NEEDS, 'kycRecords:read', 'staleRecords'] as const;
type Ports = Needs<typeof needs>;

const BATCH = 200;
/** About five hundred a second: more than that one key of an index does not take, and submissions need it, too. */
const AT_ONCE = 10;
/** Real time, well below the function's: what is left is stale in the next run, too. */
const BUSY_MS = 180_000;

type Result = 'kept' | 'raised' | 'held' | 'rejected' | 'retired' | 'moved' | 'failed';
type Counts = Record<Result, number>;

/**
 * Every five minutes: whoever has a token that carries purchases, and was searched for in an older index than the one in
 * force, is searched for again, those of the oldest index first. docs/decisions.md, "Screening again".
 */
export async function rescreenClients(ports: Ports): Promise<Counts> {
  const until = ports.clock.now() + BUSY_MS;
  const visit = newVisit();
  const counts: Counts = { kept: 0, raised: 0, held: 0, rejected: 0, retired: 0, moved: 0, failed: 0 };
  let page: StalePage | undefined;
  let index: IndexInUse;
  do {
    // Asked again: where the newest index cannot be opened, an older one is in force after the first search.
    index = await ports.sanctions.findIndex();
    page = await ports.staleRecords.listStale(index.version, BATCH, page?.next);
    for (let from = 0; from < page.tokens.length && ports.clock.now() < until; from += AT_ONCE) {
      const some = page.tokens.slice(from, from + AT_ONCE);
      for (const result of await Promise.all(some.map((token) => look(token, visit, ports))))
        counts[result]++;
    }
    // By its place in the index, so that records which fail keep none behind them waiting.
  } while (page.next && ports.clock.now() < until);
  await record(index, counts, ports);
  return counts;
}

async function look(token: string, visit: Visit, ports: Ports): Promise<Result> {
  try {
    return await rescreenRecord(token, visit, ports);
  } catch (error) {
    // One record that cannot be searched for must not keep the others old. Its token is none of the log's business.
    ports.log.error('screening again failed', error);
    return 'failed';
  }
}

const RESULTS = { NONE: 'kept', RAISED: 'raised', HELD: 'held', REJECTED: 'rejected' } as const;

async function rescreenRecord(token: string, visit: Visit, ports: Ports): Promise<Result> {
  const record = await getKycRecord(ports.kycRecords, token);
  if (record.status === 'REJECTED') return 'moved';
  if (hasExpired(record, ports.clock.now())) {
    // What was begun with it and is paid later is searched for before its settlement.
    await ports.staleRecords.retire(token);
    return 'retired';
  }
  const done = await rescreen(record, { decidedBy: 'RescreenClients', visit }, ports);
  return done ? RESULTS[done.change] : 'moved';
}

/** That it was done, for whom nothing has changed too: their records name the index, and this says when. */
async function record(index: IndexInUse, counts: Counts, { evidence, clock }: Ports): Promise<void> {
  const { kept, raised, held, rejected, ...others } = counts;
  if (kept + raised + held + rejected === 0) return;
  await evidence.record({
    ...{ subject: index.version, kind: 'lists', at: clock.now(), decidedBy: 'RescreenClients' },
    inputs: { index },
    findings: { ...others },
    decision: { kept, raised, held, rejected },
  });
}

export const handler = schedule({ needs }, rescreenClients);
