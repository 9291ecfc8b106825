import { afterEach, describe, expect, test } from 'vitest';
import { exchanges } from '../../functions/adapters/price/exchanges.ts';
import { ASSET_NAMES, ASSETS, type Asset } from '../../functions/domain/assets.ts';
import { VENUES, type Venue } from '../../functions/domain/treasury/quorum.ts';
import { MINUTE_MS, NOW } from '../support/builders.ts';
import { bookAnswer, noMarket, startExchanges, urlsBelow } from '../support/false-exchanges.ts';
import { stubLog } from '../support/stub-log.ts';
import { priceOf } from '../support/stub-market.ts';
import type { Stub, StubAnswer } from '../support/stub-server.ts';

const BOOK = {
  lastUpdateId: 1_027_024,
  bids: [
    ['5.38900000', '812.0'],
    ['5.38800000', '4000'],
  ],
  asks: [
    ['5.39100000', '96.0'],
    ['5.39200000', '12000.50000000'],
  ],
};

let stub: Stub;
afterEach(() => stub.close());

async function feed(answer: (venue: Venue, asset: Asset) => StubAnswer) {
  stub = await startExchanges(answer);
  const log = stubLog();
  const prices = exchanges(urlsBelow(stub.url), { clock: { now: () => NOW }, log, timeoutMs: 1_000 });
  return { prices, log };
}

const answerOf = (venue: Venue, book: object = BOOK, at = NOW) => bookAnswer(venue, book, at);

describe('the order books', () => {
  test('are requested of each asset at each exchange', async () => {
    const { prices } = await feed((venue) => answerOf(venue));

    await prices.findBooks();

    const asked = stub.requests.map(({ path, query }) => `${path}?${query}`);
    expect(asked.sort()).toEqual(
      ASSET_NAMES.flatMap((asset) => [
        `/BINANCE/api/v3/depth?symbol=${ASSETS[asset].market}&limit=100&symbolStatus=TRADING`,
        `/FOXBIT/rest/v3/markets/${asset.toLowerCase()}brl/orderbook?depth=100`,
        `/MERCADO_BITCOIN/api/v4/${asset}-BRL/orderbook?limit=100`,
      ]).sort(),
    );
  });

  test('are given as each exchange wrote them, best first', async () => {
    const { prices } = await feed((venue, asset) =>
      answerOf(venue, asset === 'USDT' ? BOOK : { ...BOOK, bids: [], asks: [] }),
    );

    const { USDT, USDC } = await prices.findBooks();

    for (const venue of VENUES) {
      expect(USDT[venue]?.asks).toEqual([
        { price: priceOf('5.391'), quantity: priceOf('96') },
        { price: priceOf('5.392'), quantity: priceOf('12000.5') },
      ]);
      expect(USDT[venue]?.bids.map(({ price }) => price)).toEqual([priceOf('5.389'), priceOf('5.388')]);
      expect(USDC[venue]).toEqual({ bids: [], asks: [] });
    }
  });

  const withAsks = (...asks: unknown[]) => ({ ...BOOK, asks });
  const TICKER = { bids: undefined, asks: undefined, bidPrice: '5.389', askPrice: '5.391' };
  const DAY_MS = 24 * 60 * MINUTE_MS;

  type BadAnswer = [name: string, answer: (venue: Venue) => StubAnswer];
  /** Bad books, which each exchange answers in its own form. */
  const BAD_BOOKS: [string, object][] = [
    ['a ticker', TICKER],
    ['no asks', { ...BOOK, asks: undefined }],
    ['asks that are no list', { ...BOOK, asks: { 0: ['5.391', '96'] } }],
    ['an offer that is no list', withAsks('5.391')],
    ['an offer that is nothing', withAsks(null)],
    ['a price of zero', withAsks(['0.00000000', '96'])],
    ['a quantity of zero', withAsks(['5.391', '0.00000000'])],
    ['no quantity', withAsks(['5.391'])],
    ['a negative price', withAsks(['-5.39', '96'])],
    ['a negative quantity', withAsks(['5.391', '-96'])],
    ['a price that is a number', withAsks([5.391, '96'])],
    ['a quantity that is a number', withAsks(['5.391', 96])],
    ['a price that is no number', withAsks(['NaN', '96'])],
    ['an endless price', withAsks(['Infinity', '96'])],
    ['an empty price', withAsks(['', '96'])],
    ['more than eight decimals', withAsks(['5.391000001', '96'])],
    ['a price of thirty digits', withAsks([`${'9'.repeat(30)}.1`, '96'])],
    ['a quantity of thirty digits', withAsks(['5.391', '9'.repeat(30)])],
    ['thirty decimals', withAsks([`5.${'391'.repeat(10)}`, '96'])],
    ['an exponent', withAsks(['5e0', '96'])],
    ['a comma', withAsks(['5,391', '96'])],
    ['asks that fall', withAsks(['5.392', '96'], ['5.391', '96'])],
    ['the same price twice', withAsks(['5.391', '96'], ['5.391', '96'])],
    ['bids that rise', { ...BOOK, bids: BOOK.bids.toReversed() }],
  ];
  const ofBooks = BAD_BOOKS.map(([name, book]): BadAnswer => [name, (venue) => answerOf(venue, book)]);
  const BAD_ANSWERS: BadAnswer[] = [
    ...ofBooks,
    ['another list', () => ({ body: [BOOK] })],
    ['nothing of a book', () => ({ raw: 'null' })],
    ['its error for an unknown market', noMarket],
    ['a ban', () => ({ status: 418 })],
    ['a forbidden place', () => ({ status: 451 })],
    ['too many requests', () => ({ status: 429 })],
    ['an outage', () => ({ status: 503 })],
    ['a redirect', () => ({ status: 302, headers: { location: '/elsewhere' } })],
    ['silence', () => ({ fault: 'hang' })],
    ['half an answer', () => ({ raw: '{"lastUpdateId":' })],
    ['an empty answer', () => ({})],
  ];

  const EACH = VENUES.flatMap((venue) => BAD_ANSWERS.map(([name, answer]) => [venue, name, answer] as const));

  test.each(EACH)('lack %s if it answers %s', async (which, _, bad) => {
    const { prices, log } = await feed((venue) => (venue === which ? bad(venue) : answerOf(venue)));

    const { USDT, USDC } = await prices.findBooks();

    for (const books of [USDT, USDC])
      expect(Object.keys(books)).toEqual(VENUES.filter((venue) => venue !== which));
    expect(log.raised).toEqual([]);
  });

  test('lack Binance if its market is halted', async () => {
    const halted = { status: 400, body: { code: -1220, msg: 'The symbol’s status …' } };
    const { prices } = await feed((venue) => (venue === 'BINANCE' ? halted : answerOf(venue)));

    expect(Object.keys((await prices.findBooks()).USDT)).toEqual(['MERCADO_BITCOIN', 'FOXBIT']);
  });

  // Threat: "an exchange or a cache shows an old book"
  // The answers of Binance have no time. The first book that an instance reads may be one of yesterday, which is
  // outvoted: test/functions/bad-prices.test.ts.
  test('lack Binance if the number of its book has not risen for five minutes, until it rises', async () => {
    let [now, lastUpdateId] = [NOW, BOOK.lastUpdateId];
    stub = await startExchanges((venue) => answerOf(venue, { ...BOOK, lastUpdateId }, now));
    const clock = { now: () => now };
    const prices = exchanges(urlsBelow(stub.url), { clock, log: stubLog(), timeoutMs: 1_000 });
    const hasBinance = async () => (await prices.findBooks()).USDT.BINANCE !== undefined;

    expect(await hasBinance()).toBe(true);
    now += 5 * MINUTE_MS;
    expect(await hasBinance()).toBe(true);
    now += 1;
    expect(await hasBinance()).toBe(false);
    lastUpdateId -= 1;
    expect(await hasBinance()).toBe(false);
    lastUpdateId += 2;
    expect(await hasBinance()).toBe(true);
    now += DAY_MS;
    expect(await hasBinance()).toBe(false);
  });

  test.each(VENUES)('lack %s if a cache answers for it with an old book', async (which) => {
    const cached = (age: string) => (venue: Venue) =>
      venue === which ? { ...answerOf(venue), headers: { age } } : answerOf(venue);
    for (const [age, isTrusted] of [
      ['300', true],
      ['301', false],
      ['86400', false],
      ['yesterday', false],
    ] as const) {
      const { prices } = await feed(cached(age));

      expect((await prices.findBooks()).USDT[which] !== undefined).toBe(isTrusted);
      await stub.close();
    }
  });

  test.each(['MERCADO_BITCOIN', 'FOXBIT'] as const)('lack %s if its book has another time', async (which) => {
    for (const ms of [-6 * MINUTE_MS, 6 * MINUTE_MS, -DAY_MS, DAY_MS, Number.NaN]) {
      const { prices } = await feed((venue) => answerOf(venue, BOOK, venue === which ? NOW + ms : NOW));

      const { USDT } = await prices.findBooks();

      expect(Object.keys(USDT)).toEqual(VENUES.filter((venue) => venue !== which));
      await stub.close();
    }
  });

  test('are empty, without an error, if no exchange answers', async () => {
    const { prices } = await feed(() => ({ status: 451 }));

    expect(await prices.findBooks()).toEqual({ USDT: {}, USDC: {} });
  });
});
