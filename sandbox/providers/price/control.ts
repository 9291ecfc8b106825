import { type Context, Hono } from 'hono';
import { VENUES } from '../../../functions/domain/treasury/quorum.ts';
import type { World } from '../world.ts';
import { type Ticker, tickerOf } from './binance.ts';
import { type Book, changeBook, setOutage } from './books.ts';

export function priceControl(world: World): Hono {
  const app = new Hono();
  /**
   * Changes a book. Fields that the body leaves out keep their value. Without `?venue=` the book changes at all
   * exchanges.
   */
  app.put('/books/:symbol', async (c) => {
    const wanted = (await c.req.json()) as Partial<Omit<Book, 'symbol'>>;
    const next = await changeBook(world, c.req.param('symbol'), venueOf(c), (book) => ({
      ...book,
      ...wanted,
    }));
    return c.json(next);
  });
  /** Sets one offer on each side of a book. Fields that the body leaves out keep their value. */
  app.post('/ticker', async (c) => {
    const { symbol, ...wanted } = (await c.req.json()) as Partial<Ticker> & { symbol: string };
    const next = await changeBook(world, symbol, venueOf(c), (book) => {
      const { bidPrice, bidQty, askPrice, askQty } = { ...tickerOf(book), ...wanted };
      return { ...book, bids: [[bidPrice, bidQty]], asks: [[askPrice, askQty]] };
    });
    return c.json(next);
  });
  /** Makes the next calls of all exchanges fail, or with `?venue=` those of one exchange. */
  app.post('/outage', async (c) => {
    const { calls, status = 503 } = (await c.req.json()) as { calls: number; status?: number };
    const venue = venueOf(c);
    return c.json(await setOutage(world, venue ? [venue] : VENUES, { calls, status }));
  });
  return app;
}

const venueOf = (c: Context) => VENUES.find((each) => each === c.req.query('venue'));
