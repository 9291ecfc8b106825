import { hasExpired } from '../domain/kyc/kyc.ts';
import type { StalePage } from '../domain/kyc/kyc-ports.ts';
import type { Needs } from '../domain/ports.ts';
import type { IndexInUse } from '../domain/screening/screening.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { schedule } from '../entry/schedule.ts';
import { newVisit, RESCREEN_NEEDS, rescreen, type Visit } from '../logic/kyc/rescreen.ts';
import { getKycRecord } from '../logic/rows.ts';

export const needs = [...RESCREEN_NEEDS, 'kycRecords:read', 'staleRecords'] as const;
type Ports = Needs<typeof needs>;

const BATCH = 200;
/** About five hundred a second. One key of an index takes no more, and submissions need it, too. */
const AT_ONCE = 10;
/** Real time, well below the time limit of the function. The next run finds the rest. */
const BUSY_MS = 180_000;

type Result = 'kept' | 'raised' | 'held' | 'rejected' | 'retired' | 'moved' | 'failed';
type Counts = Record<Result, number>;

/**
 * Every five minutes: screens clients again whose last search was in an older index than the one in force. They are the
 * clients with a token that may open purchases. The oldest index comes first: docs/decisions.md, "Screening again".
 */
export async function rescreenClients(ports: Ports): Promise<Counts> {
  const until = ports.clock.now() + BUSY_MS;
  const visit = newVisit();
  const counts: Counts = { kept: 0, raised: 0, held: 0, rejected: 0, retired: 0, moved: 0, failed: 0 };
  let page: StalePage | undefined;
  let index: IndexInUse;
  do {
    // Read again: if the newest index cannot be opened, an older one is in force after the first search.
    index = await ports.sanctions.findIndex();
    page = await ports.staleRecords.listStale(index.version, BATCH, page?.next);
    for (let from = 0; from < page.tokens.length && ports.clock.now() < until; from += AT_ONCE) {
      const some = page.tokens.slice(from, from + AT_ONCE);
      for (const result of await Promise.all(some.map((token) => rescreenOrReport(token, visit, ports))))
        counts[result]++;
    }
    // The page goes on by its place in the index, so records that fail do not keep others waiting.
  } while (page.next && ports.clock.now() < until);
  await record(index, counts, ports);
  return counts;
}

async function rescreenOrReport(token: string, visit: Visit, ports: Ports): Promise<Result> {
  try {
    return await rescreenRecord(token, visit, ports);
  } catch (error) {
    // The other records must still be screened. A log never holds a token.
    raiseOrWarn(ports.log, 'RescreeningFailed', { error });
    return 'failed';
  }
}

const RESULTS = { NONE: 'kept', RAISED: 'raised', HELD: 'held', REJECTED: 'rejected' } as const;

async function rescreenRecord(token: string, visit: Visit, ports: Ports): Promise<Result> {
  const record = await getKycRecord(ports.kycRecords, token);
  if (record.status === 'REJECTED') return 'moved';
  if (hasExpired(record, ports.clock.now())) {
    // A purchase that was opened with it and is paid later is screened before its settlement.
    await ports.staleRecords.retire(token);
    return 'retired';
  }
  const done = await rescreen(record, { decidedBy: 'RescreenClients', visit }, ports);
  return done ? RESULTS[done.change] : 'moved';
}

/** Records the run. The records of unchanged clients name the index, and this says when they were screened. */
async function record(index: IndexInUse, counts: Counts, { evidence, clock }: Ports): Promise<void> {
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
