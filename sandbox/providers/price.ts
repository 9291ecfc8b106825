import { type Context, Hono } from 'hono';
import { ASSET_NAMES, ASSETS } from '../../functions/domain/assets.ts';
import { getFirst } from '../../functions/domain/get.ts';
import { change } from './store.ts';
import type { World } from './world.ts';

// Binance, "REST API: Order book", "Symbol order book ticker" and "Error codes". Numbers are decimal strings, and
// errors are {code, msg}.
type Offer = [price: string, quantity: string];
type Book = { symbol: string; status: string; bids: Offer[]; asks: Offer[] };
type Ticker = { symbol: string; bidPrice: string; bidQty: string; askPrice: string; askQty: string };
type Prices = { books?: Book[]; outageCalls?: number; outageStatus?: 418 | 429 | 451 | 500 | 503 };

const KEY = 'price/settings';
const SYMBOL = /^[A-Z0-9-_.]{1,20}$/;
const SYMBOLS = /^\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,})?\]$/;
const LIMIT = /^[0-9]{1,20}$/;
const STATUSES = ['TRADING', 'HALT', 'BREAK'];
const DEFAULT_LIMIT = 100;
const MOST_OFFERS = 5000;

type Sides = Pick<Book, 'bids' | 'asks'>;

const USDT_OFFERS: Sides = {
  bids: [
    ['5.43110000', '184210.00000000'],
    ['5.43000000', '90450.00000000'],
  ],
  asks: [
    ['5.43210000', '203117.00000000'],
    ['5.43300000', '120840.00000000'],
  ],
};
/** The offers of every other asset. They assume that each asset is worth a dollar. */
const OFFERS: Sides = {
  bids: [
    ['5.43090000', '41733.00000000'],
    ['5.42960000', '22005.00000000'],
  ],
  asks: [
    ['5.43230000', '38820.00000000'],
    ['5.43360000', '31270.00000000'],
  ],
};

const steady: Book[] = ASSET_NAMES.map((asset) => {
  const { bids, asks } = asset === 'USDT' ? USDT_OFFERS : OFFERS;
  return { symbol: ASSETS[asset].market, status: 'TRADING', bids, asks };
});

export function price(world: World): Hono {
  const app = new Hono();
  app.get('/api/v3/ticker/bookTicker', async (c) => {
    c.header('x-mbx-used-weight-1m', '2');
    const outage = await takeOutage(world);
    return outage ?? bookTicker(c, (await books(world)).map(tickerOf));
  });
  app.get('/api/v3/depth', async (c) => {
    c.header('x-mbx-used-weight-1m', String(weightOf(limitOf(c))));
    const outage = await takeOutage(world);
    return outage ?? depth(c, await books(world));
  });
  return app;
}

export function priceControl(world: World): Hono {
  const app = new Hono();
  /** Fields that are left out keep their value. */
  app.put('/books/:symbol', async (c) => {
    const wanted = (await c.req.json()) as Partial<Omit<Book, 'symbol'>>;
    return c.json(await changeBook(world, c.req.param('symbol'), (book) => ({ ...book, ...wanted })));
  });
  /** Sets one offer on each side. Fields that are left out keep their value. */
  app.post('/ticker', async (c) => {
    const { symbol, ...wanted } = (await c.req.json()) as Partial<Ticker> & { symbol: string };
    const next = await changeBook(world, symbol, (book) => {
      const { bidPrice, bidQty, askPrice, askQty } = { ...tickerOf(book), ...wanted };
      return { ...book, bids: [[bidPrice, bidQty]], asks: [[askPrice, askQty]] };
    });
    return c.json(next);
  });
  app.post('/outage', async (c) => {
    const { calls, status } = (await c.req.json()) as {
      calls: number;
      status?: Prices['outageStatus'];
    };
    const outage = { outageCalls: calls, outageStatus: status ?? 503 };
    return c.json(await change<Prices>(world.store, KEY, (now) => ({ ...now, ...outage })));
  });
  return app;
}

function depth(c: Context, all: Book[]): Response {
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
  return c.json({ lastUpdateId: 1_027_024, bids, asks });
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

function tickerOf({ symbol, bids, asks }: Book): Ticker {
  // An empty side is quoted as zero.
  const [bid, ask] = [bids, asks].map(([best]) => best ?? ['0.00000000', '0.00000000']) as [Offer, Offer];
  return { symbol, bidPrice: bid[0], bidQty: bid[1], askPrice: ask[0], askQty: ask[1] };
}

async function books(world: World): Promise<Book[]> {
  return withSteady((await world.store.get<Prices>(KEY))?.value.books);
}

function withSteady(set: Book[] = []): Book[] {
  const names = new Set(set.map(({ symbol }) => symbol));
  return [...steady.filter(({ symbol }) => !names.has(symbol)), ...set];
}

function changeBook(world: World, symbol: string, to: (book: Book) => Book) {
  return change<Prices>(world.store, KEY, (now) => {
    const all = withSteady(now?.books);
    const book = all.find((each) => each.symbol === symbol) ?? { ...getFirst(steady), symbol };
    return { ...now, books: [...all.filter((each) => each !== book), to(book)] };
  });
}

async function takeOutage(world: World): Promise<Response | undefined> {
  let status: number | undefined;
  await change<Prices>(world.store, KEY, (now) => {
    status = now?.outageCalls ? (now.outageStatus ?? 503) : undefined;
    return status === undefined ? undefined : { ...now, outageCalls: (now?.outageCalls ?? 0) - 1 };
  });
  if (status === undefined) return undefined;
  const msg = status < 500 ? 'Too many requests.' : 'An unknown error occurred while processing the request.';
  return Response.json({ code: status < 500 ? -1003 : -1000, msg }, { status });
}
