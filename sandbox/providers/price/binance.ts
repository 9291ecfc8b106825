import { type Context, Hono } from 'hono';
import type { World } from '../world.ts';
import { askVenue, type Book, changedAt, type Offer } from './books.ts';

// Source: Binance, "REST API: Order book", "Symbol order book ticker" and "Error codes". Numbers are decimal
// strings. Errors are {code, msg}.
export type Ticker = { symbol: string; bidPrice: string; bidQty: string; askPrice: string; askQty: string };

const SYMBOL = /^[A-Z0-9-_.]{1,20}$/;
const SYMBOLS = /^\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,})?\]$/;
const LIMIT = /^[0-9]{1,20}$/;
const STATUSES = ['TRADING', 'HALT', 'BREAK'];
const DEFAULT_LIMIT = 100;
const MOST_OFFERS = 5000;

export function binance(world: World): Hono {
  const app = new Hono();
  app.get('/api/v3/ticker/bookTicker', async (c) => {
    c.header('x-mbx-used-weight-1m', '2');
    const found = await askVenue(world, 'BINANCE');
    return 'status' in found ? failureOf(found.status) : bookTicker(c, found.books.map(tickerOf));
  });
  app.get('/api/v3/depth', async (c) => {
    c.header('x-mbx-used-weight-1m', String(weightOf(limitOf(c))));
    const found = await askVenue(world, 'BINANCE');
    return 'status' in found ? failureOf(found.status) : depth(c, world, found.books);
  });
  return app;
}

function depth(c: Context, world: World, all: Book[]): Response {
  const [symbol = '', status] = [c.req.query('symbol'), c.req.query('symbolStatus')];
  if (symbol === '')
    return refusal(c, -1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.");
  if (!SYMBOL.test(symbol)) return illegal(c, 'symbol', SYMBOL);
  if (!LIMIT.test(c.req.query('limit') ?? '1')) return illegal(c, 'limit', LIMIT);
  if (status !== undefined && !STATUSES.includes(status)) return refusal(c, -1122, 'Invalid symbolStatus.');
  const book = all.find((each) => each.symbol === symbol);
  if (!book) return refusal(c, -1121, 'Invalid symbol.');
  if (status !== undefined && status !== book.status)
    return refusal(c, -1220, "The symbol's status does not match the requested symbolStatus.");
  const [bids, asks] = [book.bids, book.asks].map((side) => side.slice(0, limitOf(c)));
  return c.json({ lastUpdateId: changedAt(book, world), bids, asks });
}

const limitOf = (c: Context) => Math.min(MOST_OFFERS, Number(c.req.query('limit') ?? DEFAULT_LIMIT));

const weightOf = (limit: number) => (limit <= 100 ? 5 : limit <= 500 ? 25 : limit <= 1000 ? 50 : 250);

function bookTicker(c: Context, all: Ticker[]): Response {
  const [one, many] = [c.req.query('symbol'), c.req.query('symbols')];
  const find = (symbol: string) => all.find((ticker) => ticker.symbol === symbol);
  if (one !== undefined && many !== undefined)
    return refusal(c, -1128, 'Combination of optional parameters invalid.');
  if (one !== undefined) {
    if (!SYMBOL.test(one)) return illegal(c, 'symbol', SYMBOL);
    const ticker = find(one);
    return ticker ? c.json(ticker) : refusal(c, -1121, 'Invalid symbol.');
  }
  if (many === undefined) return c.json(all);
  if (!SYMBOLS.test(many)) return illegal(c, 'symbols', SYMBOLS);
  const found = (JSON.parse(many) as string[]).map(find);
  return found.includes(undefined) ? refusal(c, -1121, 'Invalid symbol.') : c.json(found);
}

const refusal = (c: Context, code: number, msg: string): Response => c.json({ code, msg }, 400);

const illegal = (c: Context, name: string, range: RegExp): Response =>
  refusal(c, -1100, `Illegal characters found in parameter '${name}'; legal range is '${range.source}'.`);

export function tickerOf({ symbol, bids, asks }: Book): Ticker {
  // An empty side is quoted as zero.
  const [bid, ask] = [bids, asks].map(([best]) => best ?? ['0.00000000', '0.00000000']) as [Offer, Offer];
  return { symbol, bidPrice: bid[0], bidQty: bid[1], askPrice: ask[0], askQty: ask[1] };
}

function failureOf(status: number): Response {
  const msg = status < 500 ? 'Too many requests.' : 'An unknown error occurred while processing the request.';
  return Response.json({ code: status < 500 ? -1003 : -1000, msg }, { status });
}
