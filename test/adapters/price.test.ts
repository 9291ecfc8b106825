import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { askPriceOf, priceFeed } from '../../functions/adapters/price/binance.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { decimalOf } from '../../functions/domain/money.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

/** One BRL in the eight decimals of the exchange. */
const COIN = 10n ** 8n;

const BOOK = {
  symbol: 'USDTBRL',
  bidPrice: '5.38900000',
  bidQty: '812.0',
  askPrice: '5.39100000',
  askQty: '96.0',
};

let stub: Stub;
afterEach(() => stub.close());

async function feed(answer: StubAnswer) {
  stub = await startStub(() => answer);
  return priceFeed({ baseUrl: stub.url }, { timeoutMs: 3_000 });
}

describe('ask', () => {
  test('answers the best ask as the exchange wrote it', async () => {
    const prices = await feed({ body: BOOK });
    expect(await prices.ask('USDT')).toBe('5.39100000');
    expect(stub.requests[0]?.path).toBe('/api/v3/ticker/bookTicker');
    expect(stub.requests[0]?.query.get('symbol')).toBe('USDTBRL');
  });

  test('asks the market of the asset', async () => {
    const prices = await feed({ body: { ...BOOK, symbol: 'USDCBRL' } });
    expect(await prices.ask('USDC')).toBe('5.39100000');
    expect(stub.requests[0]?.query.get('symbol')).toBe('USDCBRL');
  });

  test.each<[string, StubAnswer]>([
    ['another market', { body: { ...BOOK, symbol: 'BTCBRL' } }],
    ['an empty book', { body: { ...BOOK, bidPrice: '0.00000000', askPrice: '0.00000000' } }],
    ['no sellers', { body: { ...BOOK, askPrice: '0.00000000' } }],
    ['a negative price', { body: { ...BOOK, askPrice: '-5.39' } }],
    ['a price that is no text', { body: { ...BOOK, askPrice: 5.391 } }],
    ['more than eight decimals', { body: { ...BOOK, askPrice: '5.391000001' } }],
    ['a crossed book', { body: { ...BOOK, bidPrice: '5.40' } }],
    ['less than 2 BRL', { body: { ...BOOK, bidPrice: '1.99', askPrice: '1.99999999' } }],
    ['more than 20 BRL', { body: { ...BOOK, bidPrice: '20.00', askPrice: '20.00000001' } }],
    ['a gap of more than 5 %', { body: { ...BOOK, bidPrice: '5.00', askPrice: '5.25000001' } }],
    ['all markets at once', { body: [BOOK] }],
    ['an error of Binance', { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } }],
    ['a ban', { status: 418 }],
    ['a forbidden place', { status: 451 }],
    ['too many requests', { status: 429 }],
    ['an outage', { status: 503 }],
    ['silence', { fault: 'hang' }],
    ['half an answer', { raw: '{"symbol":' }],
    ['an empty answer', {}],
  ])('is Unavailable on %s', async (_, answer) => {
    const prices = await feed(answer);
    await expect(prices.ask('USDT')).rejects.toBeInstanceOf(Unavailable);
  });

  test.each(['2.00000000', '20.00000000'])('still trusts a price of exactly %s BRL', async (price) => {
    const prices = await feed({ body: { ...BOOK, bidPrice: price, askPrice: price } });
    expect(await prices.ask('USDT')).toBe(price);
  });

  test('still trusts a gap of exactly 5 %', async () => {
    const prices = await feed({ body: { ...BOOK, bidPrice: '5.00', askPrice: '5.25' } });
    expect(await prices.ask('USDT')).toBe('5.25');
  });
});

test('askPriceOf lets no price through that is under the bid or over it by more than 5 %', async () => {
  stub = await startStub(() => ({}));
  const price = fc.bigInt({ min: 0n, max: 3n * 10n ** 9n });
  fc.assert(
    fc.property(price, price, (bid, ask) => {
      const body = { symbol: 'USDTBRL', bidPrice: decimalOf(bid, 8), askPrice: decimalOf(ask, 8) };
      const isSane =
        bid > 0n && ask >= 2n * COIN && ask <= 20n * COIN && ask >= bid && (ask - bid) * 20n <= bid;
      if (isSane) expect(askPriceOf(body, 'USDTBRL')).toBe(body.askPrice);
      else expect(() => askPriceOf(body, 'USDTBRL')).toThrow(Unavailable);
    }),
  );
});
