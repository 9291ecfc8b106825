/** The limits for a client: amounts in whole BRL, and the number of open charges. */
export const CAP_NAMES = ['purchaseBrl', 'dailyBrl', 'monthlyBrl', 'yearlyBrl', 'openCharges'] as const;
export type CapName = (typeof CAP_NAMES)[number];
export type Caps = Record<CapName, number>;

/** The caps that operators changed for one partner, for each tier of client. */
export type TierCaps = { readonly [Tier in string]?: Partial<Caps> };

/** The highest cap on open charges. */
const MOST_OPEN_CHARGES = 10;
const LEAST_BRL = 50;

/** The reason why a cap is not allowed, in words. Undefined if it is allowed. */
export function capFault(name: CapName, value: unknown): string | undefined {
  const cap = Number.isSafeInteger(value) ? Number(value) : NaN;
  if (name === 'openCharges') {
    const isFit = cap >= 1 && cap <= MOST_OPEN_CHARGES;
    return isFit ? undefined : `openCharges must be a whole number from 1 to ${MOST_OPEN_CHARGES}`;
  }
  if (cap >= LEAST_BRL) return undefined;
  return `${name} must be whole BRL, ${LEAST_BRL} at least, for no purchase is of less`;
}
