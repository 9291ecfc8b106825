/** The report of a month or a day for a partner: docs/decisions.md, "Receipts and reports". */
import { ASSET_NAMES, type Asset, assetAmountOf } from '../assets.ts';
import type { Account, Posting, PostingKind } from '../ledger.ts';
import { decimalOf } from '../money.ts';
import type { UnpaidEnd } from '../purchase/status.ts';
import type { Transaction } from '../purchase/transaction.ts';
import { type Period, withBrasiliaOffset } from '../time.ts';

export const PERIOD_STATUSES = ['RUNNING', 'ENDED'] as const;

/** The facts from which a report is made. */
export type Reported = {
  period: Period & { name: string };
  now: number;
  /** The partner's purchases that were opened in the period, and the purchases to which `postings` belong. */
  purchases: readonly Transaction[];
  /** The partner's postings in the period. */
  postings: readonly Posting[];
};

/**
 * Makes the report. Every amount comes from the postings, except the spread, which is the fee of the
 * purchase's quote.
 */
export function partnerReportOf({ period, now, purchases, postings }: Reported) {
  const byPurchase = Map.groupBy(postings, ({ transactionId }) => transactionId);
  const lines = purchases
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .map((purchase) => ({ purchase, sums: purchaseSums(purchase, byPurchase.get(purchase.id) ?? []) }));
  const sumsIn = (asset: Asset) =>
    totalOf(lines.filter(({ purchase }) => purchase.asset === asset).map(({ sums }) => sums));
  return {
    period: period.name,
    status: PERIOD_STATUSES[now < period.to ? 0 : 1],
    from: withBrasiliaOffset(period.from),
    to: withBrasiliaOffset(period.to),
    asOf: withBrasiliaOffset(now),
    counts: purchaseCounts({ period, purchases, postings }),
    totals: brlColumns(totalOf(lines.map(({ sums }) => sums))),
    assets: ASSET_NAMES.map((asset) => ({ asset, ...reportColumns(asset, sumsIn(asset)) })),
    purchases: lines.map(({ purchase, sums }) => ({
      ...reportedNames(purchase),
      ...reportColumns(purchase.asset, sums),
    })),
  };
}

export type PartnerReport = ReturnType<typeof partnerReportOf>;

/** `units` is in base units of the asset. All other sums are in centavos. */
type PurchaseSums = {
  units: bigint;
  received: bigint;
  sold: bigint;
  spread: bigint;
  refunded: bigint;
  unmatched: bigint;
  unmatchedReturned: bigint;
};

/**
 * Sums the postings of one purchase. If the provider takes money back after the delivery, that is our own loss, so the
 * report leaves it out.
 */
function purchaseSums(purchase: Transaction, postings: readonly Posting[]): PurchaseSums {
  const debits = (account: Account) => accountSide(postings, account, 1n);
  const credits = (account: Account) => accountSide(postings, account, -1n);
  const [sold, units] = [credits('sales'), debits(`delivered:${purchase.asset}`)];
  return {
    units,
    received: credits('clients'),
    sold,
    spread: spreadOf(purchase, { sold, units }),
    refunded: debits('clients') - sold,
    unmatched: credits('unmatched'),
    unmatchedReturned: debits('unmatched'),
  };
}

/** Sums an account's debits (`sign` is 1) or its credits (`sign` is -1). */
function accountSide(postings: readonly Posting[], account: Account, sign: bigint): bigint {
  const amounts = postings
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.account === account)
    .map(({ amount }) => amount * sign);
  return sumOfAll(amounts.filter((amount) => amount > 0n));
}

/**
 * The spread of a purchase that was settled in the period. Throws if purchase and posting differ, because a report must
 * not hide that.
 */
function spreadOf(
  { id, amountCentavos, quote }: Transaction,
  settled: Pick<PurchaseSums, 'sold' | 'units'>,
): bigint {
  if (settled.sold === 0n) return 0n;
  if (settled.sold !== BigInt(amountCentavos) || settled.units !== quote.assetUnits)
    throw new Error(`the purchase ${id} and its posting in the ledger differ`);
  return BigInt(quote.feeCentavos);
}

const sumOfAll = (amounts: readonly bigint[]) => amounts.reduce((sum, each) => sum + each, 0n);

function totalOf(all: readonly PurchaseSums[]): PurchaseSums {
  const total = (name: keyof PurchaseSums) => sumOfAll(all.map((sums) => sums[name]));
  return {
    units: total('units'),
    received: total('received'),
    sold: total('sold'),
    spread: total('spread'),
    refunded: total('refunded'),
    unmatched: total('unmatched'),
    unmatchedReturned: total('unmatchedReturned'),
  };
}

function purchaseCounts({ period, purchases, postings }: Omit<Reported, 'now'>) {
  const opened = purchases.filter(({ createdAt }) => createdAt >= period.from && createdAt < period.to);
  const openedIn = (status: UnpaidEnd) => opened.filter((purchase) => purchase.status === status).length;
  const posted = (kind: PostingKind) => postings.filter((posting) => posting.kind === kind).length;
  const unpaid = {
    expired: openedIn('EXPIRED'),
    canceled: openedIn('CANCELED'),
  } satisfies Record<Lowercase<UnpaidEnd>, number>;
  return {
    opened: opened.length,
    ...unpaid,
    paid: posted('PAYMENT_RECEIVED'),
    delivered: posted('SETTLED'),
    refunded: posted('REFUNDED'),
  };
}

function reportedNames({ id, externalId, status, createdAt, asset }: Transaction) {
  return {
    transactionId: id,
    ...(externalId !== undefined && { externalId }),
    status,
    openedAt: withBrasiliaOffset(createdAt),
    asset,
  };
}

const reportColumns = (asset: Asset, sums: PurchaseSums) => ({
  assetAmount: assetAmountOf(asset, sums.units),
  ...brlColumns(sums),
});

const reportedReais = (centavos: bigint) => decimalOf(centavos, 2);

const brlColumns = ({ received, sold, spread, refunded, unmatched, unmatchedReturned }: PurchaseSums) => ({
  receivedBrl: reportedReais(received),
  soldBrl: reportedReais(sold),
  spreadBrl: reportedReais(spread),
  refundedBrl: reportedReais(refunded),
  unmatchedBrl: reportedReais(unmatched),
  unmatchedReturnedBrl: reportedReais(unmatchedReturned),
});
