import { type Context, Hono } from 'hono';
import { change } from './store.ts';
import type { World } from './world.ts';

// Binance, "REST API: Symbol order book ticker" and "Error codes": decimal strings, errors as {code, msg}.
type Ticker = { symbol: string; bidPrice: string; bidQty: string; askPrice: string; askQty: string };
type Prices = { tickers?: Ticker[]; outageCalls?: number; outageStatus?: 418 | 429 | 500 | 503 };

const KEY = 'price/settings';
const SYMBOL = /^[A-Z0-9-_.]{1,20}$/;
const SYMBOLS = /^\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,})?\]$/;

const steady: Ticker[] = [
  {
    symbol: 'USDTBRL',
    bidPrice: '5.43110000',
    bidQty: '184210.00000000',
    askPrice: '5.43210000',
    askQty: '203117.00000000',
  },
  {
    symbol: 'USDCBRL',
    bidPrice: '5.43090000',
    bidQty: '41733.00000000',
    askPrice: '5.43230000',
    askQty: '38820.00000000',
  },
];

export function price(world: World): Hono {
  const app = new Hono();
  app.get('/api/v3/ticker/bookTicker', async (c) => {
    c.header('x-mbx-used-weight-1m', '2');
    const outage = await takeOutage(world);
    return outage ?? bookTicker(c, await tickers(world));
  });
  return app;
}

export function priceControl(world: World): Hono {
  const app = new Hono();
  app.post('/ticker', async (c) => {
    const wanted = (await c.req.json()) as Partial<Ticker> & { symbol: string };
    const next = await change<Prices>(world.store, KEY, (now) => ({
      ...now,
      tickers: [...(now?.tickers ?? []).filter(({ symbol }) => symbol !== wanted.symbol), merge(wanted)],
    }));
    return c.json(next);
  });
  app.post('/outage', async (c) => {
    const { calls, status } = (await c.req.json()) as { calls: number; status?: 418 | 429 | 500 | 503 };
    const outage = { outageCalls: calls, outageStatus: status ?? 503 };
    return c.json(await change<Prices>(world.store, KEY, (now) => ({ ...now, ...outage })));
  });
  return app;
}

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

const merge = (wanted: Partial<Ticker> & { symbol: string }): Ticker => ({
  ...(steady.find(({ symbol }) => symbol === wanted.symbol) ?? steady[0]!),
  ...wanted,
});

async function tickers(world: World): Promise<Ticker[]> {
  const set = (await world.store.get<Prices>(KEY))?.value.tickers ?? [];
  const names = new Set(set.map(({ symbol }) => symbol));
  return [...steady.filter(({ symbol }) => !names.has(symbol)), ...set];
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
