import { afterEach, describe, expect, test } from 'vitest';
import { priceFeed } from '../../functions/adapters/price/binance.ts';
import { ASSET_NAMES, ASSETS } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
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

async function feed(answer: StubAnswer | ((symbol: string) => StubAnswer)) {
  stub = await startStub(({ query }) =>
    typeof answer === 'function' ? answer(query.get('symbol')!) : answer,
  );
  return priceFeed({ baseUrl: stub.url }, { timeoutMs: 3_000 });
}

describe('the order books', () => {
  test('are requested of each asset, in markets that trade', async () => {
    const prices = await feed({ body: BOOK });

    await prices.findBooks();

    expect(stub.requests.map(({ path }) => path)).toEqual(ASSET_NAMES.map(() => '/api/v3/depth'));
    const asked = stub.requests.map(({ query }) => Object.fromEntries(query));
    expect(asked.map(({ symbol }) => symbol).sort()).toEqual(
      Object.values(ASSETS)
        .map(({ market }) => market)
        .sort(),
    );
    for (const query of asked) expect(query).toMatchObject({ limit: '100', symbolStatus: 'TRADING' });
  });

  test('are given as the exchange wrote them, best first', async () => {
    const prices = await feed((symbol) => ({
      body: symbol === 'USDTBRL' ? BOOK : { ...BOOK, bids: [], asks: [] },
    }));

    const { USDT, USDC } = await prices.findBooks();

    expect(USDT.asks).toEqual([
      { price: priceOf('5.391'), quantity: priceOf('96') },
      { price: priceOf('5.392'), quantity: priceOf('12000.5') },
    ]);
    expect(USDT.bids.map(({ price }) => price)).toEqual([priceOf('5.389'), priceOf('5.388')]);
    expect(USDC).toEqual({ bids: [], asks: [] });
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
  ])('are Unavailable on %s', async (_, answer) => {
    const prices = await feed(answer);

    await expect(prices.findBooks()).rejects.toBeInstanceOf(Unavailable);
  });

  test('are Unavailable if one of the two is', async () => {
    const prices = await feed((symbol) => (symbol === 'USDCBRL' ? { status: 503 } : { body: BOOK }));

    await expect(prices.findBooks()).rejects.toBeInstanceOf(Unavailable);
  });
});
