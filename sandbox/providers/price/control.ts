import { type Context, Hono } from 'hono';
import { VENUES } from '../../../functions/domain/treasury/quorum.ts';
import type { World } from '../world.ts';
import { type Ticker, tickerOf } from './binance.ts';
import { type Book, changeBook, setOutage } from './books.ts';

export function priceControl(world: World): Hono {
  const app = new Hono();
  /**
   * Changes an order book. Fields that the body lacks keep their values. With `?venue=` the book changes at
   * that exchange, and otherwise at all exchanges.
   */
  app.put('/books/:symbol', async (c) => {
    const wanted = (await c.req.json()) as Partial<Omit<Book, 'symbol'>>;
    const next = await changeBook(world, c.req.param('symbol'), venueOf(c), (book) => ({
      ...book,
      ...wanted,
    }));
    return c.json(next);
  });
  /**
   * Sets the only offer on each side of an order book. Fields that the body lacks keep the values of the
   * book's best offers.
   */
  app.post('/ticker', async (c) => {
    const { symbol, ...wanted } = (await c.req.json()) as Partial<Ticker> & { symbol: string };
    const next = await changeBook(world, symbol, venueOf(c), (book) => {
      const { bidPrice, bidQty, askPrice, askQty } = { ...tickerOf(book), ...wanted };
      return { ...book, bids: [[bidPrice, bidQty]], asks: [[askPrice, askQty]] };
    });
    return c.json(next);
  });
  /**
   * Makes the next `calls` calls fail with `status`, by default 503: at the exchange in `?venue=`, or at each
   * exchange.
   */
  app.post('/outage', async (c) => {
    const { calls, status = 503 } = (await c.req.json()) as { calls: number; status?: number };
    const venue = venueOf(c);
    return c.json(await setOutage(world, venue ? [venue] : VENUES, { calls, status }));
  });
  return app;
}

const venueOf = (c: Context) => VENUES.find((each) => each === c.req.query('venue'));
