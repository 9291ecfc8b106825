import { ASSET_NAMES, type Asset } from '../../domain/assets.ts';
import { refuse, Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import {
  DISTRUST_WORDS,
  judgePrice,
  judgeReading,
  type Market,
  type OrderBooks,
  PRICE_RETRY_AFTER_SECONDS,
  priceText,
  type ReadMarket,
  withAccepted,
  withDistrust,
} from '../../domain/treasury/price.ts';

const MARKET_NEEDS = ['prices', 'priceBounds', 'clock', 'log'] as const;
export const PRICE_NEEDS = [...MARKET_NEEDS, 'priceHistories:read'] as const;
type PricePorts = Needs<typeof PRICE_NEEDS>;

/** Reads everything that a price is judged by. */
export async function readMarket(asset: Asset, ports: PricePorts): Promise<Market> {
  const { prices, priceHistories, priceBounds, clock } = ports;
  const [books, history] = await Promise.all([booksOf(prices), priceHistories.findHistory(asset)]);
  return { books, history, bounds: priceBounds[asset], now: clock.now() };
}

/** The schedule raises the condition of an exchange that does not answer, with its cause. */
async function booksOf(prices: PricePorts['prices']): Promise<OrderBooks | undefined> {
  return prices.findBooks().catch((error: unknown) => {
    if (error instanceof Unavailable) return undefined;
    throw error;
  });
}

/**
 * Only this function refuses a purchase without a price. The reason is logged for operators, and the partner does not
 * get it, because a thief would learn from it.
 */
export function requirePrice(
  market: Market,
  { asset, amountCentavos }: Pick<Transaction, 'asset' | 'amountCentavos'>,
  { log }: Pick<PricePorts, 'log'>,
): string {
  const { ask, distrust } = judgePrice(market, asset, amountCentavos);
  if (distrust === undefined) return priceText(ask);
  log.info('a purchase has no price', { asset, amountCentavos, distrust });
  refuse('PRICE_UNAVAILABLE', { retryAfterSeconds: PRICE_RETRY_AFTER_SECONDS });
}

export const RECORD_NEEDS = [...MARKET_NEEDS, 'priceHistories'] as const;
type RecordPorts = Needs<typeof RECORD_NEEDS>;

/**
 * Accepts the price of each asset, so that there is a recent one even after hours without a purchase. If a price is
 * not trusted, or the exchange does not answer, the accepted prices stay. Each such reading raises its condition.
 */
export async function recordPrices(ports: RecordPorts): Promise<void> {
  const { prices, priceHistories, priceBounds, clock, log } = ports;
  try {
    const [books, ...histories] = await Promise.all([
      prices.findBooks(),
      ...ASSET_NAMES.map(priceHistories.findHistory),
    ]);
    for (const history of histories) {
      const bounds = priceBounds[history.asset];
      await recordPrice({ books, history, bounds, now: clock.now() }, ports);
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.raise('PriceNotRead', error);
  }
}

async function recordPrice(market: ReadMarket, { priceHistories, log }: RecordPorts): Promise<void> {
  const { history, now } = market;
  const { ask, distrust } = judgeReading(market, history.asset);
  if (distrust === undefined) {
    if (history.distrust) log.info('the price is trusted again', { asset: history.asset });
    await priceHistories.save(withAccepted(history, ask, now));
  } else {
    log.raise('PriceNotTrusted', new Error(DISTRUST_WORDS[distrust]), { asset: history.asset, distrust });
    if (!history.distrust) await priceHistories.save(withDistrust(history, distrust));
  }
}
