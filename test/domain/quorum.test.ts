import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrderBook } from '../../functions/domain/treasury/order-book.ts';
import { quorumAsk, VENUES, type VenueAsk, type VenueBooks } from '../../functions/domain/treasury/quorum.ts';
import { MINUTE_MS, NOW } from '../support/builders.ts';
import { aBook, PRICE_BOUNDS, priceOf } from '../support/stub-market.ts';

const BOUNDS = PRICE_BOUNDS.USDT;
const AMOUNT = 1_000_00;

/** The books of the exchanges in the order of `VENUES`. */
function booksOf(...books: (OrderBook | undefined)[]): VenueBooks {
  return Object.fromEntries(VENUES.map((venue, at) => [venue, books[at]]).filter(([, book]) => book));
}

const judge = (books: VenueBooks, saved: readonly VenueAsk[] = []) =>
  quorumAsk({ books, saved, now: NOW }, BOUNDS, AMOUNT);
const askOf = (...prices: string[]) => judge(booksOf(...prices.map((price) => aBook(price))));

describe('three exchanges', () => {
  it.each([
    [['5.40', '5.43', '5.45'], '5.43'],
    [['5.45', '5.43', '5.40'], '5.43'],
    [['5.43', '5.43', '5.43'], '5.43'],
  ])('that agree as %j give the middle price', (prices, ask) => {
    expect(askOf(...prices)).toEqual({ ask: priceOf(ask) });
  });

  it.each(['0.01', '2.60', '5.20', '5.70', '100'])(
    'of which one asks %s give a price of the others',
    (false_) => {
      for (const prices of [
        [false_, '5.43', '5.44'],
        ['5.43', false_, '5.44'],
        ['5.43', '5.44', false_],
      ])
        expect(askOf(...prices)).toEqual({ ask: priceOf('5.44') });
    },
  );

  it('that all differ give none', () => {
    expect(askOf('5.00', '5.43', '6.00')).toEqual({ distrust: 'VENUES_DIFFER' });
  });

  it('never sell below the lower of two honest prices, whatever the third one asks', () => {
    const price = fc.bigInt(priceOf('5.40'), priceOf('5.46'));
    const anything = fc.bigInt(1n, priceOf('1000'));
    fc.assert(
      fc.property(price, price, anything, fc.integer({ min: 0, max: 2 }), (one, other, lie, at) => {
        const book = (ask: bigint): OrderBook => {
          const offers = [{ price: ask, quantity: priceOf('99999999') }];
          return { asks: offers, bids: offers };
        };
        const books = [book(one), book(other)];
        books.splice(at, 0, book(lie));

        const { ask } = judge(booksOf(...books));

        const [low, high] = one < other ? [one, other] : [other, one];
        expect(ask).toBeGreaterThanOrEqual(low);
        expect(ask).toBeLessThanOrEqual(high);
      }),
    );
  });
});

describe('two exchanges', () => {
  it('that agree give the higher price', () => {
    expect(askOf('5.43', '5.40')).toEqual({ ask: priceOf('5.43') });
  });

  it('at the bound agree, and a hair beyond it do not', () => {
    expect(askOf('100.00', '101.50')).toEqual({ ask: priceOf('101.50') });
    expect(askOf('100.00', '101.50000001')).toEqual({ distrust: 'VENUES_DIFFER' });
  });

  it.each([
    ['THIN_BOOK', aBook('5.43', '1')],
    ['CROSSED_BOOK', aBook('5.43', '1000000', '5.44')],
    ['WIDE_GAP', aBook('5.43', '1000000', '5.00')],
  ])('of which one has a %s give none', (distrust, book) => {
    expect(judge(booksOf(aBook('5.43'), book))).toEqual({ distrust });
  });
});

describe('one exchange', () => {
  const alone = booksOf(aBook('5.43'));
  const saved = (venue: VenueAsk['venue'], ask: string, minutes = 1): VenueAsk => ({
    venue,
    ask: priceOf(ask),
    at: NOW - minutes * MINUTE_MS,
  });

  it('gives no price', () => {
    expect(judge(alone)).toEqual({ distrust: 'FEW_VENUES' });
    expect(judge({})).toEqual({ distrust: 'FEW_VENUES' });
  });

  it('gives one if the last reading of another confirms it, for three minutes', () => {
    expect(judge(alone, [saved('FOXBIT', '5.40', 3)])).toEqual({ ask: priceOf('5.43') });
    expect(judge(alone, [saved('FOXBIT', '5.40', 3.01)])).toEqual({ distrust: 'FEW_VENUES' });
  });

  it('is not confirmed by its own last reading, or by a distant one', () => {
    expect(judge(alone, [saved('BINANCE', '5.43')])).toEqual({ distrust: 'FEW_VENUES' });
    expect(judge(alone, [saved('FOXBIT', '2.60')])).toEqual({ distrust: 'VENUES_DIFFER' });
  });

  it('is needed: last readings alone give no price', () => {
    const readings = [saved('FOXBIT', '5.43'), saved('MERCADO_BITCOIN', '5.43')];
    expect(judge({}, readings)).toEqual({ distrust: 'FEW_VENUES' });
  });
});
