import { MARK } from '../../../functions/adapters/dynamodb/holds.ts';
import type { Client } from '../../../functions/domain/kyc/client.ts';
import type { ChargeLimits } from '../../../functions/domain/purchase/charge-limits.ts';
import type { LockedQuote } from '../../../functions/domain/purchase/locked-quote.ts';
import type { Transaction } from '../../../functions/domain/purchase/transaction.ts';
import { stubPtax } from '../../support/stub-market.ts';
import type { Bank } from '../bank.ts';
import type { MemoryDynamoDb, Written } from '../cloud/dynamodb.ts';
import type { Kernel } from '../kernel.ts';
import type { Violation } from '../violation.ts';
import { openBlockGuard } from './block-guard.ts';
import { openCoverGuard } from './cover-guard.ts';
import { openLimitGuard } from './limit-guard.ts';
import { openLossGuard } from './loss-guard.ts';
import { openMarket } from './market.ts';
import { openPromiseGuard } from './promise-guard.ts';
import { openSaleGuard } from './sale-guard.ts';
import { chargeLimitsOf, PROMISE_LIMITS, PTAX } from './settings.ts';

type World = {
  kernel: Kernel;
  seed: string;
  memory: MemoryDynamoDb;
  names: Record<string, string>;
  bank: () => Bank;
  scopeOf: (purchase: Transaction) => string;
  report: (violation: Violation) => void;
};

/** The market and the limits of a world, and the guards that judge each write by them: invariants 12 to 17. */
export function openRisk({ kernel, seed, memory, names, bank, scopeOf, report }: World) {
  const { now } = kernel;
  const chargeLimits: ChargeLimits = chargeLimitsOf(seed);
  const market = openMarket(kernel, seed);
  const rowOf = (table: string, wanted: string) => memory.rows(names[table]!).find(({ id }) => id === wanted);
  const clientOf = (id: string) => rowOf('clients', id) as unknown as Client | undefined;
  const sales = openSaleGuard({ now, market, report });
  const promises = openPromiseGuard({ now, limits: PROMISE_LIMITS, report });
  const losses = openLossGuard({ now, market, limits: PROMISE_LIMITS, report });
  const limits = openLimitGuard({ limits: chargeLimits, clientOf, report });
  const blocks = openBlockGuard({
    now,
    report,
    purchaseOf: (id) => rowOf('transactions', id) as unknown as Transaction | undefined,
  });
  const cover = openCoverGuard({ memory, names, report, balanceCentavos: () => bank().balanceCentavos() });

  function onPurchase(before: Transaction | undefined, after: Transaction): void {
    // The row of the sweep's progress is no purchase.
    if (after.id === MARK) return;
    const scope = scopeOf(after);
    sales.onPurchase(before, after, scope);
    promises.onPurchase(before, after, scope);
    losses.onPurchase(before, after, scope);
    blocks.onPurchase(before, after, scope);
    if (before?.status === 'AWAITING_MFA' && after.status === 'AWAITING_PIX') limits.onCharge(after, scope);
  }

  function onQuote(quote: LockedQuote): void {
    const scope = kernel.scope();
    sales.onQuote(quote, scope);
    promises.onQuote(quote, scope);
    losses.onQuote(quote, scope);
  }

  return {
    settings: { prices: market.feed, ptax: stubPtax(now, PTAX), chargeLimits, promiseLimits: PROMISE_LIMITS },
    onTold: sales.onTold,
    onRefusal: blocks.onRefusal,
    onNonce: blocks.onNonce,
    cover,
    counts: () => ({
      ...market.counts,
      ...sales.counts,
      ...promises.counts,
      ...losses.counts,
      ...limits.counts,
      ...blocks.counts,
      ...cover.counts,
    }),
    onPurchase,
    onEnd: () => losses.onTime('end'),
    onWrite({ table, id, before, after }: Written): void {
      losses.onTime(kernel.scope());
      if (!after) return;
      if (table === names.promises && id.startsWith('quote_') && !before) onQuote(after as never);
      if (table === names.usages) limits.onUsage(after, kernel.scope());
      if (table === names.personBlocks && after.state === 'ACTIVE') blocks.onBlock(id, 'persons blocked');
      if (table === names.clients && after.blockedFor) blocks.onBlock(id, 'clients blocked');
      const isReserved = table === names.reservations && after.heldKey && !before?.heldKey;
      if (isReserved) cover.onReserved(after, kernel.scope());
    },
  };
}
