/** Amounts are integers, never floats: centavos of BRL, and base units of an asset. Spec, "Limits". */
export const AMOUNT_LIMITS_CENTAVOS = { minimum: 50_00, maximum: 50_000_00 } as const;

/** Prices have eight decimals, as at the exchange. */
export const RATE_DECIMALS = 8;
const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS);
const BASIS_POINTS = 10_000n;
const CENTAVO_DECIMALS = 2;
/** One coin of an EVM chain is 10^18 wei. */
export const GAS_DECIMALS = 18;

export type Quote = {
  /** BRL per token with the spread, a decimal string. */
  rate: string;
  feeCentavos: number;
  /** Base units of the asset. */
  assetUnits: bigint;
};

/** BRL as centavos. Undefined if it has more than two decimals, or is not a number. */
export function centavosOf(amountBrl: number): number | undefined {
  const centavos = Math.round(amountBrl * 100);
  if (!Number.isSafeInteger(centavos)) return Number.isFinite(amountBrl) ? centavos : undefined;
  return centavos / 100 === amountBrl ? centavos : undefined;
}

/** `12345` → `"123.45"`: the form of amounts in API Pix and in our own answers. */
export function decimalOf(units: bigint | number, decimals: number): string {
  const digits = BigInt(units)
    .toString()
    .padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** `"123.45"` → `12345n`. Undefined if the text is no plain decimal, or has too many decimals. */
export function unitsOf(text: string, decimals: number): bigint | undefined {
  const match = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text);
  if (!match?.[1]) return undefined;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return undefined;
  return BigInt(match[1]) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || 0);
}

/** Centavos as the number `amountBrl` of the specification. */
export const brlOf = (centavos: number): number => centavos / 100;

/** `ask` is the exchange's price in BRL per token, a decimal string. `decimals` are the asset's: 2 or more. */
export type Terms = { ask: string; spreadBasisPoints: number; decimals: number };

/**
 * The tokens that `amountCentavos` buys at the ask plus our spread. Only this function and `costOf` round: the tokens
 * up, the rate and the fee down, each in the client's favour. The tokens follow from the rate as shown, so the client
 * never calculates more tokens than we send.
 */
export function quoteFor(amountCentavos: number, terms: Terms): Quote {
  const { rateScaled, spread } = ratesOf(terms);
  return {
    rate: decimalOf(rateScaled, RATE_DECIMALS),
    feeCentavos: Number((BigInt(amountCentavos) * BigInt(terms.spreadBasisPoints)) / spread),
    assetUnits: divideUp(BigInt(amountCentavos) * unitsPerCentavo(terms) * RATE_SCALE, rateScaled),
  };
}

/** The fewest centavos for which `quoteFor` gives at least these units. */
export function costOf(assetUnits: bigint, terms: Terms): number {
  const { rateScaled } = ratesOf(terms);
  // `quoteFor` rounds up, so an amount is enough if it buys more than one unit less.
  return Number(((assetUnits - 1n) * rateScaled) / (unitsPerCentavo(terms) * RATE_SCALE)) + 1;
}

function ratesOf({ ask, spreadBasisPoints }: Terms) {
  const askScaled = unitsOf(ask, RATE_DECIMALS);
  if (!askScaled) throw new Error('the price feed gave no positive price');
  const spread = BASIS_POINTS + BigInt(spreadBasisPoints);
  return { rateScaled: (askScaled * spread) / BASIS_POINTS, spread };
}

/** At the rate 1 a centavo, which is 10^-2 BRL, buys 10^-2 tokens. */
const unitsPerCentavo = ({ decimals }: Terms) => 10n ** BigInt(decimals - CENTAVO_DECIMALS);

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
