import { hasExpired } from '../domain/kyc/kyc.ts';
import type { StalePage } from '../domain/kyc/kyc-ports.ts';
import type { Needs } from '../domain/ports.ts';
import type { IndexInUse } from '../domain/screening/screening.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { schedule } from '../entry/schedule.ts';
import { newRescreenVisit, RESCREEN_NEEDS, type RescreenVisit, rescreen } from '../logic/kyc/rescreen.ts';
import { getKycRecord } from '../logic/rows.ts';

export const needs = [...RESCREEN_NEEDS, 'kycRecords:read', 'staleRecords'] as const;
type Ports = Needs<typeof needs>;

const BATCH = 200;
/**
 * With this number at once, a run screens about five hundred clients a second. It must leave room for KYC
 * submissions, which write to the same index.
 */
const AT_ONCE = 10;
/** After this real time a run begins no further clients. The next run screens the rest. */
const BUSY_MS = 180_000;

type Result = 'kept' | 'raised' | 'held' | 'rejected' | 'retired' | 'moved' | 'failed';
type ResultCounts = Record<Result, number>;

/**
 * Runs every five minutes. It screens again the clients whose last search used an older index than the one in force.
 * Only clients with a token that may still open purchases are screened. The oldest search comes first:
 * docs/decisions.md, "Screening again".
 */
export async function rescreenClients(ports: Ports): Promise<ResultCounts> {
  const until = ports.clock.now() + BUSY_MS;
  const visit = newRescreenVisit();
  const counts: ResultCounts = { kept: 0, raised: 0, held: 0, rejected: 0, retired: 0, moved: 0, failed: 0 };
  let page: StalePage | undefined;
  let index: IndexInUse;
  do {
    // Each page asks again which index is in use. Until the first search, that is the published one. If it
    // cannot be opened, an older index is in use after the first search.
    index = await ports.sanctions.findIndex();
    page = await ports.staleRecords.listStale(index.version, BATCH, page?.next);
    for (let from = 0; from < page.tokens.length && ports.clock.now() < until; from += AT_ONCE) {
      const some = page.tokens.slice(from, from + AT_ONCE);
      for (const result of await Promise.all(some.map((token) => rescreenOrReport(token, visit, ports))))
        counts[result]++;
    }
    // The next page begins after this one, so records that fail do not block others.
  } while (page.next && ports.clock.now() < until);
  await recordCounts(index, counts, ports);
  return counts;
}

async function rescreenOrReport(token: string, visit: RescreenVisit, ports: Ports): Promise<Result> {
  try {
    return await rescreenRecord(token, visit, ports);
  } catch (error) {
    // The other records must still be screened. The token is not logged, because a log must never contain one.
    raiseOrWarn(ports.log, 'RescreeningFailed', { error });
    return 'failed';
  }
}

const RESULTS = { NONE: 'kept', RAISED: 'raised', HELD: 'held', REJECTED: 'rejected' } as const;

async function rescreenRecord(token: string, visit: RescreenVisit, ports: Ports): Promise<Result> {
  const record = await getKycRecord(ports.kycRecords, token);
  if (record.status === 'REJECTED') return 'moved';
  // A token that a correction has ended is screened until its day is over. That costs less than to read its client.
  if (hasExpired(record, {}, ports.clock.now())) {
    // An expired record need not be screened here. If a purchase with this token is paid later, its client is screened
    // before the settlement.
    await ports.staleRecords.retire(token);
    return 'retired';
  }
  const done = await rescreen(record, { decidedBy: 'RescreenClients', visit }, ports);
  return done ? RESULTS[done.change] : 'moved';
}

/**
 * Records the run as evidence. The record of an unchanged client names only the index, and this evidence says when that
 * index was searched.
 */
async function recordCounts(
  index: IndexInUse,
  counts: ResultCounts,
  { evidence, clock }: Ports,
): Promise<void> {
  const { kept, raised, held, rejected, ...others } = counts;
  if (kept + raised + held + rejected === 0) return;
  await evidence.record({
    subject: index.version,
    kind: 'lists',
    at: clock.now(),
    decidedBy: 'RescreenClients',
    inputs: { index },
    findings: { ...others },
    decision: { kept, raised, held, rejected },
  });
}

export const handler = schedule({ needs }, rescreenClients);
