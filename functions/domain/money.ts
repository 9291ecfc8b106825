/**
 * The smallest and the largest purchase: spec, "Limits". Amounts are integers, never floats: centavos of BRL, and base
 * units of an asset.
 */
export const AMOUNT_LIMITS_CENTAVOS = { minimum: 50_00, maximum: 50_000_00 } as const;

/** The number of decimals of a price, as at the exchanges. */
export const RATE_DECIMALS = 8;
const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS);
export const BASIS_POINTS = 10_000n;
const CENTAVO_DECIMALS = 2;
/** One coin of an EVM chain is 10^18 wei. */
export const GAS_DECIMALS = 18;

export type Quote = {
  /** BRL per token, including our spread, as decimal text. */
  rate: string;
  feeCentavos: number;
  /** The tokens that are bought, in base units of the asset. */
  assetUnits: bigint;
};

/** Converts BRL to centavos. Undefined if the amount has more than two decimals or is not finite. */
export function centavosOf(amountBrl: number): number | undefined {
  const centavos = Math.round(amountBrl * 100);
  if (!Number.isSafeInteger(centavos)) return Number.isFinite(amountBrl) ? centavos : undefined;
  return centavos / 100 === amountBrl ? centavos : undefined;
}

/** With two `decimals`, writes `12345` as `"123.45"`. API Pix and our own answers use this form. */
export function decimalOf(units: bigint | number, decimals: number): string {
  const digits = BigInt(units)
    .toString()
    .padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * With two `decimals`, reads `"123.45"` as `12345n`. Undefined if the text is not a plain decimal, or has
 * too many decimals.
 */
export function unitsOf(text: string, decimals: number): bigint | undefined {
  const match = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text);
  if (!match?.[1]) return undefined;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return undefined;
  return BigInt(match[1]) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || 0);
}

/** Converts centavos to the number `amountBrl` of the specification. */
export const brlOf = (centavos: number): number => centavos / 100;

/**
 * The terms of a price. `ask` is the exchanges' price in BRL per token, as decimal text. `decimals` are those of the
 * asset, at least 2.
 */
type QuoteTerms = { ask: string; spreadBasisPoints: number; decimals: number };

/**
 * Computes how many tokens `amountCentavos` buys at the ask plus our spread. Only this function and `costOf` round,
 * always in the client's favour: tokens up, rate and fee down. Tokens are computed from the rounded rate. Therefore the
 * client, who sees that rate, never computes more tokens than we send.
 */
export function quoteFor(amountCentavos: number, terms: QuoteTerms): Quote {
  const { rateScaled, spread } = ratesOf(terms);
  return {
    rate: decimalOf(rateScaled, RATE_DECIMALS),
    feeCentavos: Number((BigInt(amountCentavos) * BigInt(terms.spreadBasisPoints)) / spread),
    assetUnits: divideUp(BigInt(amountCentavos) * unitsPerCentavo(terms) * RATE_SCALE, rateScaled),
  };
}

/** The smallest amount in centavos for which `quoteFor` gives at least `assetUnits`. */
export function costOf(assetUnits: bigint, terms: QuoteTerms): number {
  const { rateScaled } = ratesOf(terms);
  // `quoteFor` rounds units up. Therefore an amount is enough if it buys more than `assetUnits - 1` units
  // before the rounding.
  return Number(((assetUnits - 1n) * rateScaled) / (unitsPerCentavo(terms) * RATE_SCALE)) + 1;
}

function ratesOf({ ask, spreadBasisPoints }: QuoteTerms) {
  const askScaled = unitsOf(ask, RATE_DECIMALS);
  if (!askScaled) throw new Error('the price feed gave no positive price');
  const spread = BASIS_POINTS + BigInt(spreadBasisPoints);
  return { rateScaled: (askScaled * spread) / BASIS_POINTS, spread };
}

/**
 * The base units that one centavo buys at a price of 1 BRL per token. A centavo is 10^-2 BRL, so it then
 * buys 10^-2 tokens.
 */
const unitsPerCentavo = ({ decimals }: QuoteTerms) => 10n ** BigInt(decimals - CENTAVO_DECIMALS);

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

export const smallerOf = <Amount extends bigint | number>(one: Amount, other: Amount): Amount =>
  one < other ? one : other;

export const largerOf = <Amount extends bigint | number>(one: Amount, other: Amount): Amount =>
  one > other ? one : other;
