/** Amounts are integers, never floats: centavos for BRL, base units for tokens. */
export const AMOUNT_LIMITS_CENTAVOS = { minimum: 50_00, maximum: 50_000_00 } as const;
export const TOKEN_DECIMALS = 6;

/** Prices carry eight decimals, as the exchange quotes them. */
export const RATE_DECIMALS = 8;
const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS);
const BASIS_POINTS = 10_000n;
/** One centavo is 10^-2 BRL and a base unit 10^-6 of the token, so one centavo at rate 1 is 10^4 base units. */
const UNITS_PER_CENTAVO = 10n ** BigInt(TOKEN_DECIMALS - 2);

export type Quote = {
  /** BRL per token, spread included; decimal string. */
  rate: string;
  feeCentavos: number;
  /** Token base units (10^-6). */
  assetUnits: bigint;
};

/** BRL with at most two decimals, as centavos; undefined when there are more, or it is not a number. */
export function centavosOf(amountBrl: number): number | undefined {
  const centavos = Math.round(amountBrl * 100);
  if (!Number.isSafeInteger(centavos)) return Number.isFinite(amountBrl) ? centavos : undefined;
  return centavos / 100 === amountBrl ? centavos : undefined;
}

/** `12345` → `"123.45"`, the form of the Pix API and of our own answers in text. */
export function decimalOf(units: bigint | number, decimals: number): string {
  const digits = BigInt(units)
    .toString()
    .padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** `"123.45"` → `12345n`; undefined when the text is no plain decimal or has too many decimals. */
export function unitsOf(text: string, decimals: number): bigint | undefined {
  const match = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text);
  if (!match?.[1]) return undefined;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return undefined;
  return BigInt(match[1]) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || 0);
}

/** Centavos as the JSON number that the specification's `amountBrl` is. */
export const brlOf = (centavos: number): number => centavos / 100;

/**
 * What `amountCentavos` buys at the exchange's best ask (BRL per token, decimal string) plus our spread.
 * The one place that rounds: the client's tokens up, our rate and fee down, so always in the house's disfavour.
 * The tokens follow from the rate as shown: who divides by it never finds more than we send.
 */
export function quoteFor(amountCentavos: number, ask: string, spreadBasisPoints: number): Quote {
  const askScaled = unitsOf(ask, RATE_DECIMALS);
  if (!askScaled) throw new Error('the price feed gave no positive price');
  const spread = BASIS_POINTS + BigInt(spreadBasisPoints);
  const rateScaled = (askScaled * spread) / BASIS_POINTS;
  return {
    rate: decimalOf(rateScaled, RATE_DECIMALS),
    feeCentavos: Number((BigInt(amountCentavos) * BigInt(spreadBasisPoints)) / spread),
    assetUnits: divideUp(BigInt(amountCentavos) * UNITS_PER_CENTAVO * RATE_SCALE, rateScaled),
  };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
