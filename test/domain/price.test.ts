import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Asset, perAsset } from '../../functions/domain/assets.ts';
import { decimalOf } from '../../functions/domain/money.ts';
import {
  averageAsk,
  type Distrust,
  type Offer,
  type OrderBook,
} from '../../functions/domain/treasury/order-book.ts';
import {
  isConfirmed,
  judgePrice,
  judgeReading,
  type Market,
  type PriceHistory,
  REFERENCE_CENTAVOS,
  withAccepted,
  withDistrust,
} from '../../functions/domain/treasury/price.ts';
import type { Venue, VenueBooks } from '../../functions/domain/treasury/quorum.ts';
import { MINUTE_MS, NOW } from '../support/builders.ts';
import { aBook, everywhere, PRICE_BOUNDS, priceOf } from '../support/stub-market.ts';

const EMPTY: PriceHistory = {
  asset: 'USDT',
  spans: [],
  asks: [],
  ptax: { rate: priceOf('5.43'), publishedAt: NOW, readAt: NOW },
  revision: 0,
};
const R$ = (brl: number) => brl * 100;

const offers = (...written: [price: string, quantity: string][]): Offer[] =>
  written.map(([price, quantity]) => ({ price: priceOf(price), quantity: priceOf(quantity) }));

const accepted = (price: string) => withAccepted(EMPTY, priceOf(price), NOW);

const withPtax = (price: string): PriceHistory => ({
  ...accepted('5.43'),
  ptax: { rate: priceOf(price), publishedAt: NOW, readAt: NOW },
});

const BOUNDS = PRICE_BOUNDS.USDT;
type Changes = Partial<Market> & { own?: OrderBook; others?: OrderBook };

/** A normal market of the asset, with the given changes. */
function aMarket(changes: Changes = {}, asset: Asset = 'USDT'): Market {
  const { own = aBook('5.43'), others = aBook('5.43'), ...rest } = changes;
  return {
    books: perAsset((each) => everywhere(each === asset ? own : others)),
    history: accepted('5.43'),
    bounds: BOUNDS,
    now: NOW,
    ...rest,
  };
}

describe('the price of an amount', () => {
  it('is the exact best ask if that covers the amount', () => {
    expect(averageAsk({ asks: offers(['5.43210001', '10']) }, R$(54))).toBe(priceOf('5.43210001'));
  });

  it('is the average of the offers that it takes, the last one in part', () => {
    // 100 tokens at 5.00 and 50 of 80 at 6.00: 800 BRL for 150 tokens.
    const asks = offers(['5.00', '100'], ['6.00', '80'], ['9.00', '1000']);

    expect(averageAsk({ asks }, R$(800))).toBe(priceOf('5.33333333'));
  });

  it('hardly changes with a tiny offer', () => {
    const asks = offers(['2.60', '0.01'], ['5.43', '100000']);

    expect(averageAsk({ asks }, R$(30_000))).toBeGreaterThan(priceOf('5.4299'));
  });

  it('does not exist if all offers together are too small', () => {
    const asks = offers(['5.00', '10']);

    expect(averageAsk({ asks }, R$(50))).toBe(priceOf('5.00'));
    expect(averageAsk({ asks }, R$(50) + 1)).toBeUndefined();
    expect(averageAsk({ asks: [] }, 1)).toBeUndefined();
  });

  it('is never below the best offer, nor above the last offer that it needs', () => {
    const side = fc.array(fc.tuple(fc.bigInt(1n, 10n ** 10n), fc.bigInt(1n, 10n ** 13n)), { minLength: 1 });
    fc.assert(
      fc.property(side, fc.integer({ min: 1, max: R$(50_000) }), (written, amount) => {
        const asks = written
          .map(([price, quantity]) => ({ price, quantity }))
          .sort((one, other) => (one.price < other.price ? -1 : 1));
        const average = averageAsk({ asks }, amount);
        if (average === undefined) return;
        expect(average).toBeGreaterThanOrEqual(asks[0]!.price);
        expect(average).toBeLessThanOrEqual(asks.at(-1)!.price);
        const less = averageAsk({ asks }, Math.ceil(amount / 2))!;
        expect(less).toBeLessThanOrEqual(average);
      }),
    );
  });
});

describe('a price', () => {
  it('is the price of the amount if no check fails', () => {
    expect(judgePrice(aMarket(), 'USDT', R$(50_000))).toEqual({ ask: priceOf('5.43') });
  });

  const deepAsks = offers(['5.43', '90000']);
  // docs/decisions.md, "A price that may be sold at"
  // Threat: "a price jumps, or one asset leaves the other"
  it.each<[string, Distrust, Parameters<typeof aMarket>[0]]>([
    ['asks of too little', 'THIN_BOOK', { own: { ...aBook('5.43'), asks: offers(['5.43', '9000']) } }],
    ['no asks', 'THIN_BOOK', { own: { ...aBook('5.43'), asks: [] } }],
    ['no bids', 'THIN_BOOK', { own: { bids: [], asks: deepAsks } }],
    ['a bid above it', 'CROSSED_BOOK', { own: aBook('5.43', '90000', '5.43000001') }],
    ['a bid far below it', 'WIDE_GAP', { own: aBook('5.43', '90000', '5.17') }],
    ['a lowest above it', 'OUT_OF_BOUNDS', { bounds: { ...BOUNDS, lowest: '5.43000001' } }],
    ['a highest below it', 'OUT_OF_BOUNDS', { bounds: { ...BOUNDS, highest: '5.42999999' } }],
    ['the other assets far below', 'DISAGREEMENT', { others: aBook('5.32') }],
    ['the other assets far above', 'DISAGREEMENT', { others: aBook('5.55') }],
    ['too little of any other asset to compare with', 'DISAGREEMENT', { others: aBook('5.43', '900') }],
    ['a last hour far below', 'MOVED', { history: accepted('5.17') }],
    ['a last hour far above', 'MOVED', { history: accepted('5.72') }],
    ['no last hour', 'NEVER_ACCEPTED', { history: EMPTY }],
    ['no PTAX', 'NO_PTAX', { history: { ...accepted('5.43'), ptax: undefined } }],
    ['a PTAX far below', 'FAR_FROM_PTAX', { history: withPtax('4.93') }],
    ['a PTAX far above', 'FAR_FROM_PTAX', { history: withPtax('6.04') }],
  ])('is refused with %s', (_, distrust, changes) => {
    expect(judgePrice(aMarket(changes), 'USDT', R$(50_000))).toEqual({ distrust });
  });

  it.each<[string, Parameters<typeof aMarket>[0]]>([
    ['a gap of exactly 5 %', { own: aBook('5.4600', '90000', '5.20'), others: aBook('5.46') }],
    ['the other assets exactly 2 % away', { own: aBook('5.5386') }],
    ['a rise of exactly 5 %', { history: accepted('5.20'), own: aBook('5.46') }],
    ['a fall of exactly 5 %', { history: accepted('5.60'), own: aBook('5.32'), others: aBook('5.32') }],
  ])('is accepted at %s', (_, changes) => {
    expect(judgePrice(aMarket(changes), 'USDT', R$(50))).toHaveProperty('ask');
  });

  it('is refused at the false ask that once sold 11,424 USDC for R$ 30,000', () => {
    const bids = offers(['2.55', '0.01']);
    const tiny = { bids, asks: offers(['2.60', '0.01']) };
    const deep = { bids, asks: offers(['2.60', '100000']) };
    const market = (own: OrderBook) => aMarket({ own }, 'USDC');

    expect(judgePrice(market(tiny), 'USDC', R$(30_000))).toEqual({ distrust: 'THIN_BOOK' });
    expect(judgePrice(market(deep), 'USDC', R$(30_000))).toEqual({ distrust: 'DISAGREEMENT' });
    // If all markets are false in the same way, the last hour is the evidence.
    const both = aMarket({ own: deep, others: deep });
    expect(judgePrice(both, 'USDC', R$(30_000))).toEqual({ distrust: 'MOVED' });
  });
});

describe('the price of another asset', () => {
  type Venues = Partial<Record<Venue, string>>;
  const booksOf = (asks: Venues): VenueBooks =>
    Object.fromEntries(Object.entries(asks).map(([venue, ask]) => [venue, aBook(ask)]));
  /** Two exchanges show a false price of USDC. */
  const FALSE_USDC: Venues = { BINANCE: '5.16', MERCADO_BITCOIN: '5.16', FOXBIT: '5.43' };
  const judged = (usdc: Venues, usdt: Venues) =>
    judgePrice({ ...aMarket(), books: { USDC: booksOf(usdc), USDT: booksOf(usdt) } }, 'USDC', R$(50));

  // docs/decisions.md, "A price that may be sold at"
  it.each<[string, Venues]>([
    ['all exchanges', { BINANCE: '5.43', MERCADO_BITCOIN: '5.43', FOXBIT: '5.43' }],
    ['two, while the third is false, too', { BINANCE: '5.16', MERCADO_BITCOIN: '5.43', FOXBIT: '5.43' }],
    ['one, while another is false and the third is silent', { BINANCE: '5.16', FOXBIT: '5.43' }],
    ['one, while the others are silent', { FOXBIT: '5.43' }],
  ])('does not confirm a false price if it is honest at %s', (_, usdt) => {
    expect(judged(FALSE_USDC, usdt)).toEqual({ distrust: 'DISAGREEMENT' });
  });

  it('confirms an honest price although one exchange shows a false one', () => {
    const usdt = { BINANCE: '4.90', MERCADO_BITCOIN: '5.43', FOXBIT: '5.44' };

    expect(judged({ BINANCE: '5.43', FOXBIT: '5.43' }, usdt)).toEqual({ ask: priceOf('5.43') });
  });
});

describe('the confirmation of a price by other assets of its currency', () => {
  const [near, far, ask] = [priceOf('5.40'), priceOf('5.20'), priceOf('5.43')];

  it.each<[string, bigint[], boolean]>([
    ['is there with one that is near', [near], true],
    ['is there with one of several that is near', [far, near, far], true],
    ['is missing where every other is far', [far, far], false],
    ['is missing where the currency has no other asset', [], false],
  ])('%s', (_, references, expected) => {
    expect(isConfirmed(ask, references, 200)).toBe(expected);
  });
});

describe('the last hour', () => {
  /** The schedule, minute by minute, with a market at `priceAt(minute)`. */
  function readings(priceAt: (minute: number) => bigint, minutes: number) {
    let history = EMPTY;
    const accepted: { minute: number; price: bigint }[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      const now = NOW + minute * MINUTE_MS;
      const book = aBook(decimalOf(priceAt(minute), 8));
      const judged = judgeReading(
        { ...aMarket(), books: perAsset(() => everywhere(book)), history, now },
        'USDT',
      );
      history = judged.distrust
        ? withDistrust(history, judged.distrust)
        : withAccepted(history, judged.ask, now);
      if (!judged.distrust) accepted.push({ minute, price: judged.ask });
    }
    return { history, accepted };
  }

  it('starts with the first price that is read', () => {
    expect(judgeReading(aMarket({ history: EMPTY }), 'USDT')).toEqual({ ask: priceOf('5.43') });
  });

  it.each([4.9, 2, 0.5, 0.1])('cannot be moved in steps of %d percent', (percent) => {
    const shareAt = (minute: number) => BigInt(Math.round(1000 * Math.max(45, 100 - percent * minute)));

    const { accepted } = readings((minute) => (priceOf('5.43') * shareAt(minute)) / 100_000n, 60);

    for (const { price } of accepted) expect(price * 100n).toBeGreaterThanOrEqual(priceOf('5.43') * 95n);
  });

  it('never accepts two prices within an hour that differ by more than 5 %, however the market jumps', () => {
    const jumps = fc.array(fc.bigInt(priceOf('4'), priceOf('7')), { minLength: 10, maxLength: 200 });
    fc.assert(
      fc.property(jumps, (prices) => {
        const { accepted } = readings((minute) => prices[minute]!, prices.length);
        for (const one of accepted)
          for (const other of accepted) {
            if (Math.abs(one.minute - other.minute) >= 60) continue;
            const [low, high] = one.price < other.price ? [one.price, other.price] : [other.price, one.price];
            expect((high - low) * 20n).toBeLessThanOrEqual(high);
          }
      }),
    );
  });

  it('accepts the new price of a market that stays where it jumped to', () => {
    const { accepted } = readings((minute) => priceOf(minute < 10 ? '5.43' : '5.90'), 90);

    const first = accepted.find(({ price }) => price === priceOf('5.90'))!;
    expect(first.minute).toBeGreaterThanOrEqual(69);
    expect(first.minute).toBeLessThanOrEqual(75);
  });

  it('follows a market that moves slowly', () => {
    const { accepted } = readings((minute) => priceOf('5.00') + BigInt(minute) * 200_000n, 300);

    expect(accepted).toHaveLength(300);
  });

  it('keeps a constant size', () => {
    const { history } = readings((minute) => priceOf('5.43') + BigInt(minute % 7) * 1000n, 600);

    expect(history.spans.length).toBeLessThanOrEqual(14);
  });

  it('does not change with a price that is not trusted', () => {
    const history = withAccepted(EMPTY, priceOf('5.43'), NOW);

    expect(withDistrust(history, 'MOVED')).toEqual({ ...history, distrust: 'MOVED', revision: 2 });
    expect(withAccepted(withDistrust(history, 'MOVED'), priceOf('5.43'), NOW)).not.toHaveProperty('distrust');
  });

  it('is read at an amount that no small offer covers', () => {
    expect(REFERENCE_CENTAVOS).toBe(R$(5_000));
  });
});
