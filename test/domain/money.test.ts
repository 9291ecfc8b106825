import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AMOUNT_LIMITS_CENTAVOS,
  brlOf,
  centavosOf,
  costOf,
  decimalOf,
  quoteFor,
  unitsOf,
} from '../../functions/domain/money.ts';

describe('centavosOf', () => {
  it.each([
    [50, 5000],
    [49.99, 4999],
    [50.01, 5001],
    [1.1, 110],
    [4.35, 435],
    [19.99, 1999],
    [1.005e3, 100500],
    [50000, 5000000],
    [50000.01, 5000001],
    [0, 0],
    [0.01, 1],
    [-1.23, -123],
  ])('reads %d BRL as %d centavos', (amountBrl, centavos) => {
    expect(centavosOf(amountBrl)).toBe(centavos);
  });

  // Spec, Limits: "amountBrl: minimum 50, maximum 50000"
  it.each([50.001, 49.999, 0.1 + 0.2, 1.005, 50.00000001, 1e-7, 5e-324, NaN, Infinity, -Infinity])(
    'refuses %d, which has more than two decimals or is no number',
    (amountBrl) => {
      expect(centavosOf(amountBrl)).toBeUndefined();
    },
  );

  it.each([1e21, 1e15, Number.MAX_SAFE_INTEGER, 1e300, Number.MAX_VALUE])(
    'reads %d as an amount over the limit, not as a malformed amount',
    (amountBrl) => {
      expect(centavosOf(amountBrl)).toBeGreaterThan(AMOUNT_LIMITS_CENTAVOS.maximum);
      expect(centavosOf(-amountBrl)).toBeLessThan(AMOUNT_LIMITS_CENTAVOS.minimum);
    },
  );

  it('undoes brlOf for every amount within the limits', () => {
    const centavos = fc.integer({ min: 0, max: AMOUNT_LIMITS_CENTAVOS.maximum });
    fc.assert(fc.property(centavos, (amount) => centavosOf(brlOf(amount)) === amount));
  });

  it('reads the decimal text of JSON exactly', () => {
    const decimals = fc.tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 999 }));
    fc.assert(
      fc.property(decimals, ([reais, thousandths]) => {
        const text = `${reais}.${String(thousandths).padStart(3, '0')}`;
        const expected = thousandths % 10 === 0 ? reais * 100 + thousandths / 10 : undefined;
        expect(centavosOf(JSON.parse(text))).toBe(expected);
      }),
    );
  });

  // Spec, Limits: "amountBrl: minimum 50, maximum 50000"
  it('has the limits of the specification', () => {
    expect(AMOUNT_LIMITS_CENTAVOS).toEqual({ minimum: centavosOf(50), maximum: centavosOf(50000) });
  });
});

describe('decimalOf and unitsOf', () => {
  it.each([
    [12345n, 2, '123.45'],
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [1n, 6, '0.000001'],
    [1000000n, 6, '1.000000'],
  ])('write %d units with %d decimals as %j, and read it', (units, decimals, text) => {
    expect(decimalOf(units, decimals)).toBe(text);
    expect(unitsOf(text, decimals)).toBe(units);
  });

  it('are inverse to each other', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 18n });
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 18 }), (amount, decimals) => {
        return unitsOf(decimalOf(amount, decimals), decimals) === amount;
      }),
    );
  });

  it.each([
    ['5', 500n],
    ['5.4', 540n],
    ['05.40', 540n],
    ['5.400000', 540n],
    ['99999999999999999999', 9999999999999999999900n],
  ])('read %j', (text, units) => {
    expect(unitsOf(text, 2)).toBe(units);
  });

  it.each([
    '',
    '5.401',
    '5.',
    '.5',
    '-5',
    '+5',
    '5,4',
    '5e2',
    '0x5',
    ' 5',
    '5 ',
    '5\n',
    '5.4.0',
    '1_000',
    'NaN',
    'Infinity',
    '٥',
    '\uff15',
    '1'.repeat(21),
  ])('refuse %j', (text) => {
    expect(unitsOf(text, 2)).toBeUndefined();
  });
});

const amounts = fc.integer({ min: 50_00, max: 50_000_00 });
const asks = fc.bigInt({ min: 1n, max: 100n * 10n ** 8n });
const spreads = fc.integer({ min: 0, max: 2000 });
const allDecimals = fc.integer({ min: 4, max: 18 });
const terms = fc.tuple(amounts, asks, spreads, allDecimals);
const SCALE = 10n ** 8n;

describe('quoteFor', () => {
  it.each([
    [10000, '5.00000000', 0, 6, { rate: '5.00000000', feeCentavos: 0, assetUnits: 20000000n }],
    [10000, '5', 100, 6, { rate: '5.05000000', feeCentavos: 99, assetUnits: 19801981n }],
    [5000, '5.4321', 150, 6, { rate: '5.51358150', feeCentavos: 73, assetUnits: 9068516n }],
    [5000, '5.4321', 150, 4, { rate: '5.51358150', feeCentavos: 73, assetUnits: 90686n }],
    [5000, '5.4321', 150, 18, { rate: '5.51358150', feeCentavos: 73, assetUnits: 9068515628181065248n }],
    [5000000, '5.41234567', 150, 6, { rate: '5.49353085', feeCentavos: 73891, assetUnits: 9101614493n }],
    [5000, '0.00000001', 150, 6, { rate: '0.00000001', feeCentavos: 73, assetUnits: 5000000000000000n }],
  ])(
    'sells for %d centavos at an ask of %s plus %d basis points, with %d decimals',
    (amount, ask, spreadBasisPoints, decimals, quote) => {
      expect(quoteFor(amount, { ask, spreadBasisPoints, decimals })).toEqual(quote);
    },
  );

  it.each(['0', '0.00000000', '', '-5', 'NaN', '5.123456789'])('refuses the price %j', (ask) => {
    expect(() => quoteFor(10000, { ask, spreadBasisPoints: 100, decimals: 6 })).toThrow('no positive price');
  });

  // docs/decisions.md, "A price that may be sold at"
  it('rounds the tokens up at the rate shown, by less than one base unit, with 4 to 18 decimals', () => {
    fc.assert(
      fc.property(terms, ([amount, ask, spreadBasisPoints, decimals]) => {
        const quoted = { ask: decimalOf(ask, 8), spreadBasisPoints, decimals };
        const { rate, assetUnits } = quoteFor(amount, quoted);
        const shown = unitsOf(rate, 8)!;
        const paid = BigInt(amount) * 10n ** BigInt(decimals - 2) * SCALE;
        expect(assetUnits * shown).toBeGreaterThanOrEqual(paid);
        expect((assetUnits - 1n) * shown).toBeLessThan(paid);
      }),
    );
  });

  it('rounds the rate and the fee down, by less than one unit of each', () => {
    fc.assert(
      fc.property(terms, ([amount, ask, spread, decimals]) => {
        const quoted = { ask: decimalOf(ask, 8), spreadBasisPoints: spread, decimals };
        const { rate, feeCentavos } = quoteFor(amount, quoted);
        const exactRate = ask * BigInt(10_000 + spread);
        const shown = unitsOf(rate, 8)! * 10_000n;
        expect(shown <= exactRate && exactRate - shown < 10_000n).toBe(true);
        const exactFee = amount * spread;
        const fee = feeCentavos * (10_000 + spread);
        expect(fee <= exactFee && exactFee - fee < 10_000 + spread).toBe(true);
      }),
    );
  });

  it('never gives fewer tokens for more money, nor more tokens for a wider spread', () => {
    fc.assert(
      fc.property(terms, ([amount, ask, spreadBasisPoints, decimals]) => {
        const quoted = { ask: decimalOf(ask, 8), spreadBasisPoints, decimals };
        const wider = { ...quoted, spreadBasisPoints: spreadBasisPoints + 1 };
        const { assetUnits } = quoteFor(amount, quoted);
        expect(quoteFor(amount + 1, quoted).assetUnits).toBeGreaterThanOrEqual(assetUnits);
        expect(quoteFor(amount, wider).assetUnits).toBeLessThanOrEqual(assetUnits);
      }),
    );
  });
});

describe('costOf', () => {
  it.each([
    [19_801_981n, '5', 100, 6, 100_00],
    [19_801_982n, '5', 100, 6, 100_01],
    [9_068_515_628_181_065_248n, '5.4321', 150, 18, 50_00],
    [90_686n, '5.4321', 150, 4, 50_00],
    [90_687n, '5.4321', 150, 4, 50_01],
    [1n, '5', 0, 6, 1],
    [0n, '5', 0, 6, 1],
  ])(
    'asks for %d units at %s plus %d basis points, with %d decimals',
    (units, ask, spread, decimals, cost) => {
      expect(costOf(units, { ask, spreadBasisPoints: spread, decimals })).toBe(cost);
    },
  );

  const units = fc.bigInt({ min: 1n, max: 10n ** 24n });
  const wishes = fc.tuple(units, asks, spreads, allDecimals);

  // docs/decisions.md, "Quotes and open promises"
  it('is the fewest centavos that buy the units, with 4 to 18 decimals', () => {
    fc.assert(
      fc.property(wishes, ([wanted, ask, spreadBasisPoints, decimals]) => {
        const terms = { ask: decimalOf(ask, 8), spreadBasisPoints, decimals };
        const cost = costOf(wanted, terms);
        fc.pre(Number.isSafeInteger(cost));
        expect(quoteFor(cost, terms).assetUnits).toBeGreaterThanOrEqual(wanted);
        if (cost > 1) expect(quoteFor(cost - 1, terms).assetUnits).toBeLessThan(wanted);
      }),
    );
  });

  it('is at most an amount for the units that the amount buys', () => {
    fc.assert(
      fc.property(terms, ([amount, ask, spreadBasisPoints, decimals]) => {
        const quoted = { ask: decimalOf(ask, 8), spreadBasisPoints, decimals };
        const { assetUnits } = quoteFor(amount, quoted);
        const cost = costOf(assetUnits, quoted);
        expect(cost).toBeLessThanOrEqual(amount);
        expect(quoteFor(cost, quoted).assetUnits).toBe(assetUnits);
      }),
    );
  });
});
