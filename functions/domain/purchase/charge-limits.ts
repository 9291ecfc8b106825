/**
 * How much one client may buy: docs/decisions.md, "Charge limits of a client". This file has the defaults. A stage
 * changes them in `cdk.json` (`chargeLimits`), operators change them for a partner's tier or for one client.
 */
import type { Client } from '../kyc/client.ts';
import type { RiskTier } from '../kyc/kyc.ts';
import { CAP_NAMES, type CapName, type Caps } from '../partners/caps.ts';
import type { Partner } from '../partners/partner.ts';
import { DAY_MS } from '../time.ts';

/** Lower caps for a number of days. They never raise a cap of the tier. */
type Phase = { days: number } & Partial<Caps>;

/** The limits of a deployment. */
export type ChargeLimits = {
  tiers: Record<RiskTier, Caps>;
  /** The lower caps of the first days after the client's first submission at this partner. */
  firstDays: Phase;
  /**
   * The lower caps of the days after a bank took back a payment of the client (MED). The days count from
   * the opening of the latest case about it.
   */
  afterMed: Phase;
  /** The caps on the sums of one person's purchases at all partners together. */
  everywhere: CapSums;
};
export type CapSums = Pick<Caps, 'dailyBrl' | 'monthlyBrl' | 'yearlyBrl'>;

/** The caps of the tiers HIGH and PEP. The monthly and the yearly cap are half of those of STANDARD. */
const HIGHER_RISK = {
  purchaseBrl: 50_000,
  dailyBrl: 50_000,
  monthlyBrl: 100_000,
  yearlyBrl: 500_000,
  openCharges: 1,
} as const satisfies Caps;

export const DEFAULT_LIMITS: ChargeLimits = {
  tiers: {
    STANDARD: {
      purchaseBrl: 50_000,
      dailyBrl: 50_000,
      monthlyBrl: 200_000,
      yearlyBrl: 1_000_000,
      openCharges: 1,
    },
    HIGH: HIGHER_RISK,
    PEP: HIGHER_RISK,
  },
  firstDays: { days: 7, monthlyBrl: 50_000 },
  afterMed: { days: 90, purchaseBrl: 5_000, dailyBrl: 5_000, monthlyBrl: 20_000 },
  everywhere: { dailyBrl: 100_000, monthlyBrl: 400_000, yearlyBrl: 2_000_000 },
};

/** The limits that a stage changes. All others keep their defaults. */
export type LimitChanges = {
  [Group in keyof ChargeLimits]?: Group extends 'tiers'
    ? Partial<Record<RiskTier, Partial<Caps>>>
    : Partial<ChargeLimits[Group]>;
};

export function limitsFrom({ tiers, firstDays, afterMed, everywhere }: LimitChanges): ChargeLimits {
  const { tiers: defaults } = DEFAULT_LIMITS;
  return {
    tiers: {
      STANDARD: { ...defaults.STANDARD, ...tiers?.STANDARD },
      HIGH: { ...defaults.HIGH, ...tiers?.HIGH },
      PEP: { ...defaults.PEP, ...tiers?.PEP },
    },
    firstDays: { ...DEFAULT_LIMITS.firstDays, ...firstDays },
    afterMed: { ...DEFAULT_LIMITS.afterMed, ...afterMed },
    everywhere: { ...DEFAULT_LIMITS.everywhere, ...everywhere },
  };
}

/**
 * The part of a client's limits that a charge uses. The charge's amount is added to the sums of `day`, of
 * its month and of its year. `person` is a keyed hash of the CPF.
 */
export type Claim = { day: string; person: string };

/**
 * The client's present caps. `lowUntil` has the end of each temporarily lowered cap, in epoch milliseconds.
 */
export type ClientCaps = { caps: Caps; lowUntil: Partial<Record<CapName, number>> };

/** The facts about a client that its caps depend on. */
export type Buyer = {
  riskTier: RiskTier;
  client: Pick<Client, 'createdAt' | 'medAt' | 'limits'>;
  partner: Pick<Partner, 'limits'>;
};

/**
 * Computes a client's caps. The partner's changes replace the caps of the tier, and the client's own
 * changes replace both. The caps of the first days or after a MED refund can only lower the result.
 */
export function capsOf({ riskTier, client, partner }: Buyer, limits: ChargeLimits, now: number): ClientCaps {
  const caps: Caps = { ...limits.tiers[riskTier], ...partner.limits?.[riskTier], ...client.limits };
  const lowUntil: ClientCaps['lowUntil'] = {};
  for (const [since, phase] of [
    [client.createdAt, limits.firstDays],
    [client.medAt, limits.afterMed],
  ] as const) {
    const until = since === undefined ? 0 : since + phase.days * DAY_MS;
    for (const name of CAP_NAMES) {
      const low = phase[name];
      if (now >= until || low === undefined || low >= caps[name]) continue;
      caps[name] = low;
      lowUntil[name] = until;
    }
  }
  return { caps, lowUntil };
}
