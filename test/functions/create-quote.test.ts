import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { handler } from '../../functions/api/create-quote.ts';
import { ASSET_NAMES, ASSETS, perAsset } from '../../functions/domain/assets.ts';
import { unitsOf } from '../../functions/domain/money.ts';
import { releasePromises } from '../../functions/logic/purchase/release-promises.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { limitsWith } from '../support/charge-limits.ts';
import { newId, START_AT } from '../support/ports.ts';
import { aQuotingPartner } from '../support/quoting.ts';
import { type Fault, issuesBy, neverFits, pathsOf } from '../support/requests.ts';
import { everywhere, priceOf } from '../support/stub-market.ts';

const offers = (...all: [price: string, quantity: string][]) => {
  const asks = all.map(([price, quantity]) => ({ price: priceOf(price), quantity: priceOf(quantity) }));
  const bids = [{ price: priceOf('5.44'), quantity: priceOf('1000') }];
  return async () => perAsset(() => everywhere({ asks, bids }));
};

// docs/decisions.md, "Quotes and open promises"
describe('200: a quote', () => {
  test('of what the client pays names each part of the price, and ends after ten minutes', async () => {
    const { quote } = await aQuotingPartner();

    expect(await quote({ amountBrl: 250 })).toEqual({
      quoteId: expect.stringMatching(/^quote_[0-9A-Z]{32}$/),
      asset: 'USDC',
      amountBrl: 250,
      assetAmount: '45.417386',
      rate: '5.50450000',
      feeBrl: 2.47,
      networkFeeBrl: 0,
      taxes: [{ name: 'IOF', amountBrl: 0 }],
      expiresAt: new Date(START_AT + 10 * MINUTE_MS).toISOString(),
    });
  });

  test('of what the client receives asks for the fewest centavos, and shows exactly the wish', async () => {
    const { quote } = await aQuotingPartner();

    expect(await quote({ assetAmount: '45.417386' })).toMatchObject({
      amountBrl: 250,
      assetAmount: '45.417386',
      feeBrl: 2.47,
    });
    expect(await quote({ assetAmount: '45.417387' })).toMatchObject({ amountBrl: 250.01 });
    expect(await quote({ assetAmount: '100' })).toMatchObject({
      amountBrl: 550.45,
      assetAmount: '100.000000',
    });
  });

  test('of what the client receives is priced by the offers that its own amount takes', async () => {
    const { ports, quote } = await aQuotingPartner();
    ports.prices.findBooks = offers(['5.45', '100'], ['5.50', '300'], ['5.60', '100000']);

    const { amountBrl, assetAmount, rate } = await quote({ assetAmount: '1000' });

    expect(assetAmount).toBe('1000.000000');
    const paid = await quote({ amountBrl });
    expect(Number(paid.rate)).toBeCloseTo(Number(rate), 6);
    expect(Number(paid.assetAmount)).toBeCloseTo(1000, 2);
  });

  test('shows what a purchase with it sends, in each asset and direction, to the unit', async () => {
    const { ports, quote, initiate, find } = await aQuotingPartner();
    ports.chargeLimits = limitsWith({ dailyBrl: 1_000_000 });
    ports.promiseLimits.partnerBrl = ports.promiseLimits.assetBrl = 10_000_000;
    const asset = fc.constantFrom(...ASSET_NAMES);
    const amounts = fc
      .integer({ min: 50_00, max: 50_000_00 })
      .map((centavos) => ({ amountBrl: centavos / 100 }));
    const units = fc.integer({ min: 11_000_000, max: 9_000_000_000 });
    const wishes = units.map((each) => ({ assetAmount: (each / 1e6).toFixed(6) }));
    await fc.assert(
      fc.asyncProperty(asset, fc.oneof(amounts, wishes), async (of, wish) => {
        const shown = await quote({ asset: of, ...wish });
        const { quoteId, amountBrl, assetAmount, rate } = shown;
        expect(shown).toMatchObject(wish);

        const opened = await initiate({ asset: of, amountBrl, quoteId });

        expect(opened.quote).toEqual({ rate, feeBrl: shown.feeBrl, assetAmount });
        const { assetUnits } = (await find(opened.transactionId)).quote;
        expect(assetUnits).toBe(unitsOf(assetAmount, ASSETS[of].decimals));
      }),
      { numRuns: 40 },
    );
  });

  test('is made once for a request that is repeated, at the price of the first', async () => {
    const { ports, quote } = await aQuotingPartner();
    const seed = newId();
    const first = await quote({}, seed);
    ports.prices.ask = '5.50';

    expect(await quote({}, seed)).toEqual(first);
  });

  test('reserves no tokens and opens nothing', async () => {
    const { ports, quote } = await aQuotingPartner();

    await quote();

    expect([ports.liquidity.reserved, ports.machine.started, ports.pix.charges.size]).toEqual([[], [], 0]);
  });
});

describe('400: a quote', () => {
  const whole = { asset: 'USDC', amountBrl: 250 };

  test.each<Fault>([
    ...neverFits('asset'),
    ...neverFits('amountBrl'),
    ['in quotes', 'amountBrl', '250'],
    ['of three decimals', 'amountBrl', 50.001],
    ...neverFits('assetAmount'),
    ['a number', 'assetAmount', 45.5],
    ['negative', 'assetAmount', '-45'],
    ['empty', 'assetAmount', ''],
    ['a power of ten', 'assetAmount', '1e2'],
    ['with a comma', 'assetAmount', '45,5'],
    ['of thirty digits', 'assetAmount', '1'.repeat(30)],
    ['of thirty decimals', 'assetAmount', `1.${'1'.repeat(30)}`],
  ])('is refused for a value that is %s in %s', (_, field, value) => {
    const { amountBrl, ...rest } = whole;
    const request = field === 'assetAmount' ? rest : { ...rest, amountBrl };
    expect(pathsOf(issuesBy(handler, { ...request, [field]: value }))).toEqual([field]);
  });

  test('is refused with both sides fixed, and with none', () => {
    expect(pathsOf(issuesBy(handler, { ...whole, assetAmount: '45' }))).toEqual(['assetAmount']);
    expect(pathsOf(issuesBy(handler, { asset: 'USDC' }))).toEqual(['assetAmount']);
    expect(pathsOf(issuesBy(handler, {}))).toEqual(['asset', 'assetAmount']);
  });

  test('is refused for more decimals than the asset has', async () => {
    const { quote } = await aQuotingPartner();

    await expect(quote({ assetAmount: '45.1234567' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { issues: [{ path: 'assetAmount', message: 'has more than 6 decimals' }] },
    });
  });
});

describe('422: a quote', () => {
  const LIMITS = { code: 'AMOUNT_OUT_OF_RANGE', details: { minimum: 50, maximum: 50_000 } };

  test.each([0, -1, 49.99, 50_000.01])('is refused for R$ %d', async (amountBrl) => {
    const { quote } = await aQuotingPartner();

    await expect(quote({ amountBrl })).rejects.toMatchObject(LIMITS);
  });

  test.each(['0', '0.000000', '9.08', '9083.5', '99999999999999999999'])(
    'is refused for %s tokens, which cost too little or too much',
    async (assetAmount) => {
      const { quote } = await aQuotingPartner();

      await expect(quote({ assetAmount })).rejects.toMatchObject(LIMITS);
    },
  );

  test('is refused for an asset that we do not sell', async () => {
    const { quote } = await aQuotingPartner();

    await expect(quote({ asset: 'DAI' as never })).rejects.toMatchObject({ code: 'UNSUPPORTED_ASSET' });
  });
});

// docs/decisions.md, "Quotes and open promises"
describe('503 PROMISES_EXHAUSTED: a quote', () => {
  const exhausted = (scope: string) => ({
    code: 'PROMISES_EXHAUSTED',
    details: { scope, retryAfterSeconds: 60 },
  });

  test.each([
    ['partnerBrl', 'PARTNER'],
    ['assetBrl', 'ASSET'],
  ] as const)('is refused beyond %s, until the first has expired', async (limit, scope) => {
    const { ports, quote } = await aQuotingPartner();
    ports.promiseLimits[limit] = 499;
    await quote();

    await expect(quote()).rejects.toMatchObject(exhausted(scope));
    ports.clock.advance(10 * MINUTE_MS - 1);
    await releasePromises(ports);
    await expect(quote()).rejects.toMatchObject(exhausted(scope));
    ports.clock.advance(1);
    await releasePromises(ports);

    expect(await quote()).toMatchObject({ amountBrl: 250 });
  });

  test('that cannot be released keeps back no other', async () => {
    const { ports, quote } = await aQuotingPartner();
    for (let count = 0; count < 3; count++) await quote();
    ports.clock.advance(10 * MINUTE_MS);
    const [first] = await ports.openPromises.listOpen();
    const release = vi.spyOn(ports.openPromises, 'release').mockRejectedValueOnce(new Error('throttled'));

    await expect(releasePromises(ports)).rejects.toThrow('throttled');

    expect(release).toHaveBeenCalledTimes(3);
    expect(await ports.openPromises.listOpen()).toEqual([first]);
  });

  test('leaves room for quotes of other assets', async () => {
    const { ports, quote } = await aQuotingPartner();
    ports.promiseLimits.assetBrl = 250;
    await quote();

    await expect(quote()).rejects.toMatchObject(exhausted('ASSET'));
    expect(await quote({ asset: 'USDT' })).toMatchObject({ asset: 'USDT' });
  });

  test('is refused if it alone is larger than the limit', async () => {
    const { ports, quote } = await aQuotingPartner();
    ports.promiseLimits.partnerBrl = 249;

    await expect(quote()).rejects.toMatchObject(exhausted('PARTNER'));
  });
});

describe('503: a quote', () => {
  test.each([{ amountBrl: 250 }, { assetAmount: '45' }])(
    'is refused while no price is trusted: %j',
    async (wish) => {
      const { ports, quote } = await aQuotingPartner();
      ports.prices.findBooks = async () => perAsset(() => ({}));

      await expect(quote(wish)).rejects.toMatchObject({
        code: 'PRICE_UNAVAILABLE',
        details: { retryAfterSeconds: 60 },
      });
    },
  );
});
