import { ASSET_NAMES, type Asset } from '../../domain/assets.ts';
import { refuse, Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { DISTRUST_WORDS, type Distrust } from '../../domain/treasury/order-book.ts';
import {
  judgePrice,
  judgeReading,
  type Market,
  PRICE_RETRY_AFTER_SECONDS,
  type PriceHistory,
  priceText,
  REFERENCE_CENTAVOS,
  withAccepted,
  withAsks,
  withDistrust,
} from '../../domain/treasury/price.ts';
import { isPtaxDue, newerPtax, type Ptax } from '../../domain/treasury/ptax.ts';
import { silentVenues, venueAsks } from '../../domain/treasury/quorum.ts';

const MARKET_NEEDS = ['prices', 'priceBounds', 'clock', 'log'] as const;
export const PRICE_NEEDS = [...MARKET_NEEDS, 'priceHistories:read'] as const;
type PricePorts = Needs<typeof PRICE_NEEDS>;
type Logging = Pick<PricePorts, 'log'>;

/** Reads everything by which a price is judged. */
export async function readMarket(asset: Asset, ports: PricePorts): Promise<Market> {
  const { prices, priceHistories, priceBounds, clock } = ports;
  const [books, history] = await Promise.all([prices.findBooks(), priceHistories.findHistory(asset)]);
  return { books, history, bounds: priceBounds[asset], now: clock.now() };
}

type Priced = Pick<Transaction, 'asset' | 'amountCentavos'>;

/** The trusted price of a purchase. Without one, the purchase is refused. */
export function requirePrice(market: Market, { asset, amountCentavos }: Priced, ports: Logging): string {
  const { ask, distrust } = judgePrice(market, asset, amountCentavos);
  if (distrust === undefined) return priceText(ask);
  refusePrice({ asset, amountCentavos, distrust }, ports);
}

/**
 * Refuses a purchase because of its price. The log has the reason, but the partner does not learn it, because a thief
 * could use it.
 */
export function refusePrice(
  refused: Priced & { distrust: Distrust | 'LOCKED_TOO_LOW' },
  { log }: Logging,
): never {
  log.info('a purchase has no price', refused);
  refuse('PRICE_UNAVAILABLE', { retryAfterSeconds: PRICE_RETRY_AFTER_SECONDS });
}

export const RECORD_NEEDS = [...MARKET_NEEDS, 'priceHistories', 'ptax'] as const;
type RecordPorts = Needs<typeof RECORD_NEEDS>;

/**
 * Reads the price of each asset and accepts it, so that a recent price exists even after hours without a purchase. If a
 * price is not trusted, the accepted prices stay, and an alarm is raised. An exchange that gives no price raises an
 * alarm too, and so does a Central Bank that gives no PTAX.
 */
export async function recordPrices(ports: RecordPorts): Promise<void> {
  const { prices, priceHistories, priceBounds, clock, log } = ports;
  const histories = await Promise.all(ASSET_NAMES.map(priceHistories.findHistory));
  const [books, ptax] = await Promise.all([prices.findBooks(), findPtax(histories, ports)]);
  const now = clock.now();
  const read = histories.map((history) => {
    const bounds = priceBounds[history.asset];
    const asks = venueAsks({ books: books[history.asset], now }, bounds, REFERENCE_CENTAVOS);
    const kept = { ...history, ptax: newerPtax(history.ptax, ptax, now) };
    return { books, history: withAsks(kept, asks), bounds, now, asks };
  });
  for (const venue of silentVenues(read.flatMap(({ asks }) => asks)))
    log.raise('PriceNotRead', new Error('an exchange gives no price'), { venue });
  for (const market of read) await recordPrice(market, ports);
}

/**
 * Reads the last PTAX. Undefined if the known one was read a short time ago, or if the Central Bank does not answer.
 */
async function findPtax(
  histories: readonly PriceHistory[],
  { ptax, clock, log }: RecordPorts,
): Promise<Ptax | undefined> {
  if (!histories.some((history) => isPtaxDue(history.ptax, clock.now()))) return undefined;
  try {
    return await ptax.findLast();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.raise('PtaxNotRead', error);
    return undefined;
  }
}

async function recordPrice(market: Market, { priceHistories, log }: RecordPorts): Promise<void> {
  const { history, now } = market;
  const { asset } = history;
  const { ask, distrust } = judgeReading(market, asset);
  if (distrust === undefined) {
    if (history.distrust) log.info('the price is trusted again', { asset });
    await priceHistories.save(withAccepted(history, ask, now));
  } else {
    log.raise('PriceNotTrusted', new Error(DISTRUST_WORDS[distrust]), { asset, distrust });
    await priceHistories.save(withDistrust(history, distrust));
  }
}
