import { ASSETS, type Asset } from '../../../functions/domain/assets.ts';
import { unitsOf } from '../../../functions/domain/money.ts';
import type { LockedQuote } from '../../../functions/domain/purchase/locked-quote.ts';
import type { PromiseLimits } from '../../../functions/domain/purchase/open-promise.ts';
import type { Transaction } from '../../../functions/domain/purchase/transaction.ts';
import { VENUES } from '../../../functions/domain/treasury/quorum.ts';
import { MINUTE_MS, SECOND_MS } from '../times.ts';
import type { Violation } from '../violation.ts';
import { COMPARED_MS, CONFIRMS_MS, isLong, liarsOf, timesIn } from './fair-price.ts';
import { averageAt, type Market } from './market.ts';
import { LATE_MS } from './sale-guard.ts';
import { PTAX } from './settings.ts';

/** A charge keeps its price for thirty minutes. The clock of its row may begin later. */
const CHARGE_MS = 30 * MINUTE_MS + LATE_MS;
/** The loss is added up at each jump of the market, and this often between jumps. */
const LOOK_MS = 30 * SECOND_MS;

/**
 * The settings `moveBasisPoints` and `ptaxBasisPoints`, as parts of `WHOLE`. The guard has its own, because it judges
 * how the service uses them.
 */
const WHOLE = 10_000n;
const MOVE = 500n;
const FROM_PTAX = 1_000n;
/** The market moves a little between two samples, in basis points. */
const TOLERANCE = 3n;
/** Prices and moves are integers with eight decimals. A move of `ONE` is none. */
const DECIMALS = 8;
const ONE = 10n ** BigInt(DECIMALS);

const LARGEST_LOSS = 'largest loss, basis points of its bound';

type Priced = { asset: Asset; amountCentavos: number };
type Open = Priced & {
  units: bigint;
  owners: readonly string[];
  until: number;
  isCharged: boolean;
  /**
   * The factor, scaled by `ONE`, by which the price may have risen at this time without a loss above the bound. For a
   * charge it is the highest price so far divided by the lowest price that the charge allows.
   */
  moveAt: (at: number) => bigint;
};
type Cost = Pick<Open, 'owners'> & { loss: bigint; move: bigint };
type World = {
  now: () => number;
  market: Pick<Market, 'levelOf' | 'lieOf' | 'jumpTimes'>;
  limits: PromiseLimits;
  report: (violation: Violation) => void;
};

/**
 * Invariant 17: at the honest market's price, open promises cost at most the limit of their sum times the largest move.
 * It holds for each client, wallet, partner and asset: docs/security.md, "A locked price".
 */
export function openLossGuard({ now, market, limits, report }: World) {
  const open = new Map<string, Open>();
  const counts = { 'jumps with open promises': 0, [LARGEST_LOSS]: 0 };
  let lookedAt = now();

  /** The cheapest honest price for the amount, at which the treasury can buy the tokens. */
  function priceAt({ asset, amountCentavos }: Priced, at: number): bigint {
    const asks = VENUES.map((venue) => averageAt(market.levelOf(venue, asset, at), amountCentavos / 100));
    return unitsOf(Math.min(...asks).toFixed(DECIMALS), DECIMALS)!;
  }

  /** The lowest price that the settings allow for a charge at this moment. */
  function floorOf(priced: Priced, isLocked: boolean): bigint {
    const looks = [now(), now() - LATE_MS / 2, now() - LATE_MS];
    const isLied = looks.some((at) => liarsOf(market, priced.asset, at) > 1);
    if (isLied && looks.some((at) => isLong(market, priced.asset, at)))
      return (unitsOf(PTAX, DECIMALS)! * (WHOLE - FROM_PTAX)) / WHOLE;
    const from = now() - LATE_MS - (isLied ? COMPARED_MS : CONFIRMS_MS);
    const [last, ...others] = timesIn(from, now()).map((at) => priceAt(priced, at));
    const lowest = others.reduce(least, last!);
    const moves = BigInt(Number(isLocked) + Number(isLied));
    return (lowest * (WHOLE - MOVE) ** moves) / WHOLE ** moves;
  }

  /**
   * The largest move of a charge's price: from the lowest price at the charge to the highest price within its thirty
   * minutes.
   */
  function moveSinceCharge(priced: Priced, isLocked: boolean): Open['moveAt'] {
    const floor = floorOf(priced, isLocked);
    const until = now() + CHARGE_MS;
    let highest = 0n;
    return (at) => {
      const price = at <= until ? priceAt(priced, at) : 0n;
      highest = largest(highest, price);
      return (ONE * highest) / floor;
    };
  }

  function costOf(id: string, promise: Open, at: number, scope: string): Cost {
    const { units, owners, isCharged, asset, amountCentavos } = promise;
    const worth = (priceAt(promise, at) * units * 100n) / 10n ** BigInt(DECIMALS + ASSETS[asset].decimals);
    const amount = BigInt(amountCentavos);
    const cost = worth - amount;
    const move = promise.moveAt(at);
    const bound = boundOf(amountCentavos, move);
    if (isCharged) requireBound(`${id} alone costs`, { loss: cost, bound, scope });
    // A quote without a charge costs no more than its bound, because the service charges no lower price.
    const loss = isCharged ? cost : least(cost, (amount * move) / ONE - amount);
    return { owners, loss: largest(loss, 0n), move };
  }

  function requireBound(
    what: string,
    { loss, bound, scope }: { loss: bigint; bound: bigint; scope: string },
  ) {
    const says = `${what} ${loss} centavos at the market's price, and ${bound} may be`;
    if (loss > bound) report({ invariant: 17, scope, says });
  }

  /** Adds up what the promises that are open at this time cost. Returns the number of promises. */
  function look(at: number, scope: string): number {
    const alive = [...open].filter(([, { until }]) => at < until);
    const costs = alive.map(([id, promise]) => costOf(id, promise, at, scope));
    for (const owner of new Set(costs.flatMap(({ owners }) => owners))) {
      const own = costs.filter(({ owners }) => owners.includes(owner));
      const loss = own.reduce((sum, each) => sum + each.loss, 0n);
      const move = own.map((each) => each.move).reduce(largest, ONE);
      const bound = boundOf(limits[`${owner.split(' ')[0]}Brl` as keyof PromiseLimits] * 100, move);
      requireBound(`the open promises of ${owner} cost`, { loss, bound, scope });
      if (owner.startsWith('asset '))
        counts[LARGEST_LOSS] = Math.max(counts[LARGEST_LOSS]!, Number((loss * WHOLE) / bound));
    }
    return alive.length;
  }

  return {
    counts,
    /** Call this before each write, because a write changes which promises are open. */
    onTime(scope: string): void {
      const jumps = market.jumpTimes.filter((at) => at > lookedAt && at <= now());
      for (const at of jumps) if (look(at, scope) > 0) counts['jumps with open promises']!++;
      if (jumps.length === 0 && now() < lookedAt + LOOK_MS) return;
      look(now(), scope);
      lookedAt = now();
    },
    /**
     * Counts a quote as an open promise. Before its charge, the service's check of the locked price bounds its loss.
     */
    onQuote({ id, partnerId, quote, expiresAt, ...priced }: LockedQuote, scope: string): void {
      const owners = [`partner ${partnerId}`, `asset ${priced.asset}`];
      const move = (ONE * WHOLE) / (WHOLE - MOVE);
      const units = BigInt(quote.assetUnits);
      open.set(id, { ...priced, units, owners, until: expiresAt, isCharged: false, moveAt: () => move });
      look(now(), scope);
    },
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
      const priced = { asset, amountCentavos };
      const moveAt = moveSinceCharge(priced, rateLock !== undefined);
      const units = BigInt(after.quote.assetUnits);
      const until = after.pix!.expiresAt;
      open.set(id, { ...priced, units, owners, until, isCharged: true, moveAt });
      look(now(), scope);
    },
  };
}

/** The most that an amount costs after this move, in centavos. */
function boundOf(amountCentavos: number, move: bigint): bigint {
  const amount = BigInt(amountCentavos);
  return largest(1n, (amount * move * (WHOLE + TOLERANCE)) / (ONE * WHOLE) - amount + 1n);
}

const largest = (one: bigint, other: bigint) => (one > other ? one : other);
const least = (one: bigint, other: bigint) => (one < other ? one : other);
