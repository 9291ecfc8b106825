import { afterEach, describe, expect, test } from 'vitest';
import { exchanges } from '../../functions/adapters/price/exchanges.ts';
import { ASSET_NAMES, ASSETS } from '../../functions/domain/assets.ts';
import { VENUES, type Venue } from '../../functions/domain/treasury/quorum.ts';
import { NOW } from '../support/builders.ts';
import { stubLog } from '../support/stub-log.ts';
import { priceOf } from '../support/stub-market.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

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

/** Three exchanges at one stub, each below a path of its own. */
async function feed(answer: (venue: Venue, asset: string) => StubAnswer) {
  stub = await startStub(({ path, query }) => {
    const venue = path.split('/')[1] as Venue;
    const market = `${query.get('symbol') ?? ''}${path}`.toUpperCase();
    return answer(venue, market.includes('USDT') ? 'USDT' : 'USDC');
  });
  const log = stubLog();
  const urlOf = (venue: Venue) => `${stub.url}/${venue}`;
  const urls = {
    BINANCE: urlOf('BINANCE'),
    MERCADO_BITCOIN: urlOf('MERCADO_BITCOIN'),
    FOXBIT: urlOf('FOXBIT'),
  };
  return { prices: exchanges(urls, { clock: { now: () => NOW }, log, timeoutMs: 1_000 }), log };
}

const answerOf = (venue: Venue, book: object = BOOK, now = NOW): StubAnswer => ({
  body: {
    BINANCE: book,
    MERCADO_BITCOIN: { ...book, timestamp: now * 1e6 },
    FOXBIT: { sequence_id: 1, timestamp: now, ...book },
  }[venue],
});

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

  const withAsks = (...asks: unknown[]) => ({ body: { ...BOOK, asks } });

  test.each<[string, StubAnswer]>([
    ['a ticker', { body: { symbol: 'USDTBRL', bidPrice: '5.389', askPrice: '5.391' } }],
    ['no asks', { body: { ...BOOK, asks: undefined } }],
    ['asks that are no list', { body: { ...BOOK, asks: { 0: ['5.391', '96'] } } }],
    ['an offer that is no list', withAsks('5.391')],
    ['a price of zero', withAsks(['0.00000000', '96'])],
    ['a quantity of zero', withAsks(['5.391', '0.00000000'])],
    ['no quantity', withAsks(['5.391'])],
    ['a negative price', withAsks(['-5.39', '96'])],
    ['a price that is no text', withAsks([5.391, '96'])],
    ['a quantity that is no text', withAsks(['5.391', 96])],
    ['more than eight decimals', withAsks(['5.391000001', '96'])],
    ['thirty digits', withAsks([`${'9'.repeat(30)}.1`, '96'])],
    ['an exponent', withAsks(['5e0', '96'])],
    ['asks that fall', withAsks(['5.392', '96'], ['5.391', '96'])],
    ['the same price twice', withAsks(['5.391', '96'], ['5.391', '96'])],
    ['bids that rise', { body: { ...BOOK, bids: BOOK.bids.toReversed() } }],
    ['another list', { body: [BOOK] }],
    ['an error of Binance', { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } }],
    ['a market that is halted', { status: 400, body: { code: -1220, msg: 'The symbol’s status …' } }],
    ['a ban', { status: 418 }],
    ['a forbidden place', { status: 451 }],
    ['too many requests', { status: 429 }],
    ['an outage', { status: 503 }],
    ['silence', { fault: 'hang' }],
    ['half an answer', { raw: '{"lastUpdateId":' }],
    ['an empty answer', {}],
  ])('lack an exchange that answers %s', async (_, answer) => {
    const { prices, log } = await feed((venue) => (venue === 'BINANCE' ? answer : answerOf(venue)));

    const { USDT, USDC } = await prices.findBooks();

    for (const books of [USDT, USDC]) expect(Object.keys(books)).toEqual(['MERCADO_BITCOIN', 'FOXBIT']);
    expect(log.raised).toEqual([]);
  });

  test.each(['MERCADO_BITCOIN', 'FOXBIT'] as const)('lack %s if its book has another time', async (which) => {
    for (const minutes of [-6, 6, Number.NaN]) {
      const { prices } = await feed((venue) =>
        answerOf(venue, BOOK, venue === which ? NOW + minutes * 60_000 : NOW),
      );

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
