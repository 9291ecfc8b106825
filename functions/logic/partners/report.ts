import { type PartnerReport, partnerReportOf, type Reported } from '../../domain/books/partner-report.ts';
import { refuseField } from '../../domain/errors.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { dayInBrasilia, type Period, periodInBrasilia } from '../../domain/time.ts';

export const REPORT_NEEDS = ['purchaseLists', 'partnerLedger', 'clock'] as const;
type Ports = Needs<typeof REPORT_NEEDS>;

/**
 * The most purchases in a report. Reading 10,000 purchases takes some seconds, and the answer of a Lambda
 * function may have at most 6 MB.
 */
export const MOST_PURCHASES = 10_000;
const MOST_POSTINGS = 4 * MOST_PURCHASES;
const MOST_BYTES = 5_500_000;
/**
 * The number of purchases in one page. DynamoDB reads at most 100 rows in one call. A page and the row after
 * it take five calls at once. A larger page would slow down purchases.
 */
const PURCHASES_AT_ONCE = 499;

/** Makes the report of a month or a day. Refuses a report that is too large for one answer. */
export async function partnerReport(
  { id: partnerId, createdAt }: Pick<Partner, 'id' | 'createdAt'>,
  name: string,
  ports: Ports,
): Promise<PartnerReport> {
  const now = ports.clock.now();
  const period = { ...requireReportPeriod(name, { createdAt, now }), name };
  const [postings, opened] = await Promise.all([
    ports.partnerLedger.listPostings(partnerId, period, MOST_POSTINGS),
    listOpened(partnerId, period, ports),
  ]);
  if (postings.length > MOST_POSTINGS) refuseLarge();
  const known = new Set(opened.map(({ id }) => id));
  const others = new Set(postings.flatMap(({ transactionId: id }) => (id && !known.has(id) ? [id] : [])));
  if (opened.length + others.size > MOST_PURCHASES) refuseLarge();
  const earlier = await ports.purchaseLists.findPurchases(partnerId, [...others]);
  return requireFitting({ period, now, purchases: [...opened, ...earlier], postings });
}

const refuseLarge = (): never =>
  refuseField('period', `has more than ${MOST_PURCHASES} purchases: ask for each day, or list its purchases`);

function requireReportPeriod(name: string, { createdAt, now }: { createdAt: number; now: number }): Period {
  const period = periodInBrasilia(name);
  if (!period) refuseField('period', 'must be a month, such as 2026-11, or a day, such as 2026-11-20');
  if (period.from > now) refuseField('period', `must have begun: today is ${dayInBrasilia(now)} in Brasília`);
  if (period.to <= createdAt)
    refuseField('period', `must not end before your account began, on ${dayInBrasilia(createdAt)}`);
  return period;
}

async function listOpened(partnerId: string, period: Period, ports: Ports): Promise<Transaction[]> {
  const wanted = { partnerId, ...period };
  const all: Transaction[] = [];
  for (let after: string | undefined; ; ) {
    const page = { limit: PURCHASES_AT_ONCE, after };
    const { purchases, next } = await ports.purchaseLists.listPurchases(wanted, page);
    for (const purchase of purchases) all.push(purchase);
    if (next === undefined || all.length > MOST_PURCHASES) return all;
    after = next;
  }
}

/**
 * Refuses a report that is too large for one answer. The report's JSON becomes a string inside other JSON, so
 * every quote in it is escaped again. A partner's own references may consist of quotes. They make the report
 * several times as long.
 */
function requireFitting(reported: Reported): PartnerReport {
  const report = partnerReportOf(reported);
  const { length } = Buffer.from(JSON.stringify(JSON.stringify(report)));
  return length > MOST_BYTES ? refuseLarge() : report;
}
