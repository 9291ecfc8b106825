import { type Asset, loadPerAsset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Clock, Log } from '../../domain/ports.ts';
import type { PriceFeed } from '../../domain/treasury/price-ports.ts';
import { VENUES, type Venue, type VenueBooks } from '../../domain/treasury/quorum.ts';
import { jsonClient, type Send } from '../http.ts';
import { binance } from './binance.ts';
import { type Exchange, progressCheck, requireUncached, untrusted } from './book.ts';
import { foxbit } from './foxbit.ts';
import { mercadoBitcoin } from './mercado-bitcoin.ts';

const EXCHANGES: Record<Venue, Exchange> = {
  BINANCE: binance,
  MERCADO_BITCOIN: mercadoBitcoin,
  FOXBIT: foxbit,
};

/**
 * The part of the usual time-out that an exchange gets. The client waits for the charge, and the prices of
 * the other exchanges suffice. A slow sandbox has longer time-outs, and this one grows with them.
 */
const SHARE = 5 / 8;

/**
 * The base URLs of the exchanges, without a path. `common` may hold their common beginning, because Lambda allows 4 KB
 * of variables.
 */
export type PriceUrls = Record<Venue, string> & { common?: string };
type Deps = { clock: Pick<Clock, 'now'>; log: Pick<Log, 'warn'>; timeoutMs: number };

/**
 * Asks all exchanges in parallel. An exchange is left out if it does not answer, blocks our region, or has
 * halted the market.
 */
export function exchanges(urls: PriceUrls, { clock, log, timeoutMs }: Deps): PriceFeed {
  const send = jsonClient({ provider: 'the exchange', timeoutMs: timeoutMs * SHARE });
  const requireProgress = progressCheck();
  const bookOf = async (venue: Venue, asset: Asset) => {
    const { pathOf, read, changeOf } = EXCHANGES[venue];
    const body = await readBook(send, `${urls.common ?? ''}${urls[venue]}${pathOf(asset)}`);
    const now = clock.now();
    const book = read(body, now);
    if (changeOf) requireProgress(`${venue} ${asset}`, changeOf(body), now);
    return book;
  };
  const booksOf = async (asset: Asset): Promise<VenueBooks> => {
    const books = VENUES.map(async (venue) => {
      try {
        return { [venue]: await bookOf(venue, asset) };
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        log.warn('an exchange gives no book', error, { venue, asset });
        return {};
      }
    });
    return Object.assign({}, ...(await Promise.all(books))) as VenueBooks;
  };
  return { findBooks: () => loadPerAsset(booksOf) };
}

async function readBook(send: Send, url: string): Promise<unknown> {
  const { status, headers, body } = await send({ method: 'GET', url });
  if (status !== 200) throw untrusted(`HTTP ${status}`);
  requireUncached(headers.age);
  return body;
}
