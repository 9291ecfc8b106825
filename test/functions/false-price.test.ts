import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../support/builders.ts';
import { bookAnswer, buyerAt, type Offer, PAUSED, startExchanges } from '../support/false-exchanges.ts';
import { START_AT } from '../support/ports.ts';
import { priceOf } from '../support/stub-market.ts';
import type { Stub, StubAnswer } from '../support/stub-server.ts';

const HONEST: Offer[] = [['5.43000000', '100000']];
let exchange: Stub;
let asks: Offer[];
/** The answer of the exchanges in place of a book. */
let fault: StubAnswer | undefined;
let liars: 'ALL' | 'TWO' | 'ONE';
beforeEach(async () => {
  liars = 'ALL';
  asks = HONEST;
  fault = undefined;
  exchange = await startExchanges((venue, asset) => {
    // With `ONE` Binance lies. With `TWO` Binance and Foxbit lie.
    const isLiar = venue === 'BINANCE' || liars === 'ALL' || (venue === 'FOXBIT' && liars === 'TWO');
    if (fault && isLiar) return fault;
    const offers = asset === 'USDC' && isLiar ? asks : HONEST;
    const bidPrice = (Number(offers[0]![0]) * 0.99).toFixed(8);
    return bookAnswer(venue, { bids: [[bidPrice, '0.01']], asks: offers }, START_AT);
  });
});
afterEach(() => exchange.close());

const buyer = () => buyerAt(exchange.url);

/** Forms of the false ask. */
const FALSE_ASKS: [string, Offer[]][] = [
  ['of 0.01', [['2.60000000', '0.01']]],
  ['of 0.01 before honest ones', [['2.60000000', '0.01'], ...HONEST]],
  ['that is deep enough', [['2.60000000', '100000']]],
];

// docs/decisions.md, "A price that may be sold at"
// Threat: "one exchange asks 2.60, or fails"
describe('the attack that bought 11,424 USDC for R$ 30,000 at a false ask of 2.60', () => {
  test.each(FALSE_ASKS)('buys nothing by an ask %s at all exchanges', async (_, offers) => {
    const { expectPaused } = await buyer();
    asks = offers;

    await expectPaused();
  });

  test('buys nothing by an ask that is deep enough at two exchanges', async () => {
    const { expectPaused } = await buyer();
    liars = 'TWO';
    asks = [['2.60000000', '100000']];

    await expectPaused();
  });

  test.each(FALSE_ASKS)('buys nothing cheaper by an ask %s at one exchange', async (_, offers) => {
    const { expectSoldAt } = await buyer();
    liars = 'ONE';
    asks = offers;

    await expectSoldAt(5.43);
  });

  test('is explained to operators, and not to the partner', async () => {
    const { ports, initiate } = await buyer();
    asks = [['2.60000000', '100000']];

    const refusal = await initiate().catch((error: unknown) => error);

    expect(JSON.stringify(refusal)).not.toContain('DISAGREEMENT');
    expect(ports.log.lines.join()).toContain('DISAGREEMENT');
  });
});

describe('exchanges without a price', () => {
  // docs/decisions.md, "A price that may be sold at"
  test.each<[string, StubAnswer]>([
    ['that do not serve this region', { status: 451 }],
    ['that ban the address', { status: 418 }],
    ['that fail', { status: 503 }],
    ['that break off', { fault: 'reset' }],
  ])('%s open, charge and reserve nothing, until they answer', async (_, answer) => {
    const { initiate, charge, expectPaused } = await buyer();
    fault = answer;

    await expectPaused();

    fault = undefined;
    expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
    expect(await charge()).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('are named in the line for operators', async () => {
    const { ports, initiate } = await buyer();
    fault = { status: 451 };

    await expect(initiate()).rejects.toMatchObject(PAUSED);

    expect(ports.log.lines.join()).toContain('FEW_VENUES');
  });

  test.each<[string, StubAnswer]>([
    ['does not serve this region', { status: 451 }],
    ['fails', { status: 503 }],
  ])('sell on if only one %s', async (_, answer) => {
    const { initiate, charge } = await buyer();
    liars = 'ONE';
    fault = answer;

    expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
    expect(await charge()).toMatchObject({ status: 'AWAITING_PIX' });
  });
});

describe('an exchange that alone is false', () => {
  // docs/decisions.md, "A price that may be sold at"
  test.each(['5.30000000', '5.42000000', '9.99000000'])(
    'and asks %s is outvoted: the price is that of the other two',
    async (price) => {
      liars = 'ONE';
      const { expectSoldAt } = await buyer();
      asks = [[price, '100000']];

      await expectSoldAt(5.43);
    },
  );
});

// docs/decisions.md, "A price that may be sold at"
// Threat: "a false price on all exchanges, however long"
describe('a price that all exchanges and the last hour confirm', () => {
  test.each([
    ['far below PTAX', '6.10', 0],
    ['far above PTAX', '4.80', 0],
    ['beside a PTAX that is older than a week', '5.43', 8],
  ])('%s opens, quotes, charges and reserves nothing', async (_, rate, days) => {
    const { ports, expectPaused } = await buyer();
    const { findHistory } = ports.priceHistories;
    const publishedAt = START_AT - days * 24 * 60 * MINUTE_MS;
    ports.priceHistories.findHistory = async (asset) => ({
      ...(await findHistory(asset)),
      ptax: { rate: priceOf(rate), publishedAt, readAt: START_AT },
    });

    await expectPaused();
  });
});

describe('a purchase', () => {
  // Threat: "a small cheap offer hides a dear book"
  test('costs the price of its whole quantity, not the price of the first token', async () => {
    const { initiate, charge } = await buyer();
    asks = [
      ['5.40000000', '1000'],
      ['5.50000000', '100000'],
    ];

    const { quote } = await initiate();

    // 5,400 BRL buy a thousand, the other 24,600 BRL at 5.50 each.
    expect(Number(quote.assetAmount)).toBeCloseTo(1000 + 24_600 / 5.5, 3);
    const { assetUnits } = (await charge()).quote;
    expect(assetUnits - 5_472_727_273n).toBeGreaterThanOrEqual(0n);
    expect(assetUnits - 5_472_727_273n).toBeLessThan(10n);
  });

  test('is opened again once the price is right', async () => {
    const { initiate, charge } = await buyer();
    asks = [['2.60000000', '100000']];
    await expect(initiate()).rejects.toMatchObject(PAUSED);
    await expect(charge()).rejects.toMatchObject(PAUSED);

    asks = [['5.43000000', '100000']];

    expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
    expect(await charge()).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('is not sold at a price of an hour ago', async () => {
    const { ports, initiate } = await buyer();
    const { findHistory } = ports.priceHistories;
    ports.priceHistories.findHistory = async (asset) => ({ ...(await findHistory(asset)), spans: [] });

    await expect(initiate()).rejects.toMatchObject(PAUSED);
  });
});
