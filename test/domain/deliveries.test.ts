import { describe, expect, it, test } from 'vitest';
import {
  afterAttempt,
  BACKOFF_MINUTES,
  type Delivery,
  isDue,
  openDelivery,
  type Pace,
  type PendingDelivery,
  paceAfter,
  parked,
  putOff,
  reopened,
  turnOf,
} from '../../functions/domain/partners/deliveries.ts';
import { AT, MINUTE_MS, NOW } from '../support/builders.ts';

const fresh = openDelivery({ id: 'event.1', partnerId: 'demo', at: NOW }, 'endpoint');
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('afterAttempt', () => {
  test.each([200, 204, 299])('ends a delivery that was answered with %i', (statusCode) => {
    expect(afterAttempt(fresh, statusCode, AT)).toMatchObject({ status: 'DELIVERED', attempts: 1 });
  });

  test.each([undefined, 100, 301, 400, 410, 500])('retries a delivery after %s', (statusCode) => {
    const next = afterAttempt(fresh, statusCode, AT);

    expect(next).toMatchObject({ status: 'PENDING', attempts: 1 });
    expect(next.nextAttemptAt).toBe(NOW + BACKOFF_MINUTES[0] * MINUTE_MS);
  });

  test('waits longer after each attempt, for three days, then parks the delivery', () => {
    let delivery: Delivery = fresh;
    let now = NOW;
    const waits: number[] = [];
    while (delivery.status === 'PENDING') {
      delivery = afterAttempt(delivery, 500, { ...AT, now });
      if (delivery.nextAttemptAt) waits.push(delivery.nextAttemptAt - now);
      now = delivery.nextAttemptAt ?? now;
    }

    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    expect(waits).toHaveLength(10);
    expect(total / MINUTE_MS / 60 / 24).toBeGreaterThan(3);
    expect(total / MINUTE_MS / 60 / 24).toBeLessThan(3.25);
    expect(delivery).toMatchObject({ status: 'PARKED', attempts: BACKOFF_MINUTES.length + 1 });
    expect(delivery.nextAttemptAt).toBeUndefined();
    expect(delivery.parkedAt).toBe(NOW + total);
  });
});

describe('a parked delivery', () => {
  it('is not due until somebody asks for it again, and then starts from the beginning', () => {
    const done = parked({ ...fresh, attempts: 11, nextAttemptAt: NOW, lastStatusCode: 500 }, NOW);
    expect(done).toMatchObject({ status: 'PARKED', attempts: 11, parkedAt: NOW, lastStatusCode: 500 });
    expect(isDue(done, NOW)).toBe(false);

    const again = reopened({ ...done, putOffs: 4 }, { ...AT, now: NOW + 1 });

    expect(again).toMatchObject({ status: 'PENDING', attempts: 0, nextAttemptAt: NOW + 1 });
    expect(again).toMatchObject({ openedAt: NOW + 1, putOffs: undefined });
    expect(again.parkedAt).toBeUndefined();
    expect(isDue(again, NOW + 1)).toBe(true);
  });
});

describe('parked deliveries', () => {
  it('are due at 500 a minute when many are requested at once', () => {
    const done = parked(fresh, NOW);
    const dueAfter = (place: number) => (reopened(done, AT, place).nextAttemptAt! - NOW) / MINUTE_MS;

    expect([0, 499, 500, 999, 1_000, 49_999].map(dueAfter)).toEqual([0, 0, 1, 1, 2, 99]);
    // The three days of a delivery start with its turn.
    expect(reopened(done, AT, 49_999).openedAt).toBe(NOW + 99 * MINUTE_MS);
  });
});

describe('a delivery that is postponed', () => {
  it('is tried again after a minute and has lost no attempt', () => {
    const off = putOff({ ...fresh, attempts: 3 }, AT);

    expect(off).toMatchObject({ status: 'PENDING', attempts: 3, nextAttemptAt: NOW + MINUTE_MS });
  });

  it('pauses longer each time until it is tried', () => {
    let off = fresh;
    const pauses: number[] = [];
    for (let count = 0; count < 8; count++) {
      off = putOff(off, AT) as PendingDelivery;
      pauses.push((off.nextAttemptAt! - NOW) / MINUTE_MS);
    }

    expect(pauses).toEqual([1, 1, 2, 5, 10, 20, 20, 20]);
    const tried = afterAttempt(off, 500, AT) as PendingDelivery;
    expect(putOff(tried, AT).nextAttemptAt).toBe(NOW + MINUTE_MS);
  });
});

describe('a delivery three days after its event', () => {
  const old = { ...fresh, openedAt: NOW - 3 * DAY_MS };
  const older = { ...fresh, openedAt: NOW - 3 * DAY_MS - 1 };

  it('is parked instead of postponed, even if it was never tried', () => {
    expect(putOff(old, AT)).toMatchObject({ status: 'PENDING' });
    expect(putOff(older, AT)).toMatchObject({ status: 'PARKED', attempts: 0, parkedAt: NOW });
    expect(putOff(older, AT).nextAttemptAt).toBeUndefined();
  });

  it('is parked when an attempt fails, whichever attempt it was', () => {
    expect(afterAttempt(old, 500, AT)).toMatchObject({ status: 'PENDING' });
    expect(afterAttempt(older, 500, AT)).toMatchObject({ status: 'PARKED', attempts: 1 });
    expect(afterAttempt(older, 200, AT)).toMatchObject({ status: 'DELIVERED' });
  });

  it('ends even if its endpoint is busy at every turn', () => {
    let delivery: Delivery = fresh;
    let now = NOW;
    for (let visits = 0; delivery.status === 'PENDING'; visits++) {
      expect(visits).toBeLessThan(300);
      delivery = putOff(delivery, { ...AT, now });
      now = delivery.nextAttemptAt ?? now;
    }

    expect(delivery.status).toBe('PARKED');
    expect((now - NOW) / DAY_MS).toBeLessThan(3.1);
  });
});

describe('an endpoint', () => {
  const slow: Pace = { isSlow: true, unanswered: 0, triedUntil: NOW, restsUntil: NOW, version: 4 };
  const cured: Pace = { ...slow, isSlow: false };

  it.each([undefined, cured])('is tried without limits for two seconds after a prompt answer', (pace) => {
    expect(turnOf(pace, NOW)).toEqual({ kind: 'FREELY', timeoutMs: 2_000 });
    expect(paceAfter(pace, { statusCode: 200, tookMs: 1_500 }, AT)).toBeUndefined();
    expect(paceAfter(pace, { statusCode: undefined, tookMs: 5 }, AT)).toBeUndefined();
  });

  it.each([
    [200, 0],
    [500, 0],
    [undefined, 1],
  ])('is slow when it takes longer, whatever it answers: %s', (statusCode, unanswered) => {
    expect(paceAfter(undefined, { statusCode, tookMs: 1_501 }, AT)).toEqual({
      isSlow: true,
      unanswered,
      version: 1,
      triedUntil: NOW,
      restsUntil: NOW,
    });
  });

  it('is tried by one function at a time for ten seconds when it is slow', () => {
    const turn = turnOf(slow, NOW);
    if (turn.kind !== 'ALONE') throw new Error(turn.kind);
    expect(turn).toMatchObject({ timeoutMs: 10_000, claim: { version: 5, isSlow: true } });

    expect(turnOf(turn.claim, NOW + 10_000)).toEqual({ kind: 'BUSY' });
    // A function that died during an attempt keeps the turn a little longer than an attempt can take.
    expect(turnOf(turn.claim, NOW + 15_000).kind).toBe('ALONE');
  });

  it('is no longer slow after a prompt answer or a prompt refusal', () => {
    for (const statusCode of [200, 503, undefined]) {
      const next = paceAfter({ ...slow, unanswered: 9 }, { statusCode, tookMs: 20 }, AT);
      expect(next).toMatchObject({ isSlow: false, unanswered: 0, version: 5 });
      expect(turnOf(next, NOW).kind).toBe('FREELY');
    }
  });

  it('pauses after three attempts without an answer in time, first for one minute, then for five', () => {
    let pace: Pace | undefined;
    const rests: number[] = [];
    for (let count = 0; count < 7; count++) {
      pace = paceAfter(pace, { statusCode: undefined, tookMs: 10_000 }, AT)!;
      rests.push((pace.restsUntil - NOW) / MINUTE_MS);
    }

    expect(rests).toEqual([0, 0, 1, 1, 5, 5, 5]);
    expect(turnOf(pace, NOW)).toEqual({ kind: 'RESTING' });
    expect(turnOf(pace, pace!.restsUntil - 1)).toEqual({ kind: 'RESTING' });
    expect(turnOf(pace, pace!.restsUntil).kind).toBe('ALONE');
  });

  it('is no longer counted as silent after a late answer', () => {
    const next = paceAfter({ ...slow, unanswered: 4 }, { statusCode: 200, tookMs: 9_000 }, AT);

    expect(next).toMatchObject({ isSlow: true, unanswered: 0, restsUntil: NOW });
  });
});

describe('isDue', () => {
  test('is true for a pending delivery whose time has come', () => {
    expect(isDue(fresh, NOW)).toBe(true);
    expect(isDue({ ...fresh, nextAttemptAt: NOW }, NOW)).toBe(true);
    expect(isDue({ ...fresh, nextAttemptAt: NOW + 1 }, NOW)).toBe(false);
    expect(isDue(afterAttempt(fresh, 200, AT), NOW)).toBe(false);
    expect(isDue(parked(fresh, NOW), NOW)).toBe(false);
  });
});
