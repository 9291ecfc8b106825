/** How much of its limits a client has used, and how much is left: docs/decisions.md, "Charge limits of a client". */
import { refuse } from '../errors.ts';
import { brlOf } from '../money.ts';
import type { CapName, Caps } from '../partners/caps.ts';
import { endOfDayInBrasilia, endOfMonthInBrasilia, endOfYearInBrasilia, isoInstant } from '../time.ts';
import type { CapSums, ClientCaps } from './charge-limits.ts';

/** The periods over which amounts are summed. */
export const PERIODS = {
  day: { cap: 'dailyBrl', limit: 'DAILY_AMOUNT', of: (day: string) => day, endOf: endOfDayInBrasilia },
  month: {
    cap: 'monthlyBrl',
    limit: 'MONTHLY_AMOUNT',
    of: (day: string) => day.slice(0, 'YYYY-MM'.length),
    endOf: endOfMonthInBrasilia,
  },
  year: {
    cap: 'yearlyBrl',
    limit: 'YEARLY_AMOUNT',
    of: (day: string) => day.slice(0, 'YYYY'.length),
    endOf: endOfYearInBrasilia,
  },
} as const satisfies Record<string, { cap: CapName; limit: string; of: unknown; endOf: unknown }>;
export type LimitPeriod = keyof typeof PERIODS;
export const PERIOD_NAMES = Object.keys(PERIODS) as LimitPeriod[];

/**
 * The part of the limits that a client or a person has used. It has the sums of a day, of its month and of
 * its year, in centavos. `charges` is the number of the client's open charges. `until` is the latest instant
 * at which the newest charge ends, also if no charge is open any more. `newestId` is the purchase of that charge.
 */
export type Usage = Record<LimitPeriod, number> & { charges: number; until: number; newestId?: string };

export const LIMIT_NAMES = [
  'OPEN_CHARGES',
  'DAILY_AMOUNT',
  'MONTHLY_AMOUNT',
  'YEARLY_AMOUNT',
  'PURCHASE_AMOUNT',
] as const;
type LimitName = (typeof LIMIT_NAMES)[number];

/** The state of one limit, in BRL or as a number of charges. `resetsAt` is in epoch milliseconds. */
export type LimitState = {
  limit: LimitName;
  maximum: number;
  used: number;
  remaining: number;
  resetsAt: number;
};

type At = { day: string; now: number };

/** The state of each limit of the client, in the order of `LIMIT_NAMES`. */
export function limitStatesOf({ caps, lowUntil }: ClientCaps, usage: Usage, { day, now }: At): LimitState[] {
  const sums = PERIOD_NAMES.map((period): LimitState => {
    const { cap, limit, endOf } = PERIODS[period];
    const resetsAt = Math.min(endOf(day), lowUntil[cap] ?? Number.POSITIVE_INFINITY);
    return { limit, ...roomIn(caps[cap], usage[period]), resetsAt };
  });
  const { openCharges, purchaseBrl } = caps;
  const remaining = Math.max(0, openCharges - usage.charges);
  return [
    {
      limit: 'OPEN_CHARGES',
      maximum: openCharges,
      used: usage.charges,
      remaining,
      // Without an open charge the client need not wait. `usage.until` is then still the end of the last
      // charge.
      resetsAt: usage.charges === 0 ? now : Math.max(now, usage.until),
    },
    ...sums,
    {
      limit: 'PURCHASE_AMOUNT',
      ...roomIn(purchaseBrl, 0),
      resetsAt: lowUntil.purchaseBrl ?? endOfDayInBrasilia(day),
    },
  ];
}

const roomIn = (maximum: number, centavos: number) => ({
  maximum,
  used: brlOf(centavos),
  remaining: brlOf(Math.max(0, maximum * 100 - centavos)),
});

/**
 * Refuses with `LIMIT_EXCEEDED` if a limit has no room for one more charge of this amount. The refusal names
 * the limit of open charges if it is reached. Otherwise it names the amount limit with the least room, which
 * is the amount that the client can still buy. `openId` is the purchase of an open charge, if one is in the way.
 */
export function requireRoom(
  states: readonly LimitState[],
  amountCentavos: number,
  now: number,
  openId?: string,
): void {
  const amount = brlOf(amountCentavos);
  const [full] = states
    .filter(({ limit, remaining }) => remaining < (limit === 'OPEN_CHARGES' ? 1 : amount))
    .sort((one, other) => rankOf(one) - rankOf(other) || other.resetsAt - one.resetsAt);
  if (!full) return;
  const { limit, maximum, remaining, resetsAt } = full;
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt - now) / 1000));
  refuse('LIMIT_EXCEEDED', {
    limit,
    maximum,
    remaining,
    resetsAt: isoInstant(resetsAt),
    retryAfterSeconds,
    ...(openId && limit === 'OPEN_CHARGES' && { transactionId: openId }),
  });
}

/** Whether the client has so many open charges that it may have no other. */
export const isFullOfCharges = (states: readonly LimitState[]): boolean =>
  states.some(({ limit, remaining }) => limit === 'OPEN_CHARGES' && remaining < 1);

const rankOf = ({ limit, remaining }: LimitState): number => (limit === 'OPEN_CHARGES' ? -1 : remaining);

/** Whether the person's sums have room for one more charge of this amount. */
export function hasRoomIn(sums: CapSums, usage: Usage, amountCentavos: number): boolean {
  return PERIOD_NAMES.every((period) => usage[period] + amountCentavos <= sums[PERIODS[period].cap] * 100);
}

/**
 * For each period the highest sum, in centavos, to which the amount can still be added without exceeding the
 * cap. `roomFor` answers undefined if the amount alone exceeds a cap.
 */
export type Room = Record<LimitPeriod, number>;

export function roomFor(sums: CapSums, amountCentavos: number): Room | undefined {
  const roomOf = (period: LimitPeriod) => sums[PERIODS[period].cap] * 100 - amountCentavos;
  const room = { day: roomOf('day'), month: roomOf('month'), year: roomOf('year') };
  return PERIOD_NAMES.some((period) => room[period] < 0) ? undefined : room;
}

/** Like `roomFor`, but also answers undefined if the amount exceeds the cap of one purchase. */
export function clientRoomFor(caps: Caps, amountCentavos: number): Room | undefined {
  return amountCentavos > caps.purchaseBrl * 100 ? undefined : roomFor(caps, amountCentavos);
}
