import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../functions/domain/errors.ts';
import { RISK_TIERS } from '../../functions/domain/kyc/kyc.ts';
import { CAP_NAMES, capFault } from '../../functions/domain/partners/caps.ts';
import { type Buyer, capsOf, DEFAULT_LIMITS } from '../../functions/domain/purchase/charge-limits.ts';
import { releasedBy } from '../../functions/domain/purchase/claim.ts';
import { STATUS_NAMES, STATUSES } from '../../functions/domain/purchase/status.ts';
import {
  clientRoomFor,
  type LimitState,
  limitStatesOf,
  requireRoom,
  roomFor,
  type Usage,
} from '../../functions/domain/purchase/usage.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { aTransaction } from '../support/builders.ts';

const NOON = Date.parse('2026-11-20T15:00:00Z');
const DAY_MS = 24 * 60 * 60_000;
const NOTHING: Usage = { day: 0, month: 0, year: 0, charges: 0, until: 0 };
const R$ = (brl: number) => brl * 100;
const { tiers, firstDays, afterMed } = DEFAULT_LIMITS;

const LONG_KNOWN = { createdAt: 0 };
const buyer = (changes: Partial<Buyer> = {}): Buyer => ({
  riskTier: 'STANDARD',
  client: LONG_KNOWN,
  partner: {},
  ...changes,
});
const capsAt = (changes: Partial<Buyer>, now = NOON) => capsOf(buyer(changes), DEFAULT_LIMITS, now);

/** The limits of a STANDARD client with this usage. */
const statesAt = (used: Partial<Usage>, { now = NOON, client = LONG_KNOWN } = {}) =>
  limitStatesOf(
    capsOf(buyer({ client }), DEFAULT_LIMITS, now),
    { ...NOTHING, ...used },
    {
      day: dayInBrasilia(now),
      now,
    },
  );

function refusalOf(states: readonly LimitState[], brl: number, now = NOON) {
  try {
    requireRoom(states, R$(brl), now);
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.details };
    throw error;
  }
  return undefined;
}

describe('the caps of a client', () => {
  it.each(RISK_TIERS)(
    'are by default those of the tier %s, which sell each purchase of the specification',
    (riskTier) => {
      expect(capsAt({ riskTier })).toEqual({ caps: tiers[riskTier], lowUntil: {} });
      expect(clientRoomFor(tiers[riskTier], R$(50_000))).toBeDefined();
    },
  );

  it('are those of the partner for the tier, and those of the client before them', () => {
    const partner = { limits: { STANDARD: { dailyBrl: 100, monthlyBrl: 200 }, HIGH: { dailyBrl: 50 } } };

    expect(capsAt({ partner, client: { ...LONG_KNOWN, limits: { dailyBrl: 70_000 } } }).caps).toEqual({
      ...tiers.STANDARD,
      dailyBrl: 70_000,
      monthlyBrl: 200,
    });
  });

  it('are lower in the first days, and no longer when they end', () => {
    const end = NOON + firstDays.days * DAY_MS;
    const client = { createdAt: NOON };

    expect(capsAt({ client }, end - 1)).toEqual({
      caps: { ...tiers.STANDARD, monthlyBrl: 50_000 },
      lowUntil: { monthlyBrl: end },
    });
    expect(capsAt({ client }, end)).toEqual({ caps: tiers.STANDARD, lowUntil: {} });
  });

  it('are the lowest of both after a MED in the first days', () => {
    const client = { createdAt: NOON, medAt: NOON };

    expect(capsAt({ client }).caps).toMatchObject({ purchaseBrl: 5_000, monthlyBrl: 20_000 });
    expect(capsAt({ client }).lowUntil.monthlyBrl).toBe(NOON + afterMed.days * DAY_MS);
  });

  it('are not raised by the caps of some days', () => {
    const client = { ...LONG_KNOWN, medAt: NOON, limits: { dailyBrl: 60 } };

    expect(capsAt({ client })).toMatchObject({ caps: { dailyBrl: 60 } });
    expect(capsAt({ client }).lowUntil).not.toHaveProperty('dailyBrl');
  });

  it.each([
    ['openCharges', 0],
    ['openCharges', 11],
    ['openCharges', 1.5],
    ['openCharges', '1'],
    ['dailyBrl', 49],
    ['monthlyBrl', 100.5],
    ['yearlyBrl', '50000'],
    ['purchaseBrl', Number.NaN],
    ['purchaseBrl', undefined],
  ] as const)('have no %s of %s', (name, value) => {
    expect(capFault(name, value)).toContain(`${name} must be`);
  });

  it('have no fault by default', () => {
    for (const tier of RISK_TIERS)
      expect(CAP_NAMES.map((name) => capFault(name, tiers[tier][name]))).toEqual(
        CAP_NAMES.map(() => undefined),
      );
  });
});

describe('the limits of a client', () => {
  it('show what is used, what is left and when it begins anew', () => {
    const states = statesAt({
      day: R$(250.5),
      month: R$(1_000),
      year: R$(1_000),
      charges: 1,
      until: NOON + 1,
    });

    expect(states).toEqual([
      { limit: 'OPEN_CHARGES', maximum: 1, used: 1, remaining: 0, resetsAt: NOON + 1 },
      {
        limit: 'DAILY_AMOUNT',
        maximum: 50_000,
        used: 250.5,
        remaining: 49_749.5,
        resetsAt: Date.parse('2026-11-21T03:00:00Z'),
      },
      {
        limit: 'MONTHLY_AMOUNT',
        maximum: 200_000,
        used: 1_000,
        remaining: 199_000,
        resetsAt: Date.parse('2026-12-01T03:00:00Z'),
      },
      {
        limit: 'YEARLY_AMOUNT',
        maximum: 1_000_000,
        used: 1_000,
        remaining: 999_000,
        resetsAt: Date.parse('2027-01-01T03:00:00Z'),
      },
      {
        limit: 'PURCHASE_AMOUNT',
        maximum: 50_000,
        used: 0,
        remaining: 50_000,
        resetsAt: Date.parse('2026-11-21T03:00:00Z'),
      },
    ]);
  });

  // docs/decisions.md, "Charge limits of a client"
  it.each([
    ['the last millisecond of a day', '2026-11-21T02:59:59.999Z', '2026-11-21', '2026-12-01', '2027-01-01'],
    ['midnight', '2026-11-21T03:00:00.000Z', '2026-11-22', '2026-12-01', '2027-01-01'],
    ['the eve of a leap day', '2028-02-28T12:00:00.000Z', '2028-02-29', '2028-03-01', '2029-01-01'],
    ['a leap day', '2028-02-29T12:00:00.000Z', '2028-03-01', '2028-03-01', '2029-01-01'],
    ['the 28th of another February', '2026-02-28T12:00:00.000Z', '2026-03-01', '2026-03-01', '2027-01-01'],
    ['the last millisecond of a year', '2027-01-01T02:59:59.999Z', '2027-01-01', '2027-01-01', '2027-01-01'],
    ['the first of the next', '2027-01-01T03:00:00.000Z', '2027-01-02', '2027-02-01', '2028-01-01'],
  ])('begin anew at midnight in Brasília after %s', (_, now, ...ends) => {
    const states = statesAt({}, { now: Date.parse(now) }).slice(1, 4);

    expect(states.map(({ resetsAt }) => resetsAt)).toEqual(ends.map((end) => Date.parse(`${end}T03:00:00Z`)));
  });

  it('begin anew when the low days end, if those end first', () => {
    const client = { createdAt: NOON - 6 * DAY_MS };
    const [, , month] = statesAt({}, { client });

    expect(month).toMatchObject({ maximum: 50_000, resetsAt: NOON + DAY_MS });
  });
});

describe('a charge', () => {
  it('is refused with the cap, the room and the end', () => {
    expect(refusalOf(statesAt({ day: R$(49_949.99) }), 50.02)).toEqual({
      code: 'LIMIT_EXCEEDED',
      limit: 'DAILY_AMOUNT',
      maximum: 50_000,
      remaining: 50.01,
      resetsAt: '2026-11-21T03:00:00.000Z',
      retryAfterSeconds: 12 * 3600,
    });
    expect(refusalOf(statesAt({ day: R$(49_949.99) }), 50.01)).toBeUndefined();
  });

  it('is refused for the smallest of several rooms, and for the last end of two that are the same', () => {
    expect(refusalOf(statesAt({ day: R$(49_000), year: R$(999_500) }), 2_000)).toMatchObject({
      limit: 'YEARLY_AMOUNT',
      remaining: 500,
    });
    expect(refusalOf(statesAt({ day: R$(50_000), month: R$(200_000) }), 50)).toMatchObject({
      limit: 'MONTHLY_AMOUNT',
      remaining: 0,
    });
  });

  it('is refused for the open charge first, and may be repeated a second later at the earliest', () => {
    const states = statesAt({ day: R$(50_000), charges: 1, until: NOON - 1 });

    expect(refusalOf(states, 50)).toMatchObject({ limit: 'OPEN_CHARGES', retryAfterSeconds: 1 });
  });

  it('shows no room below zero after the caps were lowered', () => {
    const client = { ...LONG_KNOWN, limits: { dailyBrl: 100, openCharges: 1 } };

    expect(refusalOf(statesAt({ day: R$(500) }, { client }), 50)).toMatchObject({
      maximum: 100,
      remaining: 0,
    });
    expect(statesAt({ charges: 3 }, { client })[0]).toMatchObject({ used: 3, remaining: 0 });
  });

  it('has a room exactly if it fits', () => {
    const amount = fc.integer({ min: R$(50), max: R$(60_000) });
    fc.assert(
      fc.property(amount, amount, (used, centavos) => {
        const room = roomFor(tiers.STANDARD, centavos);
        const fits = room !== undefined && used <= room.day;

        expect(refusalOf(statesAt({ day: used }), centavos / 100) === undefined).toBe(
          fits && centavos <= R$(50_000),
        );
      }),
    );
  });
});

describe('a move of a purchase', () => {
  const claim = { day: '2026-11-20', person: 'hash' };
  const purchase = (status: (typeof STATUS_NAMES)[number], changes = {}) =>
    aTransaction({ status, claim, ...changes });

  it.each(STATUS_NAMES)('from AWAITING_PIX to %s gives back what the purchase no longer holds', (status) => {
    const { paid, terminal, chargeMayBeOpen } = STATUSES[status];
    const released = releasedBy(purchase('AWAITING_PIX'), purchase(status));

    if (chargeMayBeOpen) expect(released).toBeUndefined();
    else expect(released).toMatchObject({ charges: 1, centavos: terminal && !paid ? 250_00 : 0, claim });
  });

  it('gives back nothing if nothing was claimed', () => {
    const unclaimed = { claim: undefined };

    expect(releasedBy(purchase('AWAITING_PIX', unclaimed), purchase('EXPIRED', unclaimed))).toBeUndefined();
  });
});
