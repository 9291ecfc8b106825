import { type Context, Hono } from 'hono';
import { ASSET_NAMES, ASSETS } from '../../../functions/domain/assets.ts';
import type { World } from '../world.ts';
import { askVenue, type Book, changedAt } from './books.ts';

const MOST_AT_FOXBIT = 300;
const MOST_AT_MERCADO_BITCOIN = 1000;

/**
 * Source: Mercado Bitcoin, API v4, "Get orderbook". The time is in nanoseconds. Errors are {code, message}.
 */
export function mercadoBitcoin(world: World): Hono {
  const app = new Hono();
  app.get('/api/v4/:symbol/orderbook', async (c) => {
    const found = await askVenue(world, 'MERCADO_BITCOIN');
    if ('status' in found)
      return c.json({ code: 'API|UNAVAILABLE', message: 'Try again later' }, found.status as 503);
    const [asset, currency] = c.req.param('symbol').split('-');
    const book = currency === 'BRL' ? bookOf(found.books, asset) : undefined;
    if (!book) return c.json({ code: 'PUBLIC_DATA|SYMBOL_NOT_FOUND', message: 'Symbol not found' }, 404);
    const sides = sidesOf(book, countOf(c, 'limit', MOST_AT_MERCADO_BITCOIN));
    return c.json({ ...sides, timestamp: changedAt(book, world) * 1e6 });
  });
  return app;
}

/**
 * Source: Foxbit, REST API v3, "Get order book". The time is in milliseconds. Errors are {error: {message,
 * code}}.
 */
export function foxbit(world: World): Hono {
  const app = new Hono();
  app.get('/rest/v3/markets/:symbol/orderbook', async (c) => {
    const found = await askVenue(world, 'FOXBIT');
    if ('status' in found)
      return c.json({ error: { message: 'Try again later', code: 4001, details: [] } }, found.status as 503);
    const [, asset] = /^([a-z]+)brl$/.exec(c.req.param('symbol')) ?? [];
    const book = bookOf(found.books, asset?.toUpperCase());
    if (!book) return c.json({ error: { message: 'Market not found', code: 2001, details: [] } }, 404);
    const sides = sidesOf(book, countOf(c, 'depth', MOST_AT_FOXBIT));
    return c.json({ sequence_id: 1_027_024, timestamp: changedAt(book, world), ...sides });
  });
  return app;
}

function bookOf(books: readonly Book[], asset: string | undefined): Book | undefined {
  const name = ASSET_NAMES.find((each) => each === asset);
  if (!name) return undefined;
  const book = books.find(({ symbol }) => symbol === ASSETS[name].market);
  return book?.status === 'TRADING' ? book : undefined;
}

const countOf = (c: Context, name: string, most: number) => Math.min(Number(c.req.query(name) ?? most), most);

const sidesOf = ({ asks, bids }: Book, count: number) => ({
  asks: asks.slice(0, count),
  bids: bids.slice(0, count),
});
