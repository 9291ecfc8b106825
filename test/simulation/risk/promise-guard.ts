import type { LockedQuote } from '../../../functions/domain/purchase/locked-quote.ts';
import type { PromiseLimits } from '../../../functions/domain/purchase/open-promise.ts';
import type { Transaction } from '../../../functions/domain/purchase/transaction.ts';
import type { Row } from '../cloud/values.ts';
import type { Violation } from '../violation.ts';

type Open = { centavos: number; owners: string[]; until: number };
type World = {
  now: () => number;
  limits: PromiseLimits;
  report: (violation: Violation) => void;
};

/**
 * Invariant 13: at each quote and each charge, the open promises of each client, wallet, partner and asset are within
 * `promiseLimits`. The guard adds them up itself, from the quotes and purchases alone.
 */
export function openPromiseGuard({ now, limits, report }: World) {
  const open = new Map<string, Open>();
  const counts = { promises: 0 };

  function add(id: string, promise: Open, scope: string): void {
    counts.promises++;
    open.set(id, promise);
    for (const owner of promise.owners) {
      const used = [...open.values()]
        .filter(({ owners, until }) => owners.includes(owner) && now() < until)
        .reduce((sum, { centavos }) => sum + centavos, 0);
      const most = limits[`${owner.split(' ')[0]}Brl` as keyof PromiseLimits] * 100;
      const says = `${id}: the open promises of ${owner} are ${used} centavos, and ${most} may be`;
      if (used > most) report({ invariant: 13, scope, says });
    }
  }

  return {
    counts,
    /** A quote is a promise until its end, or until its purchase has ended or has a charge. */
    onQuote({ id, partnerId, asset, amountCentavos, expiresAt }: LockedQuote, scope: string): void {
      const owners = [`partner ${partnerId}`, `asset ${asset}`];
      add(id, { centavos: amountCentavos, owners, until: expiresAt }, scope);
    },
    /** A charge is a promise until it is paid or has ended. */
    onPurchase(before: Transaction | undefined, after: Transaction, scope: string): void {
      const { id, status, rateLock, clientId, walletAddress, partnerId, asset, amountCentavos } = after;
      if (status === before?.status) return;
      if (rateLock && before) open.delete(rateLock.quoteId);
      open.delete(id);
      if (status !== 'AWAITING_PIX') return;
      const owners = [
        `client ${clientId}`,
        `wallet ${walletAddress}`,
        `partner ${partnerId}`,
        `asset ${asset}`,
      ];
      add(id, { centavos: amountCentavos, owners, until: Number.POSITIVE_INFINITY }, scope);
    },
  };
}

/** Invariant 13, at the end: all promises are over, so each sum is back at zero, and none was given back twice. */
export function judgePromises(promises: readonly Row[]): Violation[] {
  return promises
    .filter(({ id, centavos }) => String(id).startsWith('SUM#') && Number(centavos) !== 0)
    .map(({ id, centavos }) => ({ invariant: 13, says: `${id} is ${centavos} though no promise is open` }));
}
